import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Answer, serve } from '../support/contract.js'
import type { EngineName } from '../support/engine-choice.js'
import { onEveryEngine } from '../support/every-engine.js'
import { mysqlKind } from '../support/servers.js'

const types = {
  thing: {
    attributes: {
      string: { type: 'string' },
      text: { type: 'text' },
      richtext: { type: 'richtext' },
      enumeration: { type: 'enumeration', enum: ['news', 'opinion', 'review'] },
      email: { type: 'email' },
      password: { type: 'password' },
      uid: { type: 'uid', targetField: 'string' },
      date: { type: 'date' },
      time: { type: 'time' },
      datetime: { type: 'datetime' },
      timestamp: { type: 'timestamp' },
      integer: { type: 'integer' },
      biginteger: { type: 'biginteger' },
      float: { type: 'float' },
      decimal: { type: 'decimal' },
      boolean: { type: 'boolean' },
      json: { type: 'json' },
      array: { type: 'array' },
      blocks: { type: 'blocks' },
    },
  },
}

/** `must be ...` as it is told of a value of another type. */
const wanted = { string: 'a string', number: 'a number', boolean: 'true or false', array: 'a list' }
const not = (type: keyof typeof wanted) => `must be ${wanted[type]}`

interface AcceptedValue {
  readonly send: unknown
  /** The value in the response; the value itself if it is left out. */
  readonly gives?: unknown
  readonly only?: readonly EngineName[]
}
interface RefusedValue {
  readonly send: unknown
  readonly says: string
  readonly only?: readonly EngineName[]
}

