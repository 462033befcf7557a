import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { home } from './schema-home.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })
interface Case {
  readonly from: object
  readonly to: object
  readonly values: readonly unknown[]
  /** The converted values, and the number of those that changed. */
  readonly gives: readonly unknown[]
  readonly changed: number
  /** SQLite keeps longer ones. */
  readonly longer?: true
}

const long = 'x'.repeat(300)
const cases: Readonly<Record<string, Case>> = {
  'a text that numbers stand in becomes a number': {
    from: { type: 'string' },
    to: { type: 'integer' },
    values: ['12', '-3', '4.6', 'many', ''],
    gives: [12, -3, 5, null, null],
    changed: 3,
  },
  'a number becomes a text': {
    from: { type: 'integer' },
    to: { type: 'string' },
    values: [12, -3],
    gives: ['12', '-3'],
    changed: 0,
  },
  'a short text becomes a long one': {
    from: { type: 'string' },
    to: { type: 'richtext' },
    values: ['a', 'b'],
    gives: ['a', 'b'],
    changed: 0,
  },
  'a long text is cut to a short one': {
    from: { type: 'text' },
    to: { type: 'string' },
    values: ['short', long],
    gives: ['short', long.slice(0, 255)],
    changed: 1,
    longer: true,
  },
  'an integer becomes a big one': {
    from: { type: 'integer' },
    to: { type: 'biginteger' },
    values: [7],
    gives: ['7'],
    changed: 0,
  },
  'a big integer keeps its digits, or goes': {
    from: { type: 'biginteger' },
    to: { type: 'integer' },
    values: ['7', '9007199254740993'],
    gives: [7, null],
    changed: 1,
  },
  'a decimal is rounded to a big integer': {
    from: { type: 'decimal' },
    to: { type: 'biginteger' },
    values: [12, 12.75],
    gives: ['12', '13'],
    changed: 1,
  },
  'a text that is no number is no big one': {
    from: { type: 'string' },
    to: { type: 'biginteger' },
    values: ['12', 'many'],
    gives: ['12', null],
    changed: 1,
  },
  'a float is rounded to an integer': {
    from: { type: 'float' },
    to: { type: 'integer' },
    values: [2, 2.4],
    gives: [2, 2],
    changed: 1,
  },
  'a decimal becomes a float': {
    from: { type: 'decimal' },
    to: { type: 'float' },
    values: [2.25],
    gives: [2.25],
    changed: 0,
  },
  'words become truth': {
    from: { type: 'string' },
    to: { type: 'boolean' },
    values: ['true', '0', 'perhaps'],
    gives: [true, false, null],
    changed: 1,
  },
  'truth becomes a number': {
    from: { type: 'boolean' },
    to: { type: 'integer' },
    values: [true, false],
    gives: [1, 0],
    changed: 0,
  },
  'a moment becomes a day, without its time': {
    from: { type: 'datetime' },
    to: { type: 'date' },
    values: ['2024-05-06T00:00:00.000Z', '2024-05-06T07:08:09.010Z'],
    gives: ['2024-05-06', '2024-05-06'],
    changed: 1,
  },
  'a day becomes a moment': {
    from: { type: 'date' },
    to: { type: 'datetime' },
    values: ['2024-05-06'],
    gives: ['2024-05-06T00:00:00.000Z'],
    changed: 0,
  },
  'a moment becomes a text': {
    from: { type: 'datetime' },
    to: { type: 'string' },
    values: ['2024-05-06T07:08:09.010Z'],
    gives: ['2024-05-06T07:08:09.010Z'],
    changed: 0,
  },
  'a text becomes JSON': {
    from: { type: 'text' },
    to: { type: 'json' },
    values: ['{"a":1}', 'a word'],
    gives: [{ a: 1 }, 'a word'],
    changed: 0,
  },
  'JSON becomes a text': {
    from: { type: 'json' },
    to: { type: 'text' },
    values: [{ a: 1 }, 'a word'],
    gives: ['{"a":1}', 'a word'],
    changed: 0,
  },
  'words that are not listed go': {
    from: { type: 'text' },
    to: { type: 'enumeration', enum: ['a', 'b'] },
    values: ['a', 'c'],
    gives: ['a', null],
    changed: 1,
  },
}

/** Each case is an attribute of one type. */
const all = Object.entries(cases).map(([says, one], index) => ({ says, name: `a${index}`, ...one }))
const typeOf = (side: 'from' | 'to') => ({
  types: { note: { attributes: Object.fromEntries(all.map(one => [one.name, one[side]])) } },
})

