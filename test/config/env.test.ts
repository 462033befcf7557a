import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Env, makeEnv } from '../../core/config/env.js'

const environment = {
  TEXT: 'hello',
  EMPTY: '',
  INT: '42',
  TAIL: '42px',
  FLOAT: '1.5',
  WORD: 'abc',
  YES: 'true',
  ONE: '1',
  JSON: '{"a":[1]}',
  LIST: 'a, b ,c',
  BRACKETS: '["a", "b"]',
  DATE: '2024-02-03T04:05:06.000Z',
}

describe('env', () => {
  const cases: { says: string; ask: (env: Env) => unknown; gives: unknown }[] = [
    { says: 'the text as it is', ask: env => env('TEXT'), gives: 'hello' },
    { says: 'an empty variable is set', ask: env => env('EMPTY', 'x'), gives: '' },
    { says: 'undefined when not set', ask: env => env('NOPE'), gives: undefined },
    { says: 'the default when not set', ask: env => env('NOPE', 'x'), gives: 'x' },
    { says: 'names of object members are not variables', ask: env => env('constructor'), gives: undefined },
    { says: 'int', ask: env => env.int('INT'), gives: 42 },
    { says: 'int reads the leading digits', ask: env => env.int('TAIL'), gives: 42 },
    { says: 'int of a word is no number', ask: env => env.int('WORD', 1), gives: Number.NaN },
    { says: 'int default', ask: env => env.int('NOPE', 7), gives: 7 },
    { says: 'float', ask: env => env.float('FLOAT'), gives: 1.5 },
    { says: 'bool', ask: env => env.bool('YES'), gives: true },
    { says: 'bool of anything but true is false', ask: env => env.bool('ONE', true), gives: false },
    { says: 'bool default', ask: env => env.bool('NOPE', true), gives: true },
    { says: 'json', ask: env => env.json('JSON'), gives: { a: [1] } },
    { says: 'json default', ask: env => env.json('NOPE', { b: 1 }), gives: { b: 1 } },
    { says: 'array', ask: env => env.array('LIST'), gives: ['a', 'b', 'c'] },
    { says: 'array with brackets and quotes', ask: env => env.array('BRACKETS'), gives: ['a', 'b'] },
    { says: 'array default', ask: env => env.array('NOPE', ['x']), gives: ['x'] },
    { says: 'date', ask: env => env.date('DATE'), gives: new Date('2024-02-03T04:05:06Z') },
    { says: 'oneOf', ask: env => env.oneOf('TEXT', ['hello', 'bye']), gives: 'hello' },
    { says: 'oneOf gives the default otherwise', ask: env => env.oneOf('WORD', ['a', 'b'], 'b'), gives: 'b' },
  ]
  for (const { says, ask, gives } of cases) it(says, () => assert.deepEqual(ask(makeEnv(environment)), gives))

  it('names the variable that is not JSON', () => {
    assert.throws(() => makeEnv(environment).json('TEXT'), /TEXT is not JSON/)
  })

  it('refuses a oneOf whose default is not accepted', () => {
    assert.throws(() => makeEnv(environment).oneOf('TEXT', ['a'], 'b'), /default is not one of/)
  })
})
