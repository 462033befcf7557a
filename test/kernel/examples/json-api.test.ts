import { strict as assert } from 'node:assert'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { jsonApi } from './json-api.js'

const types = {
  tag: {
    attributes: {
      name: { type: 'string' },
      posts: { type: 'relation', relation: 'manyToMany', target: 'api::post.post', mappedBy: 'tags' },
    },
  },
  post: {
    attributes: {
      title: { type: 'string' },
      note: { type: 'string' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'posts' },
      next: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
      seo: { type: 'component', component: 'shared.seo' },
    },
  },
}
const components = { 'shared.seo': { attributes: { about: { type: 'string' } } } }
const mediaType = 'application/vnd.api+json'

describe('json-api, a format that tells what each entry is', () => {
  async function blog(options: Parameters<typeof createTestApp>[0] = {}) {
    const app = await createTestApp({ types, components, plugins: [jsonApi], ...options })
    onTestFinished(() => app.close())
    for (const name of ['red', 'blue', 'green']) await app.entries('api::tag.tag').create({ name })
    await app.entries('api::post.post').create({ title: 'One', tags: [1, 2], seo: { about: 'x' } })
    return async (query: string, accept = mediaType) => {
      const response = await app.inject({ url: `/api/${query}`, headers: { accept } })
      return { type: response.headers['content-type'], vary: response.headers.vary, ...response.json() }
    }
  }

  it('sends its own media type, and JSON where it is not asked for', async () => {
    const get = await blog()
    const { type, vary } = await get('tags/1')
    assert.equal(type, mediaType)
    assert.match(String(vary), /accept/i)
    assert.equal((await get('tags/1', '*/*')).type, 'application/json; charset=utf-8')
    // The same from the cache.
    for (let times = 0; times < 3; times += 1) assert.equal((await get('tags')).type, mediaType)
  })

  it('tells the type of every entry, and relations from attributes, also where there is nothing', async () => {
    const get = await blog()
    const { data, included } = await get('tags/1?fields=name&populate[posts][fields]=title')
    assert.deepEqual(data, {
      ...{ type: 'tags', id: '1', attributes: { name: 'red' } },
      relationships: { posts: { data: [{ type: 'posts', id: '1' }] } },
    })
    assert.deepEqual(included, [{ type: 'posts', id: '1', attributes: { title: 'One' }, relationships: {} }])
    const post = (await get('posts/1?fields[0]=title&fields[1]=note&populate[0]=next&populate[1]=seo')).data
    assert.deepEqual(post, {
      ...{ type: 'posts', id: '1', attributes: { title: 'One', note: null, seo: { id: 1, about: 'x' } } },
      relationships: { next: { data: null } },
    })
    const counted = (await get('posts/1?fields=title&populate[tags][count]=true')).data
    assert.deepEqual(counted.relationships, { tags: { meta: { count: 2 } } })
  })

  it('links the pages of a list, with all else that was asked', async () => {
    const get = await blog()
    const list = await get('tags?sort=name&pagination[pageSize]=1&pagination[page]=2')
    const page = (number: number) => `?sort=name&pagination[pageSize]=1&pagination[page]=${number}`
    assert.deepEqual(list.links, { self: page(2), first: page(1), prev: page(1), next: page(3), last: page(3) })
    assert.deepEqual(
      (await get(`tags${list.links.next}`)).data.map(
        ({ attributes }: { attributes: { name: string } }) => attributes.name,
      ),
      ['red'],
    )
    assert.equal((await get(`tags${list.links.last}`)).links.next, undefined)
  })

  it('links pages of an offset, without a total, and behind cursors', async () => {
    const get = await blog()
    const offset = await get('tags?pagination[start]=1&pagination[limit]=1&pagination[withCount]=false')
    const at = (start: number) => `?pagination[limit]=1&pagination[withCount]=false&pagination[start]=${start}`
    assert.deepEqual(offset.links, {
      self: '?pagination[start]=1&pagination[limit]=1&pagination[withCount]=false',
      ...{ first: at(0), prev: at(0), next: at(2) },
    })
    const names: string[] = []
    for (let next = '?sort=name&pagination[after]=&pagination[pageSize]=2'; next; ) {
      const { data, links } = await get(`tags${next}`)
      names.push(...data.map(({ attributes }: { attributes: { name: string } }) => attributes.name))
      next = links.next
    }
    assert.deepEqual(names, ['blue', 'green', 'red'])
  })

  it('shapes errors too, under its media type', async () => {
    const get = await blog()
    const { type, errors } = await get('tags/77')
    assert.equal(type, mediaType)
    assert.deepEqual(errors, [{ status: '404', code: 'NotFoundError', detail: 'Not Found' }])
  })

  it('gives the response to a write the same shape and media type', async () => {
    const app = await createTestApp({ types, components, plugins: [jsonApi] })
    onTestFinished(() => app.close())
    const response = await app.inject({
      ...{ method: 'POST', url: '/api/tags?fields=name', headers: { accept: mediaType } },
      payload: { data: { name: 'red' } },
    })
    assert.equal(response.headers['content-type'], mediaType)
    assert.deepEqual(response.json().data, { type: 'tags', id: '1', attributes: { name: 'red' }, relationships: {} })
  })
})
