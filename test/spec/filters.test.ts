import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin, where } from '../../core/index.js'
import { type Body, contract, type ReadCase, reads } from '../support/contract.js'

/** The ids of an answer; the total must agree with them on every single page of this file. */
const ids = ({ data, meta }: Body): string => {
  assert.equal(meta.pagination.total, data.length)
  return data.map((entry: Body) => entry.id).join()
}

const encode = encodeURIComponent

contract(
  'filters on texts',
  {
    types: {
      word: {
        attributes: {
          short: { type: 'string' },
          long: { type: 'text' },
          rich: { type: 'richtext' },
        },
      },
    },
    rows: async ({ entries }) => {
      const texts = ['Alpha', 'alpha', 'Alphabet', 'Beta', null, '50% off_sale', '500 offXsale', 'ÉTÉ', 'été']
      for (const text of [...texts, 'a*b?[c]', 'back\\slash', '', 'İstanbul'])
        await entries('api::word.word').create({ short: text, long: text, rich: text })
    },
  },
  api => {
    for (const field of ['short', 'long', 'rich']) {
      const all = '1,2,3,4,6,7,8,9,10,11,12,13'
      const on = (says: string, filter: string, gives: string): ReadCase => ({
        says,
        ask: `?filters[${field}]${filter}`,
        gives,
      })
      const but = (...gone: number[]) =>
        all
          .split(',')
          .filter(id => !gone.includes(Number(id)))
          .join()

      describe(`the operators on ${field}`, () => {
        reads(api, '/words', ids, [
          on('no operator is $eq', '=Alpha', '1'),
          on('a list is $in', `[0]=Alpha&filters[${field}][1]=Beta`, '1,4'),
          on('repeated keys are $in', `=Alpha&filters[${field}]=Beta`, '1,4'),
          on('$eq respects letter case', '[$eq]=Alpha', '1'),
          on('$eqi does not', '[$eqi]=ALPHA', '1,2'),
          on('$ne leaves out what has no value', '[$ne]=Alpha', but(1)),
          on('$nei', '[$nei]=ALPHA', but(1, 2)),
          on('$in', `[$in][0]=Alpha&filters[${field}][$in][1]=Beta`, '1,4'),
          on('$in takes a single value', '[$in]=Alpha', '1'),
          on('$in does not split at commas', '[$in]=Alpha,Beta', ''),
          on('$notIn leaves out what has no value', `[$notIn][0]=Alpha&filters[${field}][$notIn][1]=Beta`, but(1, 4)),
          on('$contains', '[$contains]=lph', '1,2,3'),
          on('$contains respects letter case', '[$contains]=alph', '2'),
          on('$containsi does not', '[$containsi]=ALPH', '1,2,3'),
          on('$notContains leaves out what has no value', '[$notContains]=alph', but(2)),
          on('$notContainsi', '[$notContainsi]=ALPH', but(1, 2, 3)),
          on('$startsWith', '[$startsWith]=Alpha', '1,3'),
          on('$startsWithi', '[$startsWithi]=aLPHA', '1,2,3'),
          on('$endsWith', '[$endsWith]=bet', '3'),
          on('$endsWith respects letter case', '[$endsWith]=Bet', ''),
          on('$endsWithi', '[$endsWithi]=BET', '3'),
          on('$null', '[$null]=true', '5'),
          on('$null denied', '[$null]=false', all),
          on('$notNull', '[$notNull]=true', all),
          on('$notNull denied', '[$notNull]=0', '5'),
          on('$lt', '[$lt]=6', '6,7,12'),
          on('$gte and $lt together', `[$gte]=5&filters[${field}][$lt]=6`, '6,7'),
          on('$between includes its ends', `[$between][0]=500 offXsale&filters[${field}][$between][1]=6`, '7'),
          on('$between of reversed ends is empty', `[$between][0]=6&filters[${field}][$between][1]=5`, ''),
          on('an empty text is a value', '[$eq]=', '12'),
          on('an empty text is not nothing', '[$ne]=', but(12)),
          on('an empty text is in every text', '[$contains]=', all),
          on(
            'a list for an operator of one value means any',
            `[$startsWith][0]=Be&filters[${field}][$startsWith][1]=50`,
            '4,6,7',
          ),
          on('trailing spaces matter', '[$eq]=Alpha%20', ''),
        ])
      })

      describe(`what looks like a pattern means itself in ${field}`, () => {
        reads(api, '/words', ids, [
          on('a percent sign', `[$contains]=${encode('%')}`, '6'),
          on('an underscore', '[$contains]=f_s', '6'),
          on('a percent sign, in any case', `[$containsi]=${encode('0% OFF')}`, '6'),
          on('an underscore, in any case', '[$endsWithi]=_SALE', '6'),
          on('a percent sign at the start', `[$startsWith]=${encode('%')}`, ''),
          on('equal in any case is no pattern', `[$eqi]=${encode('%')}`, ''),
          on('equal in any case with signs', `[$eqi]=${encode('50% OFF_SALE')}`, '6'),
          on('not containing a percent sign', `[$notContains]=${encode('%')}`, but(6)),
          on('a star', '[$contains]=*', '10'),
          on('a question mark', '[$contains]=b%3F', '10'),
          on('brackets', `[$endsWith]=${encode('[c]')}`, '10'),
          on('a range in brackets', `[$contains]=${encode('[a-z]')}`, ''),
          on('a backslash', '[$contains]=%5C', '11'),
          on('a backslash, in any case', '[$containsi]=K%5CS', '11'),
          on('a backslash at the end', '[$endsWith]=%5C', ''),
          on('equal with a backslash', '[$eqi]=BACK%5CSLASH', '11'),
        ])
      })

      describe(`letters beyond ASCII in ${field}`, () => {
        reads(api, '/words', ids, [
          on('are equal only to themselves', `[$eq]=${encode('été')}`, '9'),
          on('fold', `[$eqi]=${encode('été')}`, '8,9'),
          on('fold from capitals', `[$eqi]=${encode('ÉTÉ')}`, '8,9'),
          on('fold inside', `[$containsi]=${encode('TÉ')}`, '8,9'),
          on('fold at the start', `[$startsWithi]=${encode('É')}`, '8,9'),
          on('respect letter case inside', `[$contains]=${encode('É')}`, '8'),
          on('are equal to themselves in any language', `[$eqi]=${encode('İstanbul')}`, '13'),
          on('keep their accents', '[$eq]=ete', ''),
          on('keep their accents when folded', '[$eqi]=ete', ''),
          on('keep their accents inside', '[$containsi]=ET', '3,4'),
          on('in a list', `[$in][0]=${encode('été')}&filters[${field}][$in][1]=${encode('ete')}`, '9'),
        ])
      })
    }
  },
)