onEveryEngineAtLength('stele apply of other types', engine => {
  /** Expected values on an engine that enforces no length. */
  const expected = ({ longer, ...one }: (typeof all)[number]) =>
    engine.name === 'sqlite' && longer ? { ...one, gives: one.values, changed: 0 } : one

  it('keeps every value that fits, and the nearest of the others', async () => {
    const app = await home(engine)
    const rows = Math.max(...all.map(({ values }) => values.length))
    const ids = await app.during(typeOf('from'), async world => {
      const ids: number[] = []
      for (let row = 0; row < rows; row += 1)
        ids.push(await world.make('/notes', Object.fromEntries(all.map(({ name, values }) => [name, values[row]]))))
      return ids
    })
    app.files(typeOf('to'))
    const { changes } = await app.json('plan')
    for (const one of all.map(expected)) {
      const change = changes.find(({ describe }: { describe: string }) =>
        describe.startsWith(`notes.${one.name.replace('a', 'a_')} `),
      )
      assert.equal(change?.group, 'types', one.says)
      assert.equal(change.loses, one.changed, one.says)
      const fits =
        one.changed === 0 ? /every value fits/ : new RegExp(`${one.changed} of ${one.values.length} values? do not fit`)
      assert.match(change.describe, fits, one.says)
    }
    const done = await app.say('apply', '--yes')
    assert.equal(done.code, 0, done.errors)
    await app.during(typeOf('to'), async world => {
      const found: Record<string, unknown>[] = []
      for (const id of ids) found.push((await world.get(`/notes/${id}`)).body.data.attributes)
      for (const { says, name, values, gives } of all.map(expected))
        assert.deepEqual(
          values.map((_, row) => found[row]?.[name]),
          gives,
          says,
        )
      for (const { says, name, to, gives } of all.map(expected)) {
        if ((to as { type: string }).type === 'json') continue
        const reply = await world.get(`/notes?filters[${name}]=${encodeURIComponent(String(gives[0]))}`)
        assert.equal(reply.body.data[0].id, ids[0], says)
      }
    })
    assert.equal((await app.say('plan')).code, 0)
  })

  it('is left alone by a start, which says so; a rename goes with it, and indexes come back', async () => {
    const app = await home(engine)
    const former = {
      types: { note: { attributes: { count: { type: 'string', index: true }, other: { type: 'string' } } } },
    }
    const many = Array.from({ length: 450 }, (_, index) => index)
    await app.during(former, async ({ app: { store } }) => {
      await store.transaction(async session => {
        for (const index of many) {
          const { sql, bindings } = store
            .knex('notes')
            .insert({ count: String(index), other: 'x' })
            .toSQL()
            .toNative()
          await session.run(sql, bindings)
        }
      })
    })
    const next = {
      types: {
        note: {
          attributes: { total: { type: 'integer', index: true, renamedFrom: 'count' }, other: { type: 'string' } },
        },
      },
    }
    app.files(next)
    const done = await app.say('apply', '--yes')
    assert.equal(done.code, 0, done.errors)
    const rows = await app.sql('select total, other from notes order by id')
    assert.deepEqual(
      rows.map(({ total }) => Number(total)),
      many,
    )
    assert.ok(rows.every(({ other }) => other === 'x'))
    assert.equal((await app.say('plan')).code, 0)
  })

  it('takes a column that someone else has changed for what it is', async () => {
    const app = await home(engine)
    const types = { types: { note: { attributes: { size: { type: 'integer' }, price: { type: 'string' } } } } }
    const ids = await app.during(types, async world => [await world.make('/notes'), await world.make('/notes')])
    for (const [name, type] of [
      ['size', 'varchar(255)'],
      ['price', 'decimal(10,2)'],
    ]) {
      await app.sql(`alter table notes drop column ${name}`)
      await app.sql(`alter table notes add column ${name} ${type}`)
    }
    await app.sql(`update notes set size = '12', price = 2.25 where id = ${ids[0]}`)
    await app.sql(`update notes set size = 'many' where id = ${ids[1]}`)
    app.files(types)
    const { code, out, errors } = await app.say('apply', '--yes')
    assert.equal(code, 0, errors)
    assert.match(out, /notes\.size becomes \S+: 1 of 2 values do not fit/)
    const rows = await app.sql('select size, price from notes order by id')
    assert.deepEqual(
      rows.map(({ size, price }) => [size === null ? null : Number(size), price]),
      [
        [12, '2.25'],
        [null, null],
      ],
    )
    assert.equal((await app.say('plan')).code, 0)
  })
})