const texts = {
  accepted: [{ send: '' }, { send: ' two  spaces ' }, { send: 'é 日本 🙂' }, { send: "'; drop--" }, { send: null }],
}
const noText: RefusedValue[] = [
  { send: 5, says: not('string') },
  { send: true, says: not('string') },
  { send: {}, says: not('string') },
  { send: [], says: not('string') },
  { send: 'a\0b', says: 'must not contain a null byte' },
]
const servers: readonly EngineName[] = ['mysql', 'postgres']
const notNumbers: RefusedValue[] = [
  { send: 'abc', says: not('number') },
  { send: '', says: not('number') },
  { send: ' ', says: not('number') },
  { send: true, says: not('number') },
  { send: [], says: not('number') },
  { send: {}, says: not('number') },
  { send: 'NaN', says: not('number') },
  { send: 'Infinity', says: not('number') },
  { send: '1e999', says: not('number') },
]
const noDate = 'must be a date of the form yyyy-MM-dd'
const noDay = 'must be a day of the calendar'
const noTime = 'must be a time of the form HH:mm:ss.SSS'
const noInstant = 'must be an ISO 8601 date, or milliseconds since 1970'
const instants: AcceptedValue[] = [
  { send: '2024-02-29', gives: '2024-02-29T00:00:00.000Z' },
  { send: '2024-02-29T10:00', gives: '2024-02-29T10:00:00.000Z' },
  { send: '2024-02-29 10:00:00', gives: '2024-02-29T10:00:00.000Z' },
  { send: '2024-02-29T10:00:00', gives: '2024-02-29T10:00:00.000Z' },
  { send: '2024-02-29T10:00:00+02:00', gives: '2024-02-29T08:00:00.000Z' },
  { send: '2024-02-29T23:30:00-01:00', gives: '2024-03-01T00:30:00.000Z' },
  { send: '2024-02-29T10:00:00.1Z', gives: '2024-02-29T10:00:00.100Z' },
  { send: '2024-02-29T10:00:00.123456Z', gives: '2024-02-29T10:00:00.123Z' },
  { send: 1_700_000_000_000, gives: '2023-11-14T22:13:20.000Z' },
  { send: '1700000000000', gives: '2023-11-14T22:13:20.000Z' },
  { send: null },
]
const noInstants: RefusedValue[] = [
  'garbage',
  '',
  true,
  [],
  {},
  '2024-02-30T10:00:00Z',
  '2024-13-01',
  '2024-02-29T25:00:00Z',
  1.5,
  1e300,
].map(send => ({ send, says: noInstant }))
/** The digits of bcrypt's input are bytes. */
const cases: Record<string, { accepted: readonly AcceptedValue[]; refused: readonly RefusedValue[] }> = {
  string: {
    accepted: [...texts.accepted, { send: 'x'.repeat(255) }, { send: 'x'.repeat(1000), only: ['sqlite'] }],
    refused: [...noText, { send: 'x'.repeat(256), says: 'must be at most 255 characters', only: servers }],
  },
  text: { accepted: [...texts.accepted, { send: 'x'.repeat(100_000) }], refused: noText },
  richtext: {
    accepted: [...texts.accepted, { send: '# Head\n\n<b>bold</b>' }, { send: 'é'.repeat(70_000) }],
    refused: noText,
  },
  enumeration: {
    accepted: [{ send: 'news' }, { send: 'review' }, { send: null }],
    refused: [
      { send: 'News', says: 'must be one of news, opinion, review' },
      { send: '', says: 'must be one of news, opinion, review' },
      { send: 1, says: 'must be one of news, opinion, review' },
      { send: ['news'], says: not('string') },
    ],
  },
  email: {
    accepted: [{ send: 'Ann.Lee+x@Example.org' }, { send: 'ü@münchen.example' }, { send: null }],
    refused: [
      { send: '', says: 'cannot be empty' },
      ...['ann', 'ann@', '@example.org', 'a b@example.org', 'ann@example', 'a@b@example.org'].map(send => ({
        send,
        says: 'must be a valid email',
      })),
      { send: 5, says: not('string') },
    ],
  },
  uid: {
    accepted: [{ send: 'a-B_c.d~9' }, { send: '' }, { send: null }, { send: null }],
    refused: [
      ...['two words', 'é', 'a/b', 'a?'].map(send => ({
        send,
        says: 'must match the following: "/^[A-Za-z0-9-_.~]*$/"',
      })),
      { send: 5, says: not('string') },
    ],
  },
  date: {
    accepted: [
      { send: '2024-02-29' },
      { send: '2024-02-29T10:00:00.000Z', gives: '2024-02-29' },
      { send: '1600-01-01' },
      { send: '9999-12-31' },
      { send: null },
    ],
    refused: [
      { send: '2024-02-30', says: noDay },
      { send: '2023-02-29', says: noDay },
      { send: '2024-13-01', says: noDay },
      ...['29/02/2024', '2024', '', 1_700_000_000_000, true, [], {}, '2024-2-9'].map(send => ({ send, says: noDate })),
    ],
  },
  time: {
    accepted: [
      { send: '10:00:00', gives: '10:00:00.000' },
      { send: '10:00:00.5', gives: '10:00:00.500' },
      { send: '23:59:59.999' },
      { send: '00:00:00', gives: '00:00:00.000' },
      { send: null },
    ],
    refused: [
      ...['10:00', '9:05', '9:05:00', '25:00:00', '10:60:00', '10:00:60', '10:00:00.1234', '', '10:00:00Z'].map(
        send => ({
          send,
          says: noTime,
        }),
      ),
      { send: 36_000, says: noTime },
      { send: true, says: noTime },
    ],
  },
  datetime: {
    accepted: [
      ...instants,
      { send: '1969-12-31T23:59:59.999Z' },
      { send: '1600-01-01T00:00:00.000Z' },
      { send: '9999-12-31T23:59:59.999Z' },
    ],
    refused: noInstants,
  },
  timestamp: {
    accepted: instants.map(({ send, gives }) => ({ send, gives: gives ? String(Date.parse(gives as string)) : null })),
    refused: noInstants,
  },
  integer: {
    accepted: [
      { send: 0 },
      { send: -5 },
      { send: '12', gives: 12 },
      { send: 2_147_483_647 },
      { send: -2_147_483_647 },
      { send: 9_007_199_254_740_991, only: ['sqlite'] },
      { send: null },
    ],
    refused: [
      ...notNumbers,
      { send: 1.5, says: 'must be an integer' },
      { send: '1.5', says: 'must be an integer' },
      { send: 2_147_483_648, says: 'must be less than or equal to 2147483647', only: servers },
      { send: -2_147_483_649, says: 'must be greater than or equal to -2147483647', only: servers },
      { send: 1e300, says: 'must be less than or equal to 9007199254740991', only: ['sqlite'] },
    ],
  },
  biginteger: {
    accepted: [
      { send: 12, gives: '12' },
      { send: '-5' },
      { send: '+7', gives: '7' },
      { send: '007', gives: '7' },
      { send: '9007199254740993' },
      { send: '9223372036854775807' },
      { send: '-9223372036854775808' },
      { send: null },
    ],
    refused: [
      ...['abc', '', '1.5', 1.5, true, [], {}, '1e3'].map(send => ({
        send,
        says: 'must be an integer of at most 19 digits, written as a string or a number',
      })),
      { send: '9223372036854775808', says: 'must be between -9223372036854775808 and 9223372036854775807' },
    ],
  },
  float: {
    accepted: [
      { send: 1.25 },
      { send: '1e3', gives: 1000 },
      { send: -0.1 },
      { send: 1e300 },
      { send: 4 },
      { send: 0.1 + 0.2 },
      { send: null },
    ],
    refused: notNumbers,
  },
  decimal: {
    accepted: [
      { send: 4.5 },
      { send: '4.5', gives: 4.5 },
      { send: -99_999_999.99 },
      { send: 1.005, gives: 1.005, only: ['sqlite'] },
      { send: 1.255, gives: 1.26, only: servers },
      { send: 100_000_000, only: ['sqlite'] },
      { send: null },
    ],
    refused: [
      ...notNumbers,
      { send: 100_000_000, says: 'must be less than or equal to 99999999.99', only: servers },
      { send: -100_000_000, says: 'must be greater than or equal to -99999999.99', only: servers },
      { send: 99_999_999.999, says: 'must be less than or equal to 99999999.99', only: servers },
    ],
  },
  boolean: {
    accepted: [
      { send: true },
      { send: false },
      { send: 1, gives: true },
      { send: 0, gives: false },
      { send: '1', gives: true },
      { send: '0', gives: false },
      { send: 'true', gives: true },
      { send: 'FALSE', gives: false },
      { send: null },
    ],
    refused: [
      { send: 't', says: not('boolean') },
      { send: 'yes', says: not('boolean') },
      { send: 2, says: not('boolean') },
      { send: '', says: not('boolean') },
      { send: [], says: not('boolean') },
      { send: 'constructor', says: not('boolean') },
    ],
  },
  json: {
    accepted: [
      { send: { a: [1, { b: null }] } },
      { send: [] },
      { send: [1, 'two'] },
      { send: 'a text' },
      { send: '{"not": "parsed"}' },
      { send: '' },
      { send: 5 },
      { send: true },
      { send: false },
      { send: { 'key "quoted"': 'é 🙂' } },
      { send: null },
    ],
    refused: [],
  },
  array: {
    accepted: [{ send: [] }, { send: [1, 'two', { three: 3 }] }, { send: null }],
    refused: [
      { send: {}, says: not('array') },
      { send: 'a', says: not('array') },
      { send: 1, says: not('array') },
    ],
  },
  blocks: {
    accepted: [{ send: [{ type: 'paragraph', children: [{ type: 'text', text: 'Hi' }] }] }, { send: null }],
    refused: [{ send: 'a', says: not('array') }],
  },
}