contract(
  'filters on values that have an order',
  {
    types: {
      item: {
        attributes: {
          integer: { type: 'integer' },
          biginteger: { type: 'biginteger' },
          decimal: { type: 'decimal' },
          float: { type: 'float' },
          date: { type: 'date' },
          time: { type: 'time' },
          datetime: { type: 'datetime' },
          timestamp: { type: 'timestamp' },
        },
      },
    },
    rows: async ({ entries }) => {
      const rows = [
        [1, '2024-01-01', '08:00:00'],
        [20, '2024-11-30', '20:30:00'],
        [3, '2024-02-29', '09:15:00.500'],
      ] as const
      for (const [number, day, time] of rows) {
        const instant = `${day}T${time}Z`
        await entries('api::item.item').create({
          integer: number,
          biginteger: number,
          decimal: number,
          float: number,
          date: day,
          time,
          datetime: instant,
          timestamp: instant,
        })
      }
      await entries('api::item.item').create({})
      await entries('api::item.item').create({ biginteger: '9007199254740992', decimal: 1.25, float: 0.1 })
      await entries('api::item.item').create({ biginteger: '9007199254740993', decimal: 1.3, float: 0.3 })
      await entries('api::item.item').create({ biginteger: '-9223372036854775808', decimal: -5.5, float: -5.5 })
    },
  },
  api => {
    describe('names a wrong operand as it is written in the address', () => {
      const wrong: Readonly<Record<string, string>> = {
        integer: '"x" is not a number',
        biginteger: '"x" is not an integer',
        decimal: '"x" is not a number',
        float: '"x" is not a number',
        date: '"x" is not a date of the form yyyy-MM-dd',
        time: '"x" is not a time of the form HH:mm:ss.SSS',
        datetime: '"x" is not an ISO 8601 date, or milliseconds since 1970',
        timestamp: '"x" is not an ISO 8601 date, or milliseconds since 1970',
      }
      for (const [name, reason] of Object.entries(wrong))
        for (const [ask, parameter] of [
          [`filters[${name}][$gt]=x`, `filters[${name}][$gt]`],
          [`filters[${name}]=x`, `filters[${name}]`],
          [`filters[$or][0][${name}][$in][1]=x`, `filters[$or][0][${name}][$in][0]`],
        ] as const)
          it(ask, async () => {
            const { status, body } = await api.get(`/items?${ask}`)
            assert.deepEqual([status, body.error.message], [400, `${parameter}: ${reason}`])
            assert.deepEqual(body.error.details, {
              parameter,
              errors: [{ path: parameter.replaceAll(']', '').split('['), message: reason, name: 'ValidationError' }],
            })
          })
    })

    const values: Record<string, readonly [low: string, high: string, middle: string]> = {
      integer: ['1', '20', '3'],
      biginteger: ['1', '20', '3'],
      decimal: ['1', '20', '3'],
      float: ['1', '20', '3'],
      date: ['2024-01-01', '2024-11-30', '2024-02-29'],
      time: ['08:00:00', '20:30:00', '09:15:00.5'],
      datetime: ['2024-01-01T08:00:00Z', '2024-11-30T20:30:00Z', '2024-02-29T09:15:00.500Z'],
      timestamp: ['2024-01-01T08:00:00Z', '2024-11-30T20:30:00Z', '2024-02-29T09:15:00.500Z'],
    }
    for (const [field, [low, high, middle]] of Object.entries(values)) {
      // The first four entries: the low one, the high one, the one in the middle, and one without any value.
      const on = (says: string, filter: string, gives: string): ReadCase => ({
        says,
        ask: `?filters[id][$lte]=4&filters[${field}]${filter}`,
        gives,
      })
      describe(`the operators on ${field}`, () => {
        reads(api, '/items', ids, [
          on('no operator', `=${high}`, '2'),
          on('$eq', `[$eq]=${middle}`, '3'),
          on('$ne leaves out what has no value', `[$ne]=${high}`, '1,3'),
          on('$lt', `[$lt]=${middle}`, '1'),
          on('$lte', `[$lte]=${middle}`, '1,3'),
          on('$gt', `[$gt]=${middle}`, '2'),
          on('$gte', `[$gte]=${middle}`, '2,3'),
          on('$in', `[$in][0]=${low}&filters[${field}][$in][1]=${high}`, '1,2'),
          on('$notIn leaves out what has no value', `[$notIn][0]=${low}&filters[${field}][$notIn][1]=${high}`, '3'),
          on('$between includes its ends', `[$between][0]=${low}&filters[${field}][$between][1]=${middle}`, '1,3'),
          on('$between of reversed ends is empty', `[$between][0]=${high}&filters[${field}][$between][1]=${low}`, ''),
          on('$null', '[$null]=true', '4'),
          on('$notNull', '[$notNull]=t', '1,2,3'),
          on('$not leaves out what has no value', `[$not][$gt]=${middle}`, '1,3'),
          on('two operators must both hold', `[$gt]=${low}&filters[${field}][$lt]=${high}`, '3'),
          on('a list means any', `[$lt][0]=${middle}&filters[${field}][$lt][1]=${low}`, '1'),
        ])
        const wrong = (value: string, message: RegExp): ReadCase[] =>
          ['[$eq]', '[$in][0]', '[$gt]', '[$between][0]'].map(operator => ({
            says: 'a wrong value is named',
            ask: `?filters[${field}]${operator}=${value}${operator.startsWith('[$b') ? `&filters[${field}][$between][1]=${low}` : ''}`,
            fails: { status: 400, name: 'ValidationError', message },
          }))
        reads(api, '/items', ids, wrong('abc', new RegExp(`filters.*${field}.*(not a|format|expected)`, 'i')))
      })
    }

    reads(api, '/items', ids, [
      { says: 'large integers are exact', ask: '?filters[biginteger]=9007199254740993', gives: '6' },
      { says: 'their neighbour is another', ask: '?filters[biginteger]=9007199254740992', gives: '5' },
      { says: 'large integers in order', ask: '?filters[biginteger][$gt]=9007199254740992', gives: '6' },
      { says: 'the smallest integer there is', ask: '?filters[biginteger][$lt]=0', gives: '7' },
      { says: 'decimals', ask: '?filters[decimal]=1.25', gives: '5' },
      { says: 'decimals as numbers', ask: '?filters[decimal][$lte]=1.30', gives: '1,5,6,7' },
      { says: 'fractions', ask: '?filters[float]=0.1', gives: '5' },
      { says: 'negative numbers', ask: '?filters[float][$lt]=-5', gives: '7' },
      { says: 'numbers in scientific form', ask: '?filters[float]=2e1', gives: '2' },
      { says: 'a number with a zero fraction', ask: '?filters[integer]=3.0', gives: '3' },
      { says: 'a fraction that no integer is', ask: '?filters[integer]=1.5', gives: '' },
      { says: 'a fraction between integers', ask: '?filters[integer][$gt]=2.5', gives: '2,3' },
      { says: 'a number that no integer column holds', ask: '?filters[integer]=99999999999', gives: '' },
      { says: 'a bound that no integer column holds', ask: '?filters[integer][$lt]=99999999999', gives: '1,2,3' },
      { says: 'digits inside a number', ask: '?filters[integer][$contains]=2', gives: '2' },
      { says: 'the start of a date', ask: '?filters[date][$startsWith]=2024-1', gives: '2' },
      {
        says: 'an instant in another zone',
        ask: `?filters[datetime]=${encode('2024-01-01T09:00:00+01:00')}`,
        gives: '1',
      },
      { says: 'an instant as milliseconds', ask: `?filters[datetime]=${Date.UTC(2024, 0, 1, 8)}`, gives: '1' },
      { says: 'a day is its midnight', ask: '?filters[datetime][$lt]=2024-01-02', gives: '1' },
      { says: "the server's own columns", ask: '?filters[createdAt][$lt]=2000-01-01', gives: '' },
      {
        says: 'an empty number is none',
        ask: '?filters[integer]=',
        fails: { status: 400, parameter: 'filters[integer]' },
      },
      {
        says: 'a day that does not exist',
        ask: '?filters[date]=2024-02-30',
        fails: { status: 400, message: /filters.*"2024-02-30" is not a day of the calendar/ },
      },
    ])

    describe('the id', () => {
      reads(api, '/items', ids, [
        { says: 'equal', ask: '?filters[id]=2', gives: '2' },
        { says: 'another', ask: '?filters[id][$ne]=2&filters[id][$lte]=4', gives: '1,3,4' },
        { says: 'more than nothing', ask: '?filters[id][$gt]=0&pagination[limit]=9', gives: '1,2,3,4,5,6,7' },
        { says: 'more than something below', ask: '?filters[id][$gte]=-1', gives: '1,2,3,4,5,6,7' },
        { says: 'less than something far', ask: '?filters[id][$lt]=99999999999', gives: '1,2,3,4,5,6,7' },
        { says: 'between', ask: '?filters[id][$between][0]=0&filters[id][$between][1]=2', gives: '1,2' },
        { says: 'in a list', ask: '?filters[id][$in][0]=1&filters[id][$in][1]=99', gives: '1' },
        { says: 'an id beyond any', ask: '?filters[id]=99999999999999999999', gives: '' },
      ])
      const wrong = [
        { filter: 'filters[id]', value: 'abc' },
        { filter: 'filters[id]', value: '2abc' },
        { filter: 'filters[id]', value: '1.5' },
        { filter: 'filters[id]', value: '' },
        { filter: 'filters[id][$ne]', value: 'abc' },
        { filter: 'filters[id][$in][1]', value: 'x', more: '&filters[id][$in][0]=1' },
        { filter: 'filters[id][$gt]', value: 'null' },
      ]
      reads(
        api,
        '/items',
        ids,
        wrong.map(({ filter, value, more = '' }) => ({
          says: `${filter} refuses "${value}"`,
          ask: `?${filter}=${value}${more}`,
          fails: { status: 400, parameter: filter, message: /is not an id, which is an integer/ },
        })),
      )
      reads(api, '/items', ids, [
        {
          says: 'a list is not written with commas',
          ask: '?filters[id][$in]=1,2',
          fails: { status: 400, message: /"1,2" is not an id.*; write several values as filters\[id\]\[\$in\]\[0\]=/ },
        },
        {
          says: 'a list of numbers is not written with commas either',
          ask: '?filters[integer][$between]=1,2',
          fails: {
            status: 400,
            message: /is not a number; write several values as filters\[integer\]\[\$between\]\[0\]=/,
          },
        },
      ])
    })
  },
)

