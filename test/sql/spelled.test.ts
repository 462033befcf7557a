import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { contentParts } from '../../core/boot/content-parts.js'
import { systemCaller } from '../../core/content/code-queries.js'
import type { ContentParts } from '../../core/content/parts.js'
import { QueryPlanner } from '../../core/content/query.js'
import { chooseDialect, type DialectName } from '../../core/dialect.js'
import { openEngine } from '../../core/engines/open.js'
import type { Sql } from '../../core/engines/words.js'
import { foreignLayout } from '../../core/foreign/known.js'
import { type Caller, createTestApp, definePlugin, late, type TestAppOptions } from '../../core/index.js'
import { UnindexedFields } from '../../core/layout/unindexed.js'
import { listedInMeta } from '../../core/plugin/find.js'
import type { Registry } from '../../core/schema/registry.js'
import { buildModels } from '../../core/sql/models.js'
import type { NodePlan } from '../../core/sql/row-plan.js'
import { bind } from '../../core/sql/statement.js'
import { measuredRows, rows, type SpelledRead } from './spelled-rows.js'

const to = (relation: string, target: string, more: Record<string, string> = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})
const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      body: { type: 'richtext' },
      views: { type: 'integer' },
      size: { type: 'biginteger' },
      price: { type: 'decimal' },
      rating: { type: 'float' },
      isOpen: { type: 'boolean' },
      day: { type: 'date' },
      hour: { type: 'time' },
      startsAt: { type: 'datetime' },
      extra: { type: 'json' },
      author: to('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: to('manyToMany', 'tag', { inversedBy: 'articles' }),
      seo: { type: 'component', component: 'shared.seo' },
      notes: { type: 'component', component: 'shared.note', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.note'] },
    },
  },
  page: {
    attributes: {
      title: { type: 'string' },
      subject: { type: 'relation', relation: 'morphToOne' },
      subjects: { type: 'relation', relation: 'morphToMany' },
    },
  },
  author: { attributes: { name: { type: 'string' }, articles: to('oneToMany', 'article', { mappedBy: 'author' }) } },
  tag: { attributes: { name: { type: 'string' }, articles: to('manyToMany', 'article', { mappedBy: 'tags' }) } },
}
const sites = { site: { attributes: { spot: { type: 'spot' } } } }
/** An attribute type with a number by which sites are filtered and sorted. */
const spots = definePlugin({
  name: 'spots',
  fieldTypes: [
    {
      ...{ name: 'spot', kind: 'value', as: 'json', operators: 'equality', write: value => value, operand: String },
      measures: {
        $by: {
          ...{ describe: 'is so near', read: Number, atMost: asked => asked },
          number: (of, asked) => of.abs(of.divided(of.part('lat'), of.minus(1, of.cos(asked)))),
        },
      },
    },
  ],
})
const components = {
  'shared.seo': { attributes: { title: { type: 'string' } } },
  'shared.note': { attributes: { text: { type: 'string' } } },
}

/** The parts that make plans for an engine. No engine connects before its first statement, so none of them has to run. */
interface Plans {
  readonly registry: Registry
  readonly parts: ContentParts
  close(): Promise<unknown>
}

const engines = ['sqlite', 'mysql', 'postgres'] as const

async function plansOf(
  client: (typeof engines)[number],
  dialectName: DialectName,
  own: TestAppOptions = { types, components },
): Promise<Plans> {
  const app = await createTestApp({ ...own, config: { api: { rest: { dialect: dialectName } } } })
  const { types: registry, log } = app
  const config = { ...app.config, database: { ...app.config.database, client } }
  const engine = await openEngine(config.database, log)
  const models = buildModels(registry, engine.knex)
  const made = {
    plugins: [],
    listedInMeta: await listedInMeta(),
    hooks: new Map(),
    unindexed: new UnindexedFields(),
    foreign: foreignLayout,
    dialect: chooseDialect(dialectName, {}),
  }
  const parts = contentParts({ ...made, config, registry, engine, models, log, services: new Map(), time: () => 0 })
  return { registry, parts, close: () => Promise.all([engine.close(), app.close()]) }
}

/** The statements of a read as its engine runs them: their texts and then their values. */
function spelled({ registry, parts }: Plans, { ask, type = 'article', action = 'find', hooked, ruled }: SpelledRead) {
  const rules = () => ({ author: { id: late(({ id }) => id) } })
  const caller: Caller = { ...systemCaller, id: 5, ...(ruled && { rows: rules }) }
  const planner = new QueryPlanner(hooked ? { ...parts, hooks: () => ({ serialize: () => undefined }) } : parts)
  const { plan, values } = planner.query(registry.get(`api::${type}.${type}`), { action }, ask, caller).prepared
  const found: Record<string, unknown[]> = {}
  const moment = { caller, now: 0, entryId: 7 }
  const add = (name: string, statement: Sql | undefined) => {
    if (!statement) return
    const run = { moment, ids: [1, 2], room: 100, frame: { head: '[', tail: ']' } }
    const bound = bind(parts.engine, statement, values, run)
    found[name] = [bound.text, ...bound.values]
  }
  const addNode = ({ statement, children }: NodePlan, name: string) => {
    add(name, statement)
    for (const { link, pointers, present, nodes } of children) {
      const way = name === 'entries' ? link.name : `${name}.${link.name}`
      add(`${way}, pointers`, pointers)
      add(`${way}, types`, present)
      for (const node of nodes) addNode(node, pointers || nodes.length > 1 ? `${way}, ${node.type.uid}` : way)
    }
  }
  add('total', plan.count)
  add('whole', plan.whole)
  if (!plan.whole) addNode(plan.root, 'entries')
  return found
}

for (const dialect of ['spec', 'strapi4'] as const)
  for (const engine of engines)
    describe(`the SQL of a read on ${engine} in the dialect ${dialect}`, () => {
      let plans: Plans
      beforeAll(async () => {
        plans = await plansOf(engine, dialect)
      })
      afterAll(() => plans.close())

      for (const row of rows.filter(row => (row.dialect ?? 'spec') === dialect))
        it(row.says, () => assert.deepEqual(spelled(plans, row), row.sql[engine]))
    })

for (const engine of engines)
  describe(`the SQL of what plugins measure on ${engine}`, () => {
    let plans: Plans
    beforeAll(async () => {
      plans = await plansOf(engine, 'spec', { types: sites, plugins: [spots] })
    })
    afterAll(() => plans.close())

    for (const row of measuredRows) it(row.says, () => assert.deepEqual(spelled(plans, row), row.sql[engine]))
  })