onEveryEngine('the values of an attribute', engine => {
  const server = serve(engine, { types })
  const here = ({ only }: { only?: readonly EngineName[] }) => only === undefined || only.includes(engine.name)

  for (const [field, { accepted, refused }] of Object.entries(cases))
    describe(field, () => {
      for (const [index, { send, gives = send }] of accepted.filter(here).entries())
        it(`takes ${shown(send)} and answers ${shown(gives)} (${index})`, async () => {
          const made = await server.post('/things', { [field]: send })
          assert.equal(made.status, 200, JSON.stringify(made.body))
          assert.deepEqual(made.body.data.attributes[field], gives)
          const { id } = made.body.data
          assert.deepEqual((await server.get(`/things/${id}`)).body.data.attributes[field], gives)
          assert.deepEqual((await server.get(`/things?filters[id]=${id}`)).body.data[0].attributes[field], gives)
          // A response's value can be sent again: a client may save what it read.
          await server.put(`/things/${id}`, { [field]: null })
          const again = await server.put(`/things/${id}`, { [field]: gives })
          assert.deepEqual(again.body.data?.attributes[field], gives)
          await server.delete(`/things/${id}`)
        })

      for (const [index, { send, says }] of refused.filter(here).entries())
        it(`refuses ${shown(send)} with a 400 (${index})`, async () => {
          const id = await server.make('/things')
          for (const reply of [
            await server.post('/things', { [field]: send }),
            await server.put(`/things/${id}`, { [field]: send }),
          ]) {
            const message = `${field} ${says}`
            assert.deepEqual(errorOf(reply), {
              status: 400,
              name: 'ValidationError',
              message,
              details: { errors: [{ path: [field], message, name: 'ValidationError' }] },
            })
          }
          assert.equal(
            (await server.get(`/things/${id}`)).body.data.attributes[field],
            field === 'password' ? undefined : null,
          )
        })
    })

  describe('password', () => {
    for (const send of ['x'.repeat(72), 'é'.repeat(36)])
      it(`takes 72 bytes: ${shown(send)}`, async () =>
        assert.equal((await server.post('/things', { password: send })).status, 200))
    for (const { send, says } of [
      { send: 'x'.repeat(73), says: 'must be at most 72 bytes long' },
      { send: 'é'.repeat(37), says: 'must be at most 72 bytes long' },
      { send: 5, says: not('string') },
    ])
      it(`refuses ${shown(send)}`, async () => {
        assert.equal(errorOf(await server.post('/things', { password: send })).message, `password ${says}`)
      })
  })

  it('all fields can be set in one request, and cleared in one', async () => {
    const all = Object.fromEntries(
      Object.entries(cases).map(([field, { accepted }]) => [field, accepted.find(({ send }) => send !== null)?.send]),
    )
    all.uid = 'all-fields'
    const { status, body } = await server.post('/things', all)
    assert.equal(status, 200, JSON.stringify(body))
    const cleared = await server.put(
      `/things/${body.data.id}`,
      Object.fromEntries(Object.keys(all).map(key => [key, null])),
    )
    const { createdAt: _, updatedAt: __, ...attributes } = cleared.body.data.attributes
    assert.deepEqual(new Set(Object.values(attributes)), new Set([null]))
  })
})