contract(
  'filters on booleans and documents',
  {
    types: { item: { attributes: { open: { type: 'boolean' }, extra: { type: 'json' }, list: { type: 'array' } } } },
    rows: async ({ entries }) => {
      await entries('api::item.item').create({ open: true, extra: { color: 'Red' }, list: ['one'] })
      await entries('api::item.item').create({ open: false, extra: 'blue', list: [] })
      await entries('api::item.item').create({})
    },
  },
  api => {
    reads(api, '/items', ids, [
      ...['true', 't', '1', 'TRUE'].map(yes => ({ says: 'yes', ask: `?filters[open]=${yes}`, gives: '1' })),
      ...['false', 'f', '0', 'False'].map(no => ({ says: 'no', ask: `?filters[open][$eq]=${no}`, gives: '2' })),
      { says: 'not yes is no', ask: '?filters[open][$ne]=true', gives: '2' },
      { says: 'either', ask: '?filters[open][$in][0]=true&filters[open][$in][1]=0', gives: '1,2' },
      { says: 'neither', ask: '?filters[open][$notIn][0]=true&filters[open][$notIn][1]=0', gives: '' },
      { says: 'unknown', ask: '?filters[open][$null]=true', gives: '3' },
      {
        says: 'anything else is refused',
        ask: '?filters[open]=bogus',
        fails: { status: 400, parameter: 'filters[open]', message: /is not a boolean/ },
      },
      { says: 'nothing is refused', ask: '?filters[open]=', fails: { status: 400, parameter: 'filters[open]' } },
      { says: 'a text in a document', ask: '?filters[extra][$contains]=Red', gives: '1' },
      { says: 'a text in a document, in any case', ask: '?filters[extra][$containsi]=BLU', gives: '2' },
      { says: 'a text in a list', ask: '?filters[list][$contains]=one', gives: '1' },
      { says: 'a document that is a text', ask: '?filters[extra][$eq]=blue', gives: '2' },
      { says: 'another one than a text', ask: '?filters[extra][$ne]=blue', gives: '1' },
      { says: 'one of several documents', ask: '?filters[extra][$in][0]=red&filters[extra][$in][1]=blue', gives: '2' },
      { says: 'a document that is missing', ask: '?filters[extra][$null]=true', gives: '3' },
      { says: 'a document that is there', ask: '?filters[list][$notNull]=true', gives: '1,2' },
      {
        says: 'the inside of a document has no names',
        ask: '?filters[extra][color]=Red',
        fails: { status: 400, parameter: 'filters[extra][color]', message: /is not an operator/ },
      },
    ])
  },
)

