import assert from 'node:assert/strict'
import type { Context } from 'koa'
import { it } from 'vitest'
import type { Engine, Session } from '../../core/engines/engine.js'
import { Freshness } from '../../core/http/freshness.js'
import { actorOf, identityOf, noteKnown } from '../../core/http/gate.js'
import type { Caller } from '../../core/index.js'

const can = () => true
const requestOf = (plugin: string | undefined, headers: Record<string, string> = {}): Context => {
  const ctx = { headers, req: { headers } } as unknown as Context
  if (plugin !== undefined) noteKnown(ctx, plugin)
  return ctx
}
const token = { authorization: 'Bearer abc' }

/** Callers whom nothing but one part tells apart. */
const all: readonly (readonly [string, string | undefined, Partial<Caller>, Record<string, string>?])[] = [
  ['an account', 'accounts', { id: 1 }],
  ['an account of another plugin', 'panel', { id: 1 }],
  ['an account with a text for its id', 'accounts', { id: '1' }],
  ['a program', 'tokens', { actor: 'token 1' }, token],
  ['a program of another plugin', 'panel', { actor: 'token 1' }, token],
  ['another program', 'tokens', { actor: 'token 1' }, { authorization: 'Bearer abcd' }],
  ['a caller with a name alone', 'panel', { actor: '1' }],
  ['one of another plugin with the same name', 'certificates', { actor: '1' }],
]

it('a caller is told from all others by its plugin and by what that says of it', () => {
  const identities = all.map(([, plugin, caller, headers]) =>
    identityOf({ scope: 's', can, ...caller }, requestOf(plugin, headers)),
  )
  assert.equal(new Set(identities).size, all.length)
  assert.ok(!identities.includes(undefined))
  const again = identityOf({ scope: 'other', can, id: 1, actor: 'renamed' }, requestOf('accounts', token))
  assert.equal(again, identities[0], 'an account is one, however it comes in')
  for (const plugin of [undefined, 'accounts'])
    assert.equal(identityOf({ scope: 's', can }, requestOf(plugin)), undefined, 'visitors are not told apart')
})

it('a write is read at once by the caller that wrote it, and by no other of the same id', () => {
  const [reader, lagging] = [{}, {}] as Session[]
  const freshness = new Freshness({ reader, relaxed: () => lagging } as Pick<Engine, 'reader' | 'relaxed'>, 60_000)
  const sessionOf = ([, plugin, caller, headers]: (typeof all)[number]) =>
    freshness.session({ scope: 's', can, ...caller }, requestOf(plugin, headers))
  for (const one of all) {
    assert.equal(sessionOf(one), lagging, one[0])
    freshness.wrote({ scope: 's', can, ...one[2] }, requestOf(one[1], one[3]))
    assert.equal(sessionOf(one), reader, one[0])
  }
})

it('records tell callers of the same id apart, by the plugin where that gives them no name', () => {
  const known = (plugin: string, caller: Partial<Caller>) => {
    const whole = { scope: 's', can, ...caller }
    noteKnown({} as Context, plugin, whole)
    return actorOf(whole)
  }
  assert.equal(known('accounts', { id: 1 }), 'accounts 1')
  assert.equal(known('panel', { id: 1 }), 'panel 1')
  assert.equal(known('panel', { id: 1, actor: 'admin 1' }), 'admin 1')
  assert.equal(known('panel', {}), 's')
  assert.equal(actorOf({ scope: 's', id: 1 }), '1', 'code may write in the name of a caller that came with no request')
})
