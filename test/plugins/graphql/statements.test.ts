import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, it } from 'vitest'
import { createLog } from '../../../core/log.js'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { operationRequest, recordedOperations, withGraphql, withoutCache } from './replay.js'
import { type Asked, restRequests } from './statements-rest.js'
import { recordedSchema } from './twin.js'
import { askingOf } from './twin-rows.js'

const articles = '/api/articles'
const flat = 'title slug summary rating views kind published_on'
const fields = flat.split(' ')
const limit = (count: number) => ({ pagination: { start: 0, limit: count, withCount: false } })
const ordered = { start: 0, limit: 10 }
const state = { publicationState: 'preview' }

/** The operations whose cost the design notes name, with the requests of REST that ask for the same. */
const six = [
  {
    says: 'a list of 25, seven fields',
    query: `{ articles(pagination: { limit: 25 }) { data { id attributes { ${flat} } } } }`,
    rest: [[articles, { fields, ...limit(25) }]],
  },
  {
    says: 'the same with its total',
    query: `{ articles(pagination: { limit: 25 }) { data { id attributes { ${flat} } } meta { pagination { total } } } }`,
    rest: [[articles, { fields, pagination: { start: 0, limit: 25, withCount: true } }]],
  },
  {
    says: 'a list of 25 with author, category, tags',
    query: `{ articles(pagination: { limit: 25 }) { data { id attributes { title author { data { id attributes { name } } }
      category { data { id attributes { name } } } tags { data { id attributes { name } } } } } } }`,
    rest: [
      [
        articles,
        {
          ...{ fields: ['title'], ...limit(25) },
          populate: {
            author: { fields: ['name'] },
            category: { fields: ['name'], ...state },
            tags: { fields: ['name'], ...ordered },
          },
        },
      ],
    ],
  },
  {
    says: '10 authors, their articles, their tags',
    query: `{ authors(pagination: { limit: 10 }) { data { id attributes { name articles { data { id attributes { title
      tags { data { id attributes { name } } } } } } } } } }`,
    rest: [
      [
        '/api/authors',
        {
          ...{ fields: ['name'], ...limit(10) },
          populate: {
            articles: {
              ...{ fields: ['title'], publicationState: 'live', ...ordered },
              populate: { tags: { fields: ['name'], ...ordered } },
            },
          },
        },
      ],
    ],
  },
  {
    says: "filter by a relation's field",
    query: `{ articles(filters: { author: { name: { startsWith: "A" } } }, pagination: { limit: 25 }) { data { id attributes { title } } } }`,
    rest: [[articles, { fields: ['title'], filters: { author: { name: { $startsWith: 'A' } } }, ...limit(25) }]],
  },
  {
    says: 'four roots',
    query: `{ articles(pagination: { limit: 10 }) { data { id attributes { title cover { data { id attributes { url } } } seo { metaTitle } } } }
      tags(pagination: { limit: 25 }) { data { id attributes { name } } }
      homepage { data { id attributes { headline } } } global { data { id attributes { site_name } } } }`,
    rest: [
      [
        articles,
        {
          ...{ fields: ['title'], ...limit(10) },
          populate: { cover: { fields: ['url'] }, seo: { fields: ['metaTitle'] } },
        },
      ],
      ['/api/tags', { fields: ['name'], ...limit(25) }],
      ['/api/homepage', { fields: ['headline'] }],
      ['/api/global', { fields: ['site_name'] }],
    ],
  },
] as const

/** Tables whose rows the server reads again from time to time, whatever is asked: settings, tokens, roles and accounts. */
const known = /\b(strapi_core_store_settings|strapi_api_tokens?|strapi_api_token_permissions|up_|stele_|i18n_locale)/

/** A copy of the project with the plugin, and without cached responses: settings of a folder are read once in a process. */
function copied({ folder }: { readonly folder: string }): string {
  const copy = `${folder}-uncached`
  cpSync(folder, copy, { recursive: true })
  withGraphql({ folder: copy })
  withoutCache(copy)
  return copy
}