contract(
  'filters joined by logic',
  {
    types: {
      item: { attributes: { kind: { type: 'enumeration', enum: ['a', 'b', 'c'] }, size: { type: 'integer' } } },
    },
    rows: async ({ entries }) => {
      const rows = [
        { kind: 'a', size: 1 },
        { kind: 'b', size: 1 },
        { kind: 'b', size: 2 },
        { kind: 'c', size: 3 },
        { size: 4 },
        { kind: 'a' },
      ]
      for (const row of rows) await entries('api::item.item').create(row)
    },
  },
  api => {
    const f = (text: string) => `?${text.replaceAll('f[', 'filters[')}`
    reads(api, '/items', ids, [
      { says: 'several fields: all must hold', ask: f('f[kind]=b&f[size]=1'), gives: '2' },
      { says: '$and', ask: f('f[$and][0][kind]=b&f[$and][1][size]=1'), gives: '2' },
      { says: '$or', ask: f('f[$or][0][kind]=c&f[$or][1][size]=1'), gives: '1,2,4' },
      { says: '$or of one', ask: f('f[$or][0][kind]=c'), gives: '4' },
      { says: 'a group of several', ask: f('f[$or][0][kind]=b&f[$or][0][size]=1&f[$or][1][kind]=c'), gives: '2,4' },
      {
        says: 'what stands next to $or must hold too',
        ask: f('f[kind]=b&f[$or][0][size]=2&f[$or][1][size]=3'),
        gives: '3',
      },
      {
        says: '$or inside $and',
        ask: f('f[$and][0][$or][0][kind]=a&f[$and][0][$or][1][kind]=b&f[$and][1][size]=1'),
        gives: '1,2',
      },
      {
        says: '$and inside $or',
        ask: f('f[$or][0][$and][0][kind]=b&f[$or][0][$and][1][size]=2&f[$or][1][kind]=a'),
        gives: '1,3,6',
      },
      { says: '$or next to $and', ask: f('f[$or][0][kind]=a&f[$or][1][kind]=b&f[$and][0][size][$lt]=2'), gives: '1,2' },
      {
        says: '$or on one field, by operators',
        ask: f('f[size][$or][0][$lt]=2&f[size][$or][1][$gt]=3'),
        gives: '1,2,5',
      },
      { says: '$or on one field, by values', ask: f('f[kind][$or][0]=a&f[kind][$or][1]=c'), gives: '1,4,6' },
      { says: '$and on one field', ask: f('f[size][$and][0][$gt]=1&f[size][$and][1][$lt]=4'), gives: '3,4' },
      { says: '$not around a field', ask: f('f[$not][kind]=b'), gives: '1,4,6' },
      { says: '$not around a list of groups', ask: f('f[$not][0][kind]=b'), gives: '1,4,6' },
      { says: '$not on a field, by operator', ask: f('f[kind][$not][$eq]=b'), gives: '1,4,6' },
      { says: '$not on a field, by value', ask: f('f[kind][$not]=b'), gives: '1,4,6' },
      { says: '$not of a comparison', ask: f('f[size][$not][$gte]=2'), gives: '1,2' },
      { says: '$not of a list', ask: f('f[kind][$not][$in][0]=a&f[kind][$not][$in][1]=b'), gives: '4' },
      { says: '$not of $null', ask: f('f[kind][$not][$null]=true'), gives: '1,2,3,4,6' },
      { says: '$not of $notNull', ask: f('f[$not][size][$notNull]=true'), gives: '6' },
      { says: '$not of a denial', ask: f('f[kind][$not][$ne]=b'), gives: '2,3' },
      { says: '$not of $between', ask: f('f[size][$not][$between][0]=2&f[size][$not][$between][1]=3'), gives: '1,2,5' },
      { says: '$not of $contains', ask: f('f[kind][$not][$contains]=a'), gives: '2,3,4' },
      { says: '$not of $not', ask: f('f[$not][$not][kind]=b'), gives: '2,3' },
      {
        says: '$not of several: one that fails is enough',
        ask: f('f[$not][kind]=b&f[$not][size]=1'),
        gives: '1,3,4,5,6',
      },
      { says: '$not of $or: all must fail', ask: f('f[$not][$or][0][kind]=b&f[$not][$or][1][size]=1'), gives: '4' },
      { says: '$not of $and', ask: f('f[$not][$and][0][kind]=b&f[$not][$and][1][size]=1'), gives: '1,3,4,5,6' },
      { says: '$not inside $or', ask: f('f[$or][0][$not][kind]=b&f[$or][1][size]=2'), gives: '1,3,4,6' },
      { says: '$not and a list without the field', ask: f('f[size][$not][0]=1&f[size][$not][1]=2'), gives: '4,5' },
      { says: 'groups in an order of their own', ask: f('f[$or][1][kind]=c&f[$or][0][kind]=a'), gives: '1,4,6' },
      { says: 'groups without indexes', ask: f('f[$or][][kind]=c&f[$or][][kind]=a'), gives: '1,4,6' },
      { says: 'no filter in an empty one', ask: f('filters='), gives: '1,2,3,4,5,6' },
    ])

    describe('names what is wrong', () => {
      const at = (says: string, ask: string, parameter: string, message?: RegExp): ReadCase => ({
        says,
        ask: f(ask),
        fails: { status: 400, name: 'ValidationError', parameter, ...(message && { message }) },
      })
      reads(api, '/items', ids, [
        at('an unknown field', 'f[nope]=1', 'filters[nope]', /has no attribute "nope"/),
        at('an unknown field in a group', 'f[$or][0][kind]=a&f[$or][1][nope]=1', 'filters[$or][1][nope]'),
        at('an unknown operator', 'f[kind][$foo]=1', 'filters[kind][$foo]', /not an operator; there are \$eq, /),
        at('an operator without its sign', 'f[kind][eq]=a', 'filters[kind][eq]'),
        at('an operator in another letter case', 'f[kind][$EQ]=a', 'filters[kind][$EQ]'),
        at('a name that every object has', 'f[constructor]=a', 'filters[constructor]'),
        at('an operator that every object has', 'f[kind][toString]=a', 'filters[kind][toString]'),
        at('an operator where a field belongs', 'f[$eq]=1', 'filters[$eq]', /not an operator here/),
        at('no field at all', 'filters=x', 'filters', /filters\[<attribute>\]/),
        at('a list of values', 'filters[]=x', 'filters[0]'),
        at('$or of a value', 'f[$or]=x', 'filters[$or]', /needs a list/),
        at('$or without a list', 'f[$or][kind]=a', 'filters[$or]', /needs a list/),
        at('an empty $and', 'f[$and]=', 'filters[$and]', /needs a list/),
        at('$not of a value', 'f[$not]=x', 'filters[$not]'),
        at('$between of one', 'f[size][$between]=1', 'filters[size][$between]', /two values/),
        at(
          '$between of three',
          'f[size][$between][0]=1&f[size][$between][1]=2&f[size][$between][2]=3',
          'filters[size][$between]',
        ),
        at(
          '$null of something else',
          'f[size][$null]=maybe',
          'filters[size][$null]',
          /"maybe" is neither true nor false/,
        ),
        at('an object for a value', 'f[size][$eq][deep]=1', 'filters[size][$eq]'),
        at('a null byte', 'f[kind]=a%00b', 'filters[kind]', /null byte/),
        at(
          'in the list of one value',
          'f[size][$in][0]=1&f[size][$in][1]=x',
          'filters[size][$in][1]',
          /"x" is not a number/,
        ),
      ])
    })
  },
)

