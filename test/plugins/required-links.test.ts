import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestAppOptions } from '../../core/index.js'
import { metadataOf } from '../../plugins/explorer/metadata.js'
import { i18n } from '../../plugins/i18n/index.js'
import { nestedCreate } from '../../plugins/nested-create/index.js'
import { upload } from '../../plugins/upload/index.js'
import { typesOf } from '../client/world.js'
import { documentOf } from '../openapi/outline.js'

const link = (required: boolean) => ({
  ...{ type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
  required,
})

const types = {
  book: {
    attributes: {
      title: { type: 'string', required: true },
      author: link(true),
      editor: link(false),
      readers: { ...link(true), relation: 'manyToMany' },
      cover: { type: 'media', required: true },
    },
  },
  author: { attributes: { name: { type: 'string' } } },
}

/** The required attributes of a new book, according to documents, types, the explorer and the server. */
async function required(dialect: 'spec' | 'strapi4') {
  const app = await createTestApp({ types, plugins: [upload], config: { api: { rest: { dialect } } } })
  try {
    const { components } = (await documentOf(app.outline)) as unknown as {
      components: { schemas: Record<string, { required?: string[] }> }
    }
    const { types: shown } = metadataOf(app.outline, { name: 'test', version: '1' })
    const book = shown.find(({ singular }) => singular === 'book')
    const [, input = ''] = /interface BookInput \{(.*?)\n\}/s.exec(typesOf(app)) ?? []
    const members = input.trim().split('\n')
    const refused = (await app.inject({ method: 'POST', url: '/api/books', payload: { data: {} } })).json()
    return {
      document: components.schemas.BookCreate?.required ?? [],
      types: members.flatMap(member => /^\s*(\w+): /.exec(member)?.[1] ?? []),
      nullable: members.flatMap(member => (/ \| null/.test(member) ? (/\w+/.exec(member)?.[0] ?? []) : [])),
      explorer: book?.attributes.flatMap(({ name, required }) => (required ? [name] : [])) ?? [],
      server: refused.error.details.errors.map(({ path }: { path: string[] }) => path[0]),
    }
  } finally {
    await app.close()
  }
}

describe('what is required of relations is said as it is done', () => {
  it.each([
    ['spec', ['title', 'author', 'readers', 'cover']],
    ['strapi4', ['title', 'author', 'readers']],
  ] as const)('in the dialect %s', async (dialect, names) => {
    const { nullable, ...said } = await required(dialect)
    for (const [who, listed] of Object.entries(said))
      assert.deepEqual([who, [...listed].sort()], [who, [...names].sort()])
    assert.ok(names.every(name => !nullable.includes(name)) && nullable.includes('editor'), nullable.join())
  })
})

describe('a required relation that a plugin fills', () => {
  const owned = { title: { type: 'string', pluginOptions: { i18n: { localized: true } } }, author: link(true) }
  const boot = async (options: TestAppOptions) => {
    const app = await createTestApp({ ...options, types: { author: types.author, ...options.types } })
    onTestFinished(() => app.close())
    await app.entries('api::author.author').create({ name: 'Ada' })
    const send = async (method: 'POST' | 'PUT' | 'GET', path: string, data?: object, headers = {}) => {
      const url = `/api/${path}?populate=author`
      const answer = await app.inject({ method, url, headers, ...(data && { payload: { data } }) })
      return [answer.statusCode, answer.json().data?.attributes.author?.data?.id ?? answer.json().error?.message]
    }
    return { app, send }
  }

  it('is shared by localizations, which need not send it', async () => {
    const page = { pluginOptions: { i18n: { localized: true } }, attributes: owned }
    const { send } = await boot({ types: { page }, plugins: [[i18n, { locales: ['en', 'de'] }]] })
    assert.deepEqual(await send('POST', 'pages', { title: 'a' }), [400, 'author must be defined'])
    assert.deepEqual(await send('POST', 'pages', { title: 'a', author: 1 }), [200, 1])
    assert.deepEqual(await send('POST', 'pages/1/localizations', { title: 'b', locale: 'de' }), [200, 1])
    assert.deepEqual(await send('PUT', 'pages/2', { author: null }), [400, 'author is required and cannot be null'])
    assert.deepEqual(await send('PUT', 'pages/2', { title: 'c' }), [200, 1])
  })

  it('is an entry that the write creates', async () => {
    const { send } = await boot({ types: { page: { attributes: owned } }, plugins: [nestedCreate] })
    assert.deepEqual(await send('POST', 'pages', { author: { create: { name: 'Ben' } } }), [200, 2])
    assert.deepEqual(await send('PUT', 'pages/1', { author: { create: { name: 'Cy' } } }), [200, 3])
    assert.deepEqual(await send('POST', 'pages', { author: { create: {} } }), [200, 4])
    assert.deepEqual(await send('POST', 'pages', { title: 'a' }), [400, 'author must be defined'])
  })

  it('is set by a permission, and has to be found by the caller that sends it', async () => {
    const callers = definePlugin({
      name: 'callers',
      authenticate: ({ headers }) => ({
        scope: String(headers['x-scope']),
        can: (action, uid) => headers['x-scope'] === 'all' || (uid === 'api::page.page' && action !== 'delete'),
        ...(headers['x-scope'] === 'set' && {
          sets: (_: string, uid: string) => (uid === 'api::page.page' ? { author: 1 } : undefined),
        }),
      }),
    })
    const { send, app } = await boot({ types: { page: { attributes: owned } }, plugins: [callers as never] })
    const as = (scope: string) => ({ 'x-scope': scope })
    assert.equal((await send('POST', 'pages', { title: 'a' }, as('set')))[0], 200)
    assert.deepEqual(
      await app.entries('api::page.page').find({ populate: { author: { fields: ['id'] } }, fields: ['id'] }),
      [{ id: 1, author: { id: 1 } }],
    )
    const blind = await send('POST', 'pages', { author: 1 }, as('blind'))
    assert.equal(blind[0], 400)
    assert.doesNotMatch(String(blind[1]), /must be defined/)
    assert.deepEqual(await send('POST', 'pages', { author: 1 }, as('all')), [200, 1])
  })
})
