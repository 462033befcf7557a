import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { type Body, contract, refused } from '../../support/contract.js'
import { bearer, mint, world } from './world.js'

contract('a token that cannot be made', world, api => {
  let full = ''
  beforeAll(async () => {
    full = (await mint(api.app, 'manager')).accessKey
  })
  const ask = (method: string, path: string, body?: unknown) => api.send(method, path, body, bearer(full))
  let count = 0

  describe('what is wrong is named', () => {
    const custom = (permissions: unknown) => ({ type: 'custom', permissions })
    const cases: readonly (readonly [string, object, string, RegExp])[] = [
      ['no name', { name: undefined }, 'name', /^name must be a text of 1 to 255 characters$/],
      ['an empty name', { name: '  ' }, 'name', /^name must be/],
      ['a name that is no text', { name: ['a'] }, 'name', /^name must be/],
      ['a name that is null', { name: null }, 'name', /^name must be/],
      ['a long name', { name: 'a'.repeat(256) }, 'name', /^name must be/],
      ['a name with a null byte', { name: 'a\0b' }, 'name', /^name must be/],
      ['a description that is no text', { description: 1 }, 'description', /^description must be/],
      ['a long description', { description: 'a'.repeat(256) }, 'description', /at most 255/],
      ['an unknown type', { type: 'admin' }, 'type', /^type must be one of full-access, read-only, custom$/],
      ['a type that is null', { type: null }, 'type', /^type must be one of/],
      ['a type of an object', { type: 'constructor' }, 'type', /^type must be one of/],
      ['a lifespan in other words', { lifespan: '2w' }, 'lifespan', /^lifespan must be 7d, 30d, 90d, unlimited/],
      ['a lifespan of 0', { lifespan: 0 }, 'lifespan', /^lifespan must be/],
      ['a negative lifespan', { lifespan: -1 }, 'lifespan', /^lifespan must be/],
      ['half a millisecond', { lifespan: 0.5 }, 'lifespan', /^lifespan must be/],
      ['a lifespan beyond all calendars', { lifespan: 1e15 }, 'lifespan', /100 years/],
      ['a lifespan of true', { lifespan: true }, 'lifespan', /^lifespan must be/],
      ['a custom token without actions', { type: 'custom' }, 'permissions', /^permissions must be a list of actions/],
      ['actions that are no list', custom('api::article.article.find'), 'permissions', /^permissions must be a list/],
      ['actions of an object', custom({ 0: 'api::article.article.find' }), 'permissions', /^permissions must be/],
      [
        'actions of another type',
        { type: 'read-only', permissions: ['api::article.article.find'] },
        'permissions',
        /only a custom token/,
      ],
      ['an action that is no text', custom([1]), 'permissions.0', /^permissions\.0 must be the name of an action/],
      [
        'an action that is misspelt',
        custom(['api::article.article.find', 'api::artikle.article.find']),
        'permissions.1',
        /^permissions\.1 is no action: there is no "api::artikle\.article\.find"; did you mean api::article\.article\.find\?$/,
      ],
      ['an action that is like none', custom(['everything']), 'permissions.0', /there is no "everything"$/],
      ['an unknown field', { lifspan: '7d' }, 'lifspan', /^lifspan is no field of a token; did you mean lifespan\?$/],
      ['a field like none', { zzzzzzzz: 1 }, 'zzzzzzzz', /there are name, description, type, permissions, lifespan$/],
    ]
    for (const [says, data, path, message] of cases)
      it(says, async () => {
        const answer = await ask('POST', '/api-tokens', { data: { name: `wrong ${++count}`, ...data } })
        refused(answer, { status: 400, name: 'ValidationError', message })
        assert.deepEqual(answer.body.error.details.errors[0].path, path.split('.'))
      })
    it('everything at once', async () => {
      const answer = await ask('POST', '/api-tokens', { data: { name: '', type: 'x', lifespan: 'y' } })
      refused(answer, { status: 400, message: '3 errors occurred' })
      assert.deepEqual(
        answer.body.error.details.errors.map(({ path }: Body) => path.join('.')),
        ['name', 'type', 'lifespan'],
      )
    })
    it('a name that is taken', async () => {
      const answer = await ask('POST', '/api-tokens', { data: { name: 'manager' } })
      refused(answer, { status: 400 })
      assert.deepEqual(answer.body.error.details.errors[0].path, ['name'])
    })
    for (const body of [
      '[]',
      '"x"',
      '1',
      'null',
      '{"data":[]}',
      '{"data":"x"}',
      '{"data":null}',
      '{"name":',
      undefined,
    ])
      it(`the body ${body}`, async () => {
        const answer = await ask('POST', '/api-tokens', body)
        assert.equal(answer.status, 400, answer.text)
      })
    it('much that is wrong does not take long and is not told in full', async () => {
      const permissions = Array.from({ length: 20_000 }, (_, at) => `api::article.article.finde${at}`)
      const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, 1]))
      for (const data of [
        { type: 'custom', permissions },
        { type: 'custom', permissions: ['x'.repeat(900_000)] },
        fields,
      ]) {
        const answer = await ask('POST', '/api-tokens', { data: { name: 'much', ...data } })
        assert.equal(answer.status, 400)
        assert.ok(answer.text.length < 10_000, String(answer.text.length))
      }
    })
    it('a prototype is no field', async () => {
      const answer = await ask('POST', '/api-tokens', '{"data":{"name":"p","__proto__":{"type":"full-access"}}}')
      assert.notEqual(answer.body?.data?.type, 'full-access')
      assert.ok(answer.status === 400 || answer.status === 201)
    })
  })
})