contract(
  'filters through relations and components',
  {
    types: {
      article: {
        attributes: {
          title: { type: 'string' },
          author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
          tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
          editor: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
          seo: { type: 'component', component: 'shared.seo' },
          slides: { type: 'component', component: 'shared.slide', repeatable: true },
          blocks: { type: 'dynamiczone', components: ['shared.seo'] },
          about: { type: 'relation', relation: 'morphToMany' },
        },
      },
      author: {
        attributes: {
          name: { type: 'string' },
          team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team' },
          articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
        },
      },
      tag: {
        attributes: {
          name: { type: 'string' },
          articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
        },
      },
      team: { attributes: { name: { type: 'string' } } },
    },
    components: {
      'shared.seo': {
        attributes: {
          metaTitle: { type: 'string' },
          about: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
          social: { type: 'component', component: 'shared.slide', repeatable: true },
        },
      },
      'shared.slide': { attributes: { text: { type: 'string' }, weight: { type: 'integer' } } },
    },
    rows: async ({ entries }) => {
      for (const name of ['red', 'blue']) await entries('api::team.team').create({ name })
      for (const name of ['a', 'm', 'z']) await entries('api::tag.tag').create({ name })
      await entries('api::author.author').create({ name: 'Zoe', team: 1 })
      await entries('api::author.author').create({ name: 'Ann', team: 2 })
      await entries('api::author.author').create({ name: 'Max' })
      const articles = [
        {
          author: 1,
          tags: [1, 3],
          seo: {
            metaTitle: 'First',
            about: 1,
            social: [
              { text: 'x', weight: 1 },
              { text: 'y', weight: 9 },
            ],
          },
          slides: [
            { text: 'p', weight: 1 },
            { text: 'q', weight: 2 },
          ],
        },
        { author: 2, tags: [2], editor: 1, seo: { about: 2 }, slides: [{ text: 'q', weight: 1 }] },
        { tags: [1, 2], seo: { metaTitle: 'Third' } },
        { author: 1 },
        { author: 3, editor: 2 },
      ]
      for (const article of articles) await entries('api::article.article').create({ title: 't', ...article })
    },
  },
  api => {
    const on = (says: string, filter: string, gives: string): ReadCase => ({
      says,
      ask: `?${filter.replaceAll('f[', 'filters[')}`,
      gives,
      statements: 2,
    })
    describe('by the id of a related entry', () => {
      reads(api, '/articles', ids, [
        on('as the value of the relation', 'f[author]=1', '1,4'),
        on('as its id', 'f[author][id]=1', '1,4'),
        on('as its id with an operator', 'f[author][id][$eq]=1', '1,4'),
        on('with an operator on the relation', 'f[author][$eq]=1', '1,4'),
        on('one of several', 'f[author][$in][0]=1&f[author][$in][1]=2', '1,2,4'),
        on('one of several ids', 'f[author][id][$in][0]=2&f[author][id][$in][1]=3', '2,5'),
        on('one of a list', 'f[author][0]=1&f[author][1]=2', '1,2,4'),
        on('another: not those without', 'f[author][$ne]=1', '2,5'),
        on('none of several', 'f[author][$notIn][0]=1&f[author][$notIn][1]=3', '2'),
        on('not this one', 'f[author][$not]=1', '2,5'),
        on('nobody has it', 'f[author]=99', ''),
        on('to-many: some related entry', 'f[tags]=1', '1,3'),
        on('to-many: some other related entry', 'f[tags][$ne]=1', '1,2,3'),
        on('two conditions in $and may be met by two entries', 'f[$and][0][tags]=1&f[$and][1][tags]=3', '1'),
        on('either in $or', 'f[tags][$or][0][id]=1&f[tags][$or][1][id]=2', '1,2,3'),
        on('either in $or, by value', 'f[tags][$or][0]=3&f[tags][$or][1]=2', '1,2,3'),
      ])
    })

    describe('by whether there is a related entry', () => {
      reads(api, '/articles', ids, [
        on('none', 'f[author][$null]=true', '3'),
        on('none, by id', 'f[author][id][$null]=true', '3'),
        on('some', 'f[author][$notNull]=true', '1,2,4,5'),
        on('some, as a denial', 'f[author][$null]=false', '1,2,4,5'),
        on('not none', 'f[author][$not][$null]=true', '1,2,4,5'),
        on('$not around none', 'f[$not][author][$null]=true', '1,2,4,5'),
        on('$not around some', 'f[$not][author][$notNull]=true', '3'),
        on('$not around $not', 'f[$not][$not][author][$null]=true', '3'),
        on('to-many: none', 'f[tags][$null]=true', '4,5'),
        on('to-many: some', 'f[tags][id][$notNull]=true', '1,2,3'),
        on('a component: none', 'f[seo][$null]=true', '4,5'),
        on('a repeated component: none', 'f[slides][$null]=true', '3,4,5'),
        on('none, or a certain one', 'f[$or][0][author][$null]=true&f[$or][1][author]=3', '3,5'),
        on('none behind one', 'f[author][team][$null]=true', '3,5'),
        on('a missing value behind a missing relation counts', 'f[author][name][$null]=true', '3'),
        on('one behind one', 'f[author][team][$notNull]=true', '1,2,4'),
      ])
    })

    describe('by fields of related entries', () => {
      reads(api, '/articles', ids, [
        on('one step', 'f[author][name]=Zoe', '1,4'),
        on('with an operator', 'f[author][name][$containsi]=AN', '2'),
        on('another value: not those without an entry', 'f[author][name][$ne]=Zoe', '2,5'),
        on('$not inside', 'f[author][$not][name]=Zoe', '2,5'),
        on('$not around', 'f[$not][author][name]=Zoe', '2,5'),
        on('two steps', 'f[author][team][name]=red', '1,4'),
        on('two steps, by id', 'f[author][team]=2', '2'),
        on('there and back', 'f[author][articles][id]=4', '1,4'),
        on('two relations', 'f[author][name]=Ann&f[editor][name]=Zoe', '2'),
        on('either of two relations', 'f[$or][0][author][name]=Zoe&f[$or][1][editor][name]=Zoe', '1,2,4'),
        on('$or inside a relation', 'f[author][$or][0][name]=Zoe&f[author][$or][1][team][name]=blue', '1,2,4'),
        on('to-many: some has it', 'f[tags][name]=a', '1,3'),
        on(
          'to-many: each entry once, whatever the number of matches',
          'f[tags][name][$in][0]=a&f[tags][name][$in][1]=z&f[tags][name][$in][2]=m',
          '1,2,3',
        ),
        on('to-many: some has another', 'f[tags][name][$ne]=a', '1,2,3'),
        on('to-many: $not means some other', 'f[$not][tags][name]=a', '1,2,3'),
        on('to-many: conditions in one place hold for one entry', 'f[tags][id]=1&f[tags][name]=z', ''),
        on('to-many: conditions in $and may be met by two', 'f[$and][0][tags][name]=a&f[$and][1][tags][name]=z', '1'),
        on('to-many through to-many', 'f[tags][articles][author][name]=Ann', '2,3'),
        on('a list of values', 'f[author][name][0]=Zoe&f[author][name][1]=Max', '1,4,5'),
      ])
    })

    describe('by components', () => {
      reads(api, '/articles', ids, [
        on('a field', 'f[seo][metaTitle]=First', '1'),
        on('a missing value, or no component', 'f[seo][metaTitle][$null]=true', '2,4,5'),
        on('a value that is there', 'f[seo][metaTitle][$notNull]=true', '1,3'),
        on('a relation of a component', 'f[seo][about][name]=a', '1'),
        on('a relation of a component, by id', 'f[seo][about]=2', '2'),
        on('a component of a component', 'f[seo][social][text]=y', '1'),
        on('a repeated component: some has it', 'f[slides][text]=q', '1,2'),
        on('a repeated component: conditions in one place hold for one', 'f[slides][text]=q&f[slides][weight]=1', '2'),
        on('a repeated component: in $and, for two', 'f[$and][0][slides][text]=q&f[$and][1][slides][weight]=1', '1,2'),
        on('the id of a component', 'f[seo]=1', '1'),
      ])
    })

    describe('from the other side', () => {
      reads(api, '/authors', ids, [
        on('each author once', 'f[articles][title]=t', '1,2,3'),
        on('by the id of an article', 'f[articles]=2', '2'),
        on('without articles', 'f[articles][$null]=true', ''),
        on('three steps', 'f[articles][tags][name][$startsWith]=z', '1'),
      ])
      reads(api, '/tags', ids, [
        on('to-many back', 'f[articles][author][name]=Zoe', '1,3'),
        on('to-many back, none', 'f[articles][author][$null]=true', '1,2'),
      ])
    })

    describe('names what is wrong', () => {
      const at = (says: string, ask: string, parameter: string, message?: RegExp): ReadCase => ({
        says,
        ask: `?${ask.replaceAll('f[', 'filters[')}`,
        fails: { status: 400, name: 'ValidationError', parameter, ...(message && { message }) },
      })
      reads(api, '/articles', ids, [
        at(
          'an unknown field of a relation',
          'f[author][nope]=1',
          'filters[author][nope]',
          /api::author.author has no attribute "nope"/,
        ),
        at('an unknown operator of a relation', 'f[author][$foo]=1', 'filters[author][$foo]'),
        at('an unknown operator of a related field', 'f[author][name][$foo]=1', 'filters[author][name][$foo]'),
        at('a dynamic zone', 'f[blocks][metaTitle]=x', 'filters[blocks]', /dynamic zone/),
        at('a dynamic zone, by id', 'f[blocks]=1', 'filters[blocks]'),
        at('whether a dynamic zone is empty', 'f[blocks][$null]=true', 'filters[blocks]'),
        at('a relation to any type', 'f[about][name]=x', 'filters[about]'),
        at('who made it, where the type does not tell', 'f[createdBy][id]=1', 'filters[createdBy]', /has no attribute/),
        at('a field through a field', 'f[title][name]=x', 'filters[title][name]'),
        at('by dots', 'f[author.name]=Zoe', 'filters[author.name]'),
        at('in one entry, where a filter has nothing to choose from', 'f[nope]=1', 'filters[nope]'),
      ])
    })

    it('a filter of one entry is checked and has no effect', async () => {
      assert.equal((await api.get('/articles/1?filters[title]=other')).status, 200)
      assert.equal((await api.get('/articles/1?filters[nope]=other')).status, 400)
    })
  },
)