onEveryEngine('the statements of an operation', engine => {
  let pristine: Pristine
  let project: OpenProject
  const statements: string[] = []
  const write = (line: string) => {
    if (line.includes('"msg":"statement"')) statements.push(JSON.parse(line).sql)
  }
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    const folder = copied(pristine.project)
    const log = createLog('trace', { destination: { write } })
    project = await openProject({ folder }, pristine.variables, log)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
  })

  /**
   * The statements of some requests that read content, where no total is kept: another connection has written. Otherwise it
   * depends on earlier requests, and on PostgreSQL on the tests of other databases, which totals are counted again.
   */
  async function costOf(ask: () => Promise<unknown>): Promise<readonly string[]> {
    await run(pristine.database, 'update memos set id = id')
    const first = statements.length
    await ask()
    const read = statements.slice(first).filter(sql => !known.test(sql))
    return engine.name === 'postgres' ? once(read) : read
  }

  const operation = (asked: Omit<Asked, 'auth'>, auth = 'full') =>
    project.send(operationRequest({ id: 0, group: '', status: 200, auth, ...asked }))

  it('are as many as those of the requests of REST, for six operations', async () => {
    const ask = askingOf(project)
    const rows: string[] = []
    const wrong: string[] = []
    for (const { says, query, rest } of six) {
      const graphql = await costOf(() => operation({ query }))
      const requests = await costOf(async () => {
        for (const [path, asked] of rest) assert.equal((await ask('full', path, asked)).status, 200)
      })
      const asked = rest.map(([, query]) => ({ query }))
      const most = Math.max(requests.length, fromRows(asked))
      rows.push(`${says}: ${graphql.length} / ${requests.length}`)
      if (graphql.length > most) wrong.push(`${says}: ${graphql.length} / ${most}\n${graphql.join('\n')}`)
    }
    console.info([`${engine.name}, GraphQL / REST`, ...rows].join('\n'))
    assert.equal(wrong.length, 0, wrong.join('\n'))
  })

  it('are as many for each recorded operation', async () => {
    const schema = recordedSchema()
    const ask = askingOf(project)
    const wrong: string[] = []
    let count = 0
    for (const { id, query, variables, auth, body } of recordedOperations()) {
      if (query === undefined || !body?.data || body.errors) continue
      const asked = { query, auth, ...(variables && { variables }) }
      const requests = restRequests(schema, asked)
      if (!requests) continue
      const graphql = await costOf(() => operation(asked, auth))
      let isAnswered = true
      const rest = await costOf(async () => {
        for (const one of requests) isAnswered &&= (await ask(auth, one.path, one.query)).status === 200
      })
      if (!isAnswered) continue
      count += 1
      const most = Math.max(rest.length, fromRows(requests))
      if (graphql.length > most) wrong.push(`${id} ${query} ${graphql.length} / ${most}\n${graphql.join('\n')}`)
    }
    console.info(`${engine.name}: ${count} recorded operations cost no more than REST`)
    assert.equal(wrong.length, 0, wrong.join('\n'))
    assert.ok(count > 50, `${count} were compared`)
  })

  /** SQLite writes nested answers of REST in one statement: what the same costs where entries are rows. */
  function fromRows(requests: readonly { readonly query: object }[]): number {
    const totals = requests.filter(({ query }) => JSON.stringify(query).includes('"withCount":true')).length
    if (engine.name !== 'sqlite') return 0
    return totals + requests.reduce((sum, { query }) => sum + pathsOf(query as Query), 0)
  }
})

/**
 * Several roots are read a second time where the state has changed meanwhile, and on PostgreSQL a state is that of all databases
 * of the server: those of other tests, too.
 */
function once(read: readonly string[]): readonly string[] {
  const half = read.slice(0, read.length / 2)
  const isTwice = read.length % 2 === 0 && isDeepStrictEqual(half.toSorted(), read.slice(half.length).toSorted())
  return isTwice ? half : read
}

/** One statement for the entries, and one for each populated path; a zone is asked for its components first. */
function pathsOf(query: Query): number {
  const populate = Object.values((query.populate ?? {}) as Record<string, Query>)
  return populate.reduce((sum, below) => {
    const on = Object.values((below.on ?? {}) as Record<string, Query>)
    return sum + (below.on ? on.reduce((inner, part) => inner + pathsOf(part), 1) : pathsOf(below))
  }, 1)
}

type Query = Readonly<Record<string, unknown>>
