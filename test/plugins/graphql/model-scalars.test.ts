import assert from 'node:assert/strict'
import { type GraphQLScalarType, Kind, parseValue } from 'graphql'
import { describe, it } from 'vitest'
import { UploadedFile } from '../../../plugins/graphql/http/multipart.js'
import { date, dateTime, json, localeCode, long, time, upload } from '../../../plugins/graphql/model/scalars.js'

type Rows = readonly (readonly [given: unknown, expected: unknown])[]

/** The same values are taken as literals and from variables. */
function takes(scalar: GraphQLScalarType, rows: Rows): void {
  for (const [given, expected] of rows) {
    assert.deepEqual(scalar.parseValue(given), expected)
    assert.deepEqual(scalar.parseLiteral(parseValue(JSON.stringify(given))), expected)
  }
}

function refuses(scalar: GraphQLScalarType, given: readonly unknown[], message: RegExp): void {
  for (const one of given) {
    assert.throws(() => scalar.parseValue(one), message, `variable ${one}`)
    assert.throws(() => scalar.parseLiteral(parseValue(JSON.stringify(one))), message, `literal ${one}`)
  }
}

describe('DateTime', () => {
  it('takes a time with its zone', () =>
    takes(dateTime, [
      ['2024-02-03T10:00:00Z', '2024-02-03T10:00:00.000Z'],
      ['2024-02-03T10:00:00+02:00', '2024-02-03T08:00:00.000Z'],
      ['2024-02-29T23:59:59.5Z', '2024-02-29T23:59:59.500Z'],
    ]))
  it('takes nothing else', () =>
    refuses(
      dateTime,
      [
        '2024-02-03',
        '2024-02-03T10:00:00',
        '2024-02-30T10:00:00Z',
        '2024-02-03T24:00:00Z',
        1683000000000,
        true,
        {},
        [],
      ],
      /^DateTime cannot be .*; expected a date and a time with its zone, such as/,
    ))
  it('answers ISO texts, of timestamps too', () =>
    assert.deepEqual(
      ['2024-02-03T10:00:00.000Z', '1698280381000', 1698280381000].map(value => dateTime.serialize(value)),
      ['2024-02-03T10:00:00.000Z', '2023-10-26T00:33:01.000Z', '2023-10-26T00:33:01.000Z'],
    ))
})

describe('Date', () => {
  it('takes days that exist', () => takes(date, [['2024-02-29', '2024-02-29']]))
  it('takes nothing else', () =>
    refuses(date, ['2024-02-30', '2023-05', '2024-02-03T10:00:00Z', 5, true], /expected a day that exists/))
})

describe('Time', () => {
  it('takes times with or without a fraction', () =>
    takes(time, [
      ['10:15:30', '10:15:30.000'],
      ['10:15:30.2', '10:15:30.200'],
      ['23:59:59.999', '23:59:59.999'],
    ]))
  it('takes nothing else', () => refuses(time, ['10:11', '24:00:00', '10:00:60', 10, true], /expected a time such as/))
  it('answers milliseconds', () => assert.equal(time.serialize('10:15:30'), '10:15:30.000'))
})

describe('Long', () => {
  it('takes integers and their digits, exactly', () =>
    takes(long, [
      [5, 5],
      ['-12', -12],
      ['9007199254740993', '9007199254740993'],
    ]))
  it('takes long literals exactly', () =>
    assert.equal(long.parseLiteral({ kind: Kind.INT, value: '9223372036854775807' }), '9223372036854775807'))
  it('takes nothing else', () =>
    refuses(long, ['x', 1.5, '1.5', '', true], /expected an integer, or a text of its digits/))
  it('answers a number as long as it is exact', () =>
    assert.deepEqual(
      ['9007199254740991', '9007199254740992', 7, '-9223372036854775808'].map(value => long.serialize(value)),
      [9007199254740991, '9007199254740992', 7, '-9223372036854775808'],
    ))
})

it('JSON takes anything, and variables inside of it', () => {
  const value = { a: [1, 'x', null, true] }
  assert.deepEqual(json.parseValue(value), value)
  const literal = (text: string, variables?: Record<string, unknown>) =>
    JSON.stringify(json.parseLiteral(parseValue(text), variables))
  assert.equal(literal('{ a: [1, "x", null, true, 1.5, WORD] }'), '{"a":[1,"x",null,true,1.5,"WORD"]}')
  assert.equal(literal('{ a: $v }', { v: [1] }), '{"a":[1]}')
})

describe('I18NLocaleCode', () => {
  const code = localeCode({ has: one => one === 'x-app' })
  it('takes literals that name a language, a locale of the app, or all', () => {
    for (const text of ['en', 'pt-BR', 'zh-Hans', 'all', 'x-app'])
      assert.equal(code.parseLiteral({ kind: Kind.STRING, value: text }), text)
  })
  it('takes no other literal', () => {
    for (const text of ['xx', 'EN', 'e', ''])
      assert.throws(() => code.parseLiteral({ kind: Kind.STRING, value: text }), /Unknown locale supplied/)
    assert.throws(() => code.parseLiteral({ kind: Kind.ENUM, value: 'en' }), /Unknown locale supplied/)
  })
  it('takes any text from a variable', () => {
    assert.equal(code.parseValue('xx'), 'xx')
    assert.throws(() => code.parseValue(5), /expected a text/)
  })
})

it('Upload takes a file that the endpoint has read, and nothing else', () => {
  const file = Object.create(UploadedFile.prototype)
  assert.equal(upload.parseValue(file), file)
  for (const value of ['x', {}, 5]) assert.throws(() => upload.parseValue(value), /file of a multipart request/)
  assert.throws(() => upload.parseLiteral({ kind: Kind.STRING, value: 'x' }), /no literals/)
})