contract(
  'filters with long lists',
  {
    types: { item: { attributes: { number: { type: 'integer' }, name: { type: 'string' } } } },
    rows: async ({ entries }) => {
      for (let number = 1; number <= 12; number += 1)
        await entries('api::item.item').create({ number: number * 50, name: `n${number * 50}` })
    },
  },
  api => {
    const list = (length: number, item: (n: number) => string) =>
      Array.from({ length }, (_, n) => item(n + 1)).join('&')
    const ten = '1,2,3,4,5,6,7,8,9,10'
    reads(api, '/items', ids, [
      { says: '500 numbers', ask: `?${list(500, n => `filters[number][$in][${n - 1}]=${n}`)}`, gives: ten },
      { says: '500 numbers without indexes', ask: `?${list(500, n => `filters[number][$in][]=${n}`)}`, gives: ten },
      { says: '500 texts', ask: `?${list(500, n => `filters[name][$in][${n - 1}]=n${n}`)}`, gives: ten },
      {
        says: '500 ids',
        ask: `?${list(500, n => `filters[id][$in][${n - 1}]=${n + 2}`)}`,
        gives: '3,4,5,6,7,8,9,10,11,12',
      },
      { says: 'none of 500', ask: `?${list(500, n => `filters[number][$notIn][${n - 1}]=${n}`)}`, gives: '11,12' },
      {
        says: '101 values, one more than a list of older servers holds',
        ask: `?${list(101, n => `filters[number][$in][${n - 1}]=${n}`)}`,
        gives: '1,2',
      },
      { says: '101 repeated keys', ask: `?${list(101, n => `filters[number]=${n}`)}`, gives: '1,2' },
      { says: '1000 values', ask: `?${list(1000, n => `filters[number][$in][${n - 1}]=${n}`)}`, gives: `${ten},11,12` },
      {
        says: 'more than 1000 are refused, never cut off',
        ask: `?${list(1001, n => `filters[number][$in][${n - 1}]=${n}`)}`,
        fails: { status: 400, message: /1000 parameters.*rest\.maxParameters/ },
      },
    ])
  },
)