const ruled = {
  rule: {
    attributes: {
      needed: { type: 'string', required: true },
      short: { type: 'string', minLength: 3, maxLength: 5 },
      code: { type: 'string', regex: '^[a-z]+$' },
      longCode: { type: 'text', regex: '^[a-z]+$', maxLength: 10 },
      level: { type: 'integer', min: 0, max: 10 },
      share: { type: 'float', min: 0.5, max: 1.5 },
      price: { type: 'decimal', min: 0, max: 10 },
      big: { type: 'biginteger', min: '10', max: '9007199254740993' },
      kind: { type: 'enumeration', enum: ['a', 'b'], required: true, default: 'a' },
      flag: { type: 'boolean', required: true, default: false },
      alone: { type: 'string', unique: true },
      number: { type: 'integer', unique: true },
      day: { type: 'date', unique: true },
      slug: { type: 'uid' },
      seo: { type: 'component', component: 'shared.seo' },
      wish: { type: 'string', default: 'none' },
    },
  },
}
const components = {
  'shared.seo': {
    attributes: { title: { type: 'string', required: true, maxLength: 5 }, key: { type: 'string', unique: true } },
  },
}

onEveryEngine('the rules of an attribute', engine => {
  const server = serve(engine, { types: ruled, components })
  const valid = { needed: 'x' }

  const cases: { field: string; takes: unknown[]; refuses: { send: unknown; says: string }[] }[] = [
    {
      field: 'needed',
      takes: ['', 'x'],
      refuses: [
        { send: undefined, says: 'needed must be defined' },
        { send: null, says: 'needed is required and cannot be null' },
      ],
    },
    {
      field: 'short',
      takes: ['abc', 'abcde', 'äöüßé', null],
      refuses: [
        { send: 'ab', says: 'short must be at least 3 characters' },
        { send: '', says: 'short must be at least 3 characters' },
        { send: 'abcdef', says: 'short must be at most 5 characters' },
      ],
    },
    {
      field: 'code',
      takes: ['abc', '', null],
      refuses: [{ send: 'A', says: 'code must match the following: "/^[a-z]+$/"' }],
    },
    {
      field: 'longCode',
      takes: ['abc'],
      refuses: [{ send: 'abcdefghijk', says: 'longCode must be at most 10 characters' }],
    },
    {
      field: 'level',
      takes: [0, 10, '5', null],
      refuses: [
        { send: -1, says: 'level must be greater than or equal to 0' },
        { send: 11, says: 'level must be less than or equal to 10' },
      ],
    },
    {
      field: 'share',
      takes: [0.5, 1.5],
      refuses: [
        { send: 0.4, says: 'share must be greater than or equal to 0.5' },
        { send: 1.6, says: 'share must be less than or equal to 1.5' },
      ],
    },
    { field: 'price', takes: [0, 10], refuses: [{ send: 10.01, says: 'price must be less than or equal to 10' }] },
    {
      field: 'big',
      takes: ['10', '9007199254740993'],
      refuses: [
        { send: '9', says: 'big must be greater than or equal to 10' },
        { send: '9007199254740994', says: 'big must be less than or equal to 9007199254740993' },
      ],
    },
    {
      field: 'kind',
      takes: ['a', undefined],
      refuses: [
        { send: null, says: 'kind is required and cannot be null' },
        { send: 'c', says: 'kind must be one of a, b' },
      ],
    },
    {
      field: 'flag',
      takes: [false, undefined],
      refuses: [{ send: null, says: 'flag is required and cannot be null' }],
    },
    { field: 'seo', takes: [{ title: 'abc' }, null], refuses: [{ send: {}, says: 'seo.title must be defined' }] },
  ]
  for (const { field, takes, refuses } of cases)
    describe(field, () => {
      for (const send of takes)
        it(`takes ${shown(send)}`, async () => {
          assert.equal((await server.post('/rules', { ...valid, [field]: send })).status, 200)
        })
      for (const { send, says } of refuses)
        it(`refuses ${shown(send)}`, async () => {
          assert.equal(errorOf(await server.post('/rules', { ...valid, [field]: send })).message, says)
        })
    })

  it('required attributes are not asked for by an update, and cannot be cleared by one', async () => {
    const id = await server.make('/rules', valid)
    assert.equal((await server.put(`/rules/${id}`, { level: 1 })).status, 200)
    const { message } = errorOf(await server.put(`/rules/${id}`, { needed: null }))
    assert.equal(message, 'needed is required and cannot be null')
  })

  it('a default stands in for a required attribute', async () => {
    const { kind, flag, wish } = (await server.post('/rules', valid)).body.data.attributes
    assert.deepEqual({ kind, flag, wish }, { kind: 'a', flag: false, wish: 'none' })
  })

  it('several errors are told at once, in the order of the schema', async () => {
    const error = errorOf(
      await server.post('/rules', { seo: { title: 'too long', key: 5 }, kind: 'c', level: -1, short: 'ab', code: 'A' }),
    )
    assert.equal(error.name, 'ValidationError')
    assert.equal(error.message, '7 errors occurred')
    assert.deepEqual(error.details.errors, [
      { path: ['needed'], message: 'needed must be defined', name: 'ValidationError' },
      { path: ['short'], message: 'short must be at least 3 characters', name: 'ValidationError' },
      { path: ['code'], message: 'code must match the following: "/^[a-z]+$/"', name: 'ValidationError' },
      { path: ['level'], message: 'level must be greater than or equal to 0', name: 'ValidationError' },
      { path: ['kind'], message: 'kind must be one of a, b', name: 'ValidationError' },
      { path: ['seo', 'title'], message: 'seo.title must be at most 5 characters', name: 'ValidationError' },
      {
        path: ['seo', 'key'],
        message: 'seo.key must be a string',
        name: 'ValidationError',
      },
    ])
  })

  it('a wrong date is among all that is wrong', async () => {
    const { message: text, details } = errorOf(await server.post('/rules', { ...valid, day: 'x', level: -1 }))
    assert.equal(text, '2 errors occurred')
    const both = details.errors.map(({ path, message: one }: { path: string[]; message: string }) => [...path, one])
    assert.deepEqual(both, [
      ['level', 'level must be greater than or equal to 0'],
      ['day', `day ${noDate}`],
    ])
    assert.equal(errorOf(await server.post('/rules', { ...valid, day: 'x' })).message, `day ${noDate}`)
  })

  describe('unique', () => {
    const refusalOf = (field: string) => `${field} must be unique; another entry has this value`
    const fields: [string, unknown, unknown][] = [
      ['alone', 'taken', 'free'],
      ['number', 7, 8],
      ['day', '2024-01-01', '2024-01-02'],
      ['slug', 'taken', 'free'],
    ]
    for (const [field, taken, free] of fields) {
      const refusal = {
        status: 400,
        name: 'ValidationError',
        message: refusalOf(field),
        details: { errors: [{ path: [field], message: refusalOf(field), name: 'ValidationError' }] },
      }
      it(`${field}: a value that another entry has is refused on create and update`, async () => {
        const owner = await server.make('/rules', { ...valid, [field]: taken })
        const other = await server.make('/rules', { ...valid, [field]: free })
        assert.deepEqual(errorOf(await server.post('/rules', { ...valid, [field]: taken })), refusal)
        assert.deepEqual(errorOf(await server.put(`/rules/${other}`, { [field]: taken })), refusal)
        assert.equal((await server.put(`/rules/${owner}`, { [field]: taken })).status, 200)
        await server.delete(`/rules/${owner}`)
        assert.equal((await server.put(`/rules/${other}`, { [field]: taken })).status, 200)
        await server.delete(`/rules/${other}`)
      })
      it(`${field}: null may stand any number of times`, async () => {
        for (const _ of [1, 2]) assert.equal((await server.post('/rules', { ...valid, [field]: null })).status, 200)
      })
      it(`${field}: of creates at the same time one wins, the others are refused in the same words`, async () => {
        const replies = await Promise.all(
          Array.from({ length: 5 }, () => server.post('/rules', { ...valid, [field]: free })),
        )
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
        for (const reply of replies) if (reply.status === 400) assert.deepEqual(errorOf(reply), refusal)
        assert.equal((await server.rows('rules', ['id'], { [field]: free })).length, 1)
      })
    }

    it('holds inside components, and says where', async () => {
      await server.make('/rules', { ...valid, seo: { title: 'a', key: 'k' } })
      const { details } = errorOf(await server.post('/rules', { ...valid, seo: { title: 'b', key: 'k' } }))
      assert.deepEqual(details.errors, [
        { path: ['seo', 'key'], message: refusalOf('seo.key'), name: 'ValidationError' },
      ])
    })

    it('holds inside components of creates at the same time', async () => {
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => server.post('/rules', { ...valid, seo: { title: 'a', key: 'race' } })),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400])
      for (const reply of replies) if (reply.status === 400) assert.equal(errorOf(reply).message, refusalOf('seo.key'))
    })
  })
})

