import assert from 'node:assert/strict'
import { describe, it, onTestFinished, vi } from 'vitest'
import type { App } from '../../core/kernel.js'
import { createClient } from '../../plugins/typescript/client/index.js'
import { keyOf } from '../strapi4/fixture.js'
import { copyProject, openProject } from '../strapi4/project.js'
import { compiled } from './compiled.js'
import { fetchOf, url } from './fetch.js'
import { openWorld, typesOf } from './world.js'

// Each test compiles what a server has answered.
vi.setConfig({ testTimeout: 120_000 })

type Query = Readonly<Record<string, unknown>>
interface FindClient {
  find(query: Query): Promise<{ data: unknown; error?: unknown; meta: unknown }>
}

/** Every link of a type, each with its own links: the shapes that a response can have two levels deep. */
function queriesFor(app: Pick<App, 'types'>, uid: string): Query[] {
  const links = [...app.types.get(uid).links.values()].filter(({ readable }) => readable)
  const below = links.map(({ name }) => [name, { populate: '*' }])
  const [first] = [...app.types.get(uid).fields.values()].filter(({ readable }) => readable)
  const page = app.types.get(uid).kind === 'singleType' ? {} : { pagination: { pageSize: 5 } }
  return [
    { ...page },
    { ...page, populate: '*' },
    { ...page, ...(first && { fields: [first.name] }), populate: links.map(({ name }) => name) },
    { ...page, ...(first && { fields: [first.name, 'id'] }), populate: Object.fromEntries(below) },
  ]
}

/**
 * Sends queries and writes each response down as a value of the type that the client promises for it: the compiler then
 * says what is missing, what is too much, and what is of another type.
 */
async function wrongAnswers(app: App, { headers = {}, also = {}, change = same }: Options): Promise<readonly string[]> {
  const send = fetchOf(app)
  const client = createClient({ url, fetch: (input, init) => send(input, { ...init, headers }) }) as unknown as Record<
    string,
    FindClient
  >
  const lines = [
    "import type { Client } from 'stele/client'",
    "import type { Schema } from './schema.js'",
    'declare const api: Client<Schema>',
  ]
  const text = (value: unknown) => JSON.stringify(value, null, 1)
  let answers = 0
  for (const { routed, uid, kind, singularName, pluralName } of app.types.types.values()) {
    if (!routed || kind === 'component') continue
    const path = kind === 'singleType' ? singularName : pluralName
    for (const query of [...queriesFor(app, uid), ...(also[path] ?? [])]) {
      const { data, meta, error } = (await client[path]?.find(query)) ?? assert.fail(path)
      assert.equal(error, undefined, `${path} ${text(query)} ${text(error)}`)
      answers += 1
      lines.push(`export const q${answers} = () => api[${text(path)}].find(${text(query)})`)
      lines.push(`type A${answers} = Extract<Awaited<ReturnType<typeof q${answers}>>, { error?: undefined }>`)
      lines.push(`export const d${answers}: A${answers}['data'] = ${text(data)}`)
      lines.push(`export const m${answers}: A${answers}['meta'] = ${text(meta)}`)
    }
  }
  assert.ok(answers > 10)
  return (await compiled({ 'schema.ts': change(typesOf(app)), 'answers.ts': lines.join('\n') })).errors
}

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  /** More queries, by path. */
  readonly also?: Readonly<Record<string, readonly Query[]>>
  /** A change to the types before they are compared. */
  readonly change?: (types: string) => string
}

const same = (text: string): string => text

const varied: Readonly<Record<string, readonly Query[]>> = {
  articles: [
    {
      populate: {
        blocks: { on: { 'blocks.quote': { fields: ['text'], populate: { speaker: { fields: ['name'] } } } } },
      },
    },
    {
      populate: {
        blocks: { populate: ['speaker', 'source'] },
        author: { populate: { mentor: { fields: ['age'] } } },
        tags: false,
      },
    },
    {
      fields: ['title'],
      pagination: { start: 0, limit: 5 },
      populate: { author: { fields: 'name' }, seo: { fields: ['title'] } },
    },
    { fields: '*', pagination: { page: 1, withCount: false } },
    {
      fields: [],
      sort: ['author.name:desc', { twin: { title: 'asc' } }],
      filters: { $or: [{ title: 'x' }, { minutes: { $gte: 6 } }] },
    },
    { publicationState: 'preview', locale: 'en', filters: { main: { label: { $startsWith: 'm' } } } },
  ],
  shelves: [{ populate: { things: { on: { 'api::article.article': { fields: ['title'] } } } } }],
}

describe('what the types promise is what the server answers', () => {
  const opened = async (app: App) => {
    onTestFinished(() => app.close())
    return app
  }

  it('in the dialect of the specification', async () => {
    assert.deepEqual(await wrongAnswers(await opened(await openWorld()), { also: varied }), [])
  })

  it('in the other dialect, with counts and pages inside a populate', async () => {
    const app = await opened(await openWorld({ dialect: 'strapi4' }))
    const counted = {
      authors: [{ populate: { articles: { count: true } } }, { populate: { articles: { start: 1, limit: 1 } } }],
    }
    assert.deepEqual(await wrongAnswers(app, { also: { ...varied, ...counted } }), [])
  })

  it('with each flag that shapes responses turned the other way', async () => {
    const flags = { entryMeta: false, plainCreators: false, emptyPolymorphicLists: false, plainPolymorphic: true }
    assert.deepEqual(await wrongAnswers(await opened(await openWorld(flags)), { also: varied }), [])
  })

  it('in a project of Strapi 4', async () => {
    const folder = copyProject()
    const project = await openProject(folder)
    onTestFinished(async () => {
      await project.close()
      folder.remove()
    })
    const errors = await wrongAnswers(project.app, { headers: { authorization: `Bearer ${keyOf('full')}` } })
    assert.deepEqual(errors, [])
  })

  it('and the compiler would say so if it were not', async () => {
    const app = await opened(await openWorld())
    const change = (text: string) => text.replace('  title: string\n', '  title: number\n')
    const errors = (await wrongAnswers(app, { change })).join('\n')
    assert.match(errors, /Type 'string' is not assignable to type 'number'/)
  })
})