const discretion = definePlugin({
  name: 'discretion',
  appliesTo: type => type.uid === 'api::author.author',
  hooks: { beforeFind: query => (query.use === 'root' ? query : where(query, { hidden: { $ne: true } })) },
})

contract(
  'filters through entries that a rule hides',
  {
    plugins: [discretion],
    types: {
      article: {
        attributes: { author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' } },
      },
      author: { attributes: { name: { type: 'string' }, hidden: { type: 'boolean' } } },
    },
    rows: async ({ entries }) => {
      await entries('api::author.author').create({ name: 'Ann', hidden: false })
      await entries('api::author.author').create({ name: 'Zoe', hidden: true })
      for (const author of [1, 2, null]) await entries('api::article.article').create({ author })
    },
  },
  api => {
    reads(api, '/articles', ids, [
      { says: 'a visible one is found', ask: '?filters[author][name]=Ann', gives: '1' },
      { says: 'a hidden one is not', ask: '?filters[author][name]=Zoe', gives: '' },
      { says: 'a denial does not bring it out', ask: '?filters[$not][author][name]=Ann', gives: '' },
      { says: 'nor does one inside', ask: '?filters[author][$not][name]=Nobody', gives: '1' },
      { says: 'nor another value', ask: '?filters[author][name][$ne]=Ann', gives: '' },
      { says: 'a hidden one is like none', ask: '?filters[author][$null]=true', gives: '2,3' },
      { says: 'some means a visible one', ask: '?filters[author][$notNull]=true', gives: '1' },
      { says: 'some, denied', ask: '?filters[$not][author][$notNull]=true', gives: '2,3' },
      { says: 'by id', ask: '?filters[author]=2', gives: '' },
      { says: 'by what the id is not', ask: '?filters[author][$not]=1', gives: '' },
      { says: 'a hidden one sorts like none', ask: '?sort=author.name:desc,id', gives: '1,2,3' },
    ])
  },
)

contract(
  'filters that code writes',
  {
    types: {
      article: {
        attributes: {
          title: { type: 'string' },
          tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        },
      },
      tag: {
        attributes: {
          name: { type: 'string' },
          kind: { type: 'relation', relation: 'manyToOne', target: 'api::kind.kind' },
        },
      },
      kind: { attributes: { name: { type: 'string' } } },
    },
    rows: async ({ entries }) => {
      await entries('api::kind.kind').create({ name: 'k' })
      await entries('api::tag.tag').create({ name: 'a', kind: 1 })
      await entries('api::tag.tag').create({ name: 'b' })
      for (const tags of [[1], [2], [1, 2], []]) await entries('api::article.article').create({ title: 'x', tags })
      await entries('api::article.article').create({ tags: [1] })
    },
  },
  api => {
    const cases = [
      { says: 'null for a value', filters: { title: null }, gives: '5' },
      { says: '$eq of null', filters: { title: { $eq: null } }, gives: '5' },
      { says: '$ne of null', filters: { title: { $ne: null } }, gives: '1,2,3,4' },
      { says: 'nothing asked', filters: {}, gives: '1,2,3,4,5' },
      { says: 'nothing asked, denied', filters: { $not: {} }, gives: '' },
      { says: 'no value of an empty list', filters: { title: { $in: [] } }, gives: '' },
      { says: 'any but those of an empty list', filters: { $not: { title: { $in: [] } } }, gives: '1,2,3,4,5' },
      { says: 'none of the tags', filters: { tags: { $none: { name: 'a' } } }, gives: '2,4' },
      { says: 'none, denied', filters: { $not: { tags: { $none: { name: 'a' } } } }, gives: '1,3,5' },
      { says: 'some tag with none of its own', filters: { tags: { kind: { $none: { name: 'k' } } } }, gives: '2,3,4' },
      { says: 'a list that is an object', filters: { id: { 1: 3, 0: 1 } }, gives: '1,3' },
    ]
    for (const { says, filters, gives } of cases)
      it(says, async () => {
        const found = await api.app.entries('api::article.article').find({ where: filters, sort: 'id' })
        assert.equal(found.map(({ id }) => id).join(), gives)
      })

    it('name what is wrong with a value', async () => {
      const { find } = api.app.entries('api::article.article')
      await assert.rejects(async () => find({ where: { id: { $gt: new Date() } } }), /filters/)
    })
  },
)