onEveryEngine('wrong values in the dialect of v4', engine => {
  const server = serve(engine, { types, config: { api: { rest: { dialect: 'strapi4' } } } })
  const cases = [
    { field: 'date', send: '2024-02-30', message: 'Invalid date' },
    { field: 'time', send: '10:00', message: 'Invalid time format, expected HH:mm:ss.SSS' },
    { field: 'datetime', send: 'garbage', message: 'Invalid format, expected a timestamp or an ISO date' },
  ]
  for (const { field, send, message } of cases)
    it(`${field} is told without its name and without details`, async () => {
      assert.deepEqual(errorOf(await server.post('/things', { [field]: send })), {
        status: 400,
        name: 'ValidationError',
        message,
        details: {},
      })
    })
  it('are told one at a time, and only when everything else is right', async () => {
    const wrong = { date: 'x', time: 'y', integer: 'z' }
    assert.match(errorOf(await server.post('/things', wrong)).message, /^integer must be a `number` type/)
    const { integer, ...dates } = wrong
    assert.equal(errorOf(await server.post('/things', dates)).message, 'Invalid format, expected yyyy-MM-dd')
  })
})

onEveryEngine('required attributes', engine => {
  const kinds = {
    string: 'string',
    richtext: 'string',
    date: 'string',
    integer: 'number',
    biginteger: 'number',
    decimal: 'number',
    boolean: 'boolean',
    json: 'mixed',
  }
  const attributes = Object.fromEntries(Object.keys(kinds).map(type => [type, { type, required: true }]))
  const types = { thing: { attributes } }
  const server = serve(engine, { types })
  const v4 = serve(engine, { types, config: { api: { rest: { dialect: 'strapi4' } } } })
  const whole = {
    ...{ string: 'a', richtext: 'b', date: '2024-02-29', integer: 1 },
    ...{ biginteger: '2', decimal: 3.5, boolean: false, json: [] },
  }

  it('are taken where they are all there', async () => {
    assert.equal((await server.post('/things', whole)).status, 200)
  })
  for (const [name, kind] of Object.entries(kinds))
    it(`are told where they are null, in the words of the dialect: ${name}`, async () => {
      const plain = errorOf(await server.post('/things', { ...whole, [name]: null }))
      assert.deepEqual([plain.status, plain.message], [400, `${name} is required and cannot be null`])
      const older = errorOf(await v4.post('/things', { ...whole, [name]: null }))
      assert.equal(older.message, `${name} must be a \`${kind}\` type, but the final value was: \`null\`.`)
    })
  it('have no other words than those of the dialect in the response', async () => {
    for (const one of [server, v4]) {
      const { body } = await one.post('/things', { ...whole, integer: 'x', boolean: 'y' })
      assert.equal(body.error.message, '2 errors occurred')
      for (const issue of body.error.details.errors) assert.deepEqual(Object.keys(issue), ['path', 'message', 'name'])
    }
  })
})

