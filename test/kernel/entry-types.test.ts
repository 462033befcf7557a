import { strict as assert } from 'node:assert'
import { describe, it, onTestFinished } from 'vitest'
import { type Caller, createTestApp, definePlugin } from '../../core/index.js'
import { upload } from '../../plugins/upload/index.js'

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
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'posts' },
      next: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
      cover: { type: 'media', multiple: false, allowedTypes: ['files'] },
      seo: { type: 'component', component: 'shared.seo' },
      parts: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
}
const components = { 'shared.seo': { attributes: { about: { type: 'string' } } } }

describe('a hook that sees an entry is told the type of that entry', () => {
  /** Hooks by the type and entry that they were called with, below the root and at it. */
  async function told(url: string, plugins: readonly ReturnType<typeof definePlugin>[] = []): Promise<string[]> {
    const seen = new Set<string>()
    const recorder = definePlugin({
      name: 'recorder',
      hooks: {
        afterFind: (rows, { type }) => {
          for (const row of rows) seen.add(`afterFind ${row.title ?? row.name ?? row.about}: ${type.uid}`)
        },
        serialize: (entry, { type }) =>
          void seen.add(`serialize ${entry.title ?? entry.name ?? entry.about}: ${type.uid}`),
      },
    })
    const app = await createTestApp({ types, components, plugins: [upload, recorder, ...plugins] })
    onTestFinished(() => app.close())
    const file = await app.entries('plugin::upload.file').create({
      ...{ name: 'a cover', hash: 'x', ext: '.txt', mime: 'text/plain', size: 1, url: '/uploads/x.txt' },
      provider: 'local',
    })
    const tag = await app.entries('api::tag.tag').create({ name: 'a tag' })
    const next = await app.entries('api::post.post').create({ title: 'the next' })
    await app.entries('api::post.post').create({
      ...{ title: 'a post', tags: [tag.id], next: next.id, cover: file.id },
      seo: { about: 'in the post' },
      parts: [{ __component: 'shared.seo', about: 'in the zone' }],
    })
    seen.clear()
    const response = await app.inject(url)
    assert.equal(response.statusCode, 200, response.payload)
    return [...seen].sort()
  }
  const each = (...lines: string[]) => [
    ...lines.map(line => `afterFind ${line}`).sort(),
    ...lines.map(line => `serialize ${line}`).sort(),
  ]

  it('behind a relation', async () =>
    assert.deepEqual(await told('/api/tags?populate=posts'), each('a post: api::post.post', 'a tag: api::tag.tag')))
  it('behind a relation of a relation', async () =>
    assert.deepEqual(
      await told('/api/tags?populate[posts][populate][next][fields]=title'),
      each('a post: api::post.post', 'a tag: api::tag.tag', 'the next: api::post.post'),
    ))
  it('of components, in attributes and in zones, and of media', async () =>
    assert.deepEqual(
      await told('/api/posts/2?populate[0]=seo&populate[1]=parts&populate[2]=cover'),
      each(
        'a cover: plugin::upload.file',
        'a post: api::post.post',
        'in the post: shared.seo',
        'in the zone: shared.seo',
      ),
    ))

  it('and what is known of the entries that were asked for is not said of those below', async () => {
    const seen: unknown[] = []
    const noting = definePlugin({
      name: 'noting',
      hooks: {
        serialize: ({ title }, { populated, selected }) =>
          void (title !== undefined && seen.push([title, populated, selected])),
      },
    })
    await told('/api/posts/2?fields=title&populate[next][fields]=title', [noting])
    assert.deepEqual(seen.slice(-2), [
      ['the next', undefined, undefined],
      ['a post', ['next'], ['title']],
    ])
  })

  it('and asks about the reach of the caller in that type', async () => {
    const reached: unknown[] = []
    const one: Caller = {
      ...{ scope: 'one', can: () => true },
      rows: (action, uid) => (uid === 'api::post.post' && action === 'find' ? { title: 'a post' } : undefined),
    }
    const asking = definePlugin({
      name: 'asking',
      authenticate: () => one,
      appliesTo: ({ uid }) => uid === 'api::post.post',
      hooks: {
        async afterFind(_rows, { reaches }) {
          reached.push(await reaches(1), await reaches(2))
        },
      },
    })
    await told('/api/tags?populate=posts', [asking])
    assert.deepEqual(reached.slice(-2), [false, true])
  })
})