onEveryEngine('an entry of many megabytes', engine => {
  const server = serve(engine, {
    types: { thing: { attributes: { text: { type: 'text' } } } },
    config: { server: { body: { json: 80_000_000 } } },
  })
  const MiB = 1024 * 1024
  /** As the servers come: `max_allowed_packet` is 16 MiB on MariaDB, and 64 on MySQL. */
  const [kept, refused] =
    engine.name !== 'mysql' ? [17 * MiB] : mysqlKind() === 'mysql' ? [17 * MiB, 65 * MiB] : [15 * MiB, 17 * MiB]

  it('is kept', async () => {
    const text = 'x'.repeat(kept)
    const { body } = await server.post('/things', { text })
    // A difference of megabytes is no message.
    assert.ok(body.data?.attributes.text === text, shown(body))
  })

  it.skipIf(refused === undefined)('is refused where that is more than the database takes at once', async () => {
    const reply = await server.post('/things', { text: 'x'.repeat(refused as number) })
    const { status, message } = errorOf(reply)
    assert.deepEqual([status, message], [413, 'The entry is larger than what the database takes at once; send less'])
  })
})

const errorOf = ({ body }: Answer) => body?.error ?? { message: `no error: ${JSON.stringify(body).slice(0, 200)}` }

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 37)}... of ${text.length}` : text
}
