import assert from 'node:assert/strict'
import { beforeAll, beforeEach, describe, it } from 'vitest'
import { type Answer, type Body, contract, refused } from '../../support/contract.js'
import { bearer, hashOf, mint, planted, status, until, world } from './world.js'

const day = 24 * 60 * 60 * 1000

contract('managing tokens over HTTP', world, api => {
  let full = ''
  beforeAll(async () => {
    full = (await mint(api.app, 'manager')).accessKey
  })
  const as = (key: string) => (method: string, path: string, body?: unknown) =>
    api.send(method, path, body, bearer(key))
  const ask = (method: string, path: string, body?: unknown) => as(full)(method, path, body)
  let count = 0
  const create = async (data: object): Promise<Body> => {
    const answer = await ask('POST', '/api-tokens', { data: { name: `token ${++count}`, ...data } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const stored = async (id: number): Promise<Body> =>
    (
      await api.app.entries('admin::api-token').find({
        ...{ where: { id: { $eq: id } }, fields: ['accessKey', 'name', 'type', 'lifespan', 'expiresAt'] },
      })
    )[0]

  describe('who may', () => {
    const calls = [
      ['GET', '/api-tokens'],
      ['GET', '/api-tokens/actions'],
      ['POST', '/api-tokens'],
      ['GET', '/api-tokens/1'],
      ['PUT', '/api-tokens/1'],
      ['DELETE', '/api-tokens/1'],
      ['POST', '/api-tokens/1/regenerate'],
      ['GET', '/api-tokens/999999'],
      ['GET', '/API-Tokens/'],
    ] as const
    for (const [method, path] of calls) {
      const body = method === 'POST' || method === 'PUT' ? { data: { name: 'x', type: 'full-access' } } : undefined
      it(`${method} ${path}: a client without credentials is asked for them`, async () => {
        refused(await api.send(method, path, body), { status: 401, name: 'UnauthorizedError' })
      })
      const actions = 'api::article.article.find,api::article.article.create'
      for (const type of ['read-only', 'custom'])
        it(`${method} ${path}: a token of the type ${type} is refused`, async () => {
          const { accessKey } = await mint(
            api.app,
            `other ${++count}`,
            type === 'custom' ? { type, actions } : { type },
          )
          refused(await as(accessKey)(method, path, body), {
            status: 403,
            name: 'ForbiddenError',
            message: 'Forbidden',
          })
        })
    }
    it('nothing was made or changed by those who may not', async () => {
      const { body } = await ask('GET', '/api-tokens')
      assert.ok(
        body.data.every(({ name, type }: Body) => name !== 'x' && (type !== 'full-access' || name === 'manager')),
      )
    })
    it('no custom token can be given the right', async () => {
      for (const action of ['plugin::api-tokens.create', 'plugin::api-tokens.list'])
        refused(await ask('POST', '/api-tokens', { data: { name: 'sly', type: 'custom', permissions: [action] } }), {
          status: 400,
          message: /permissions\.0/,
        })
    })
    it('an unknown address stays unknown', async () => {
      assert.equal((await ask('GET', '/api-tokens/1/keys')).status, 404)
      assert.equal((await ask('PATCH', '/api-tokens/1', {})).status, 405)
    })
  })

  describe('making one', () => {
    it('answers 201 with the token and its key, 128 random bytes, of which the hash is stored', async () => {
      const answer = await ask('POST', '/api-tokens', {
        data: { name: '  mine ', description: ' for me ', type: 'full-access', lifespan: null },
      })
      assert.equal(answer.status, 201)
      const { id, accessKey, createdAt, updatedAt, ...rest } = answer.body.data
      assert.match(accessKey, /^[0-9a-f]{256}$/)
      assert.deepEqual(rest, {
        ...{ name: 'mine', description: 'for me', type: 'full-access', permissions: [] },
        ...{ lifespan: null, expiresAt: null, lastUsedAt: null },
      })
      assert.equal(new Date(createdAt).toISOString(), createdAt)
      assert.equal(updatedAt, createdAt)
      assert.equal((await stored(id)).accessKey, hashOf(accessKey))
      assert.equal((await as(accessKey)('GET', '/api-tokens')).status, 200)
    })
    it('takes the fields directly in the body as well', async () => {
      const answer = await ask('POST', '/api-tokens', { name: 'flat', type: 'read-only' })
      assert.equal(answer.status, 201)
      assert.equal(answer.body.data.name, 'flat')
    })
    it('reads by default', async () => {
      assert.equal((await create({})).type, 'read-only')
    })
    it('lists each action of a custom one once', async () => {
      const find = 'api::article.article.find'
      const made = await create({ type: 'custom', permissions: [find, find, 'api::memo.memo.delete'] })
      assert.deepEqual(made.permissions, [find, 'api::memo.memo.delete'])
    })
    it('a custom one may list nothing', async () => {
      const made = await create({ type: 'custom', permissions: [] })
      assert.equal(await status(api, '/articles', made.accessKey)(), 403)
    })
    for (const [lifespan, wanted] of [
      ['7d', 7 * day],
      ['30d', 30 * day],
      ['90d', 90 * day],
      [90 * day, 90 * day],
      [String(7 * day), 7 * day],
      [1, 1],
      ['unlimited', null],
      [null, null],
    ] as const)
      it(`a lifespan of ${JSON.stringify(lifespan)} is ${wanted} ms`, async () => {
        const before = Date.now()
        const made = await create({ lifespan })
        assert.equal(made.lifespan, wanted)
        if (wanted === null) return assert.equal(made.expiresAt, null)
        const from = Date.parse(made.expiresAt) - wanted
        assert.ok(from >= before && from <= Date.now())
      })
    it('takes neither a key nor times from the request', async () => {
      const made = await create({
        ...{ id: 4000, accessKey: 'chosen', expiresAt: '2000-01-01', lastUsedAt: '2000-01-01T00:00:00.000Z' },
      })
      assert.notEqual(made.id, 4000)
      assert.match(made.accessKey, /^[0-9a-f]{256}$/)
      assert.equal(made.expiresAt, null)
      assert.equal(made.lastUsedAt, null)
    })
  })

  describe('looking', () => {
    it('lists all by name, without keys and hashes', async () => {
      const answer = await ask('GET', '/api-tokens')
      assert.equal(answer.status, 200)
      assert.doesNotMatch(answer.text, /accessKey|[0-9a-f]{64}/)
      const names = answer.body.data.map(({ name }: Body) => name)
      assert.deepEqual(names, [...names].sort())
      assert.ok(names.includes('manager'))
    })
    it('shows one, without its key', async () => {
      const { accessKey: _, ...made } = await create({ type: 'custom', permissions: ['api::memo.memo.find'] })
      const answer = await ask('GET', `/api-tokens/${made.id}`)
      assert.deepEqual(answer.body.data, made)
    })
    for (const id of ['999999', '0', '-1', 'x', '1x', '1.5', '99999999999999999999', '%00', "1'"])
      it(`finds none with the id ${id}`, async () => {
        refused(await ask('GET', `/api-tokens/${id}`), { status: 404, name: 'NotFoundError' })
        refused(await ask('PUT', `/api-tokens/${id}`, { data: {} }), { status: 404, name: 'NotFoundError' })
        refused(await ask('DELETE', `/api-tokens/${id}`), { status: 404, name: 'NotFoundError' })
        refused(await ask('POST', `/api-tokens/${id}/regenerate`), { status: 404, name: 'NotFoundError' })
      })
  })

  describe('changing one', () => {
    let made: Body
    const change = (data: object): Promise<Answer> => ask('PUT', `/api-tokens/${made.id}`, { data })
    const works = async (method: string, path: string) =>
      (await as(made.accessKey)(method, path, method === 'GET' ? undefined : { data: { text: 'x' } })).status === 200
    beforeEach(async () => {
      made = await create({ type: 'custom', permissions: ['api::memo.memo.find', 'api::memo.memo.create'] })
    })
    it('keeps what is left out, and the key', async () => {
      const { body } = await change({ description: 'changed' })
      const { accessKey: _, updatedAt: __, ...before } = made
      const { updatedAt: ___, ...after } = body.data
      assert.deepEqual(after, { ...before, description: 'changed' })
      assert.ok(await works('GET', '/memos'))
    })
    it('takes a response back as it is', async () => {
      const { body } = await ask('GET', `/api-tokens/${made.id}`)
      assert.equal((await change(body.data)).status, 200)
    })
    it('replaces the actions, at once', async () => {
      assert.ok(await works('POST', '/memos'))
      const { body } = await change({ permissions: ['api::memo.memo.find', 'api::article.article.find'] })
      assert.deepEqual(body.data.permissions, ['api::memo.memo.find', 'api::article.article.find'])
      assert.ok(!(await works('POST', '/memos')))
      assert.ok(await works('GET', '/articles'))
    })
    it('into another type lets go of the actions, at once', async () => {
      const { body } = await change({ type: 'read-only' })
      assert.deepEqual(body.data.permissions, [])
      assert.ok(await works('GET', '/articles'))
      assert.ok(!(await works('POST', '/memos')))
      const again = await change({ type: 'custom' })
      refused(again, { status: 400, message: /^permissions must be a list/ })
    })
    it('keeps granted actions that no route asks for any more', async () => {
      const gone = { action: 'plugin::gone.thing.find', token: made.id }
      await api.app.entries('admin::api-token-permission').create(gone)
      const permissions = ['plugin::gone.thing.find', 'api::memo.memo.find']
      const answer = await change({ permissions })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual([...answer.body.data.permissions].sort(), [...permissions].sort())
    })
    it('does not move its end', async () => {
      refused(await change({ lifespan: '7d' }), { status: 400, message: /^lifespan cannot be changed/ })
      assert.equal((await stored(made.id)).lifespan, null)
    })
    it('checks as making one does', async () => {
      refused(await change({ name: '' }), { status: 400, message: /^name must be/ })
      refused(await change({ permissions: ['api::memo.memo.fnd'] }), { status: 400, message: /did you mean api::memo/ })
      refused(await change({ name: 'manager' }), { status: 400 })
      assert.equal((await stored(made.id)).name, made.name)
    })
  })

  describe('another key', () => {
    it('is answered once, and the old one ends at once', async () => {
      const made = await create({ type: 'read-only' })
      const answer = await ask('POST', `/api-tokens/${made.id}/regenerate`)
      assert.equal(answer.status, 200)
      const { accessKey, updatedAt, ...rest } = answer.body.data
      const { accessKey: former, updatedAt: _, ...before } = made
      assert.deepEqual(rest, before)
      assert.match(accessKey, /^[0-9a-f]{256}$/)
      assert.notEqual(accessKey, former)
      assert.equal(await status(api, '/articles', former)(), 401)
      assert.equal(await status(api, '/articles', accessKey)(), 200)
    })
    it('begins the lifespan anew', async () => {
      const old = 'f'.repeat(256)
      const id = await planted(api.app, old, {
        ...{ name: 'ended', lifespan: 7 * day, expiresAt: '2023-01-01T00:00:00.000Z' },
      })
      await until(status(api, '/articles', old), code => code === 401)
      const { body } = await ask('POST', `/api-tokens/${id}/regenerate`)
      assert.ok(Date.parse(body.data.expiresAt) > Date.now() + 6 * day)
      assert.equal(await status(api, '/articles', body.data.accessKey)(), 200)
      assert.equal(await status(api, '/articles', old)(), 401)
    })
  })

  describe('revoking', () => {
    it('answers what is gone, ends the key at once, and leaves no action behind', async () => {
      const made = await create({ type: 'custom', permissions: ['api::memo.memo.find'] })
      assert.equal(await status(api, '/memos', made.accessKey)(), 200)
      const answer = await ask('DELETE', `/api-tokens/${made.id}`)
      assert.equal(answer.body.data.name, made.name)
      assert.equal(answer.body.data.accessKey, undefined)
      assert.equal(await status(api, '/memos', made.accessKey)(), 401)
      assert.equal((await ask('GET', `/api-tokens/${made.id}`)).status, 404)
      const left = await api.app.entries('admin::api-token-permission').find({ populate: 'token' })
      assert.ok(left.every(({ token }) => token !== null))
    })
    it('a token can end itself', async () => {
      const { id, accessKey } = await create({ type: 'full-access' })
      assert.equal((await as(accessKey)('DELETE', `/api-tokens/${id}`)).status, 200)
      assert.equal((await as(accessKey)('GET', '/api-tokens')).status, 401)
    })
  })
})

contract('where visitors may do everything', { ...world, rest: { public: true } }, api => {
  it('they still may not manage tokens', async () => {
    assert.equal((await api.get('/memos')).status, 200)
    refused(await api.get('/api-tokens'), { status: 401, name: 'UnauthorizedError' })
    refused(await api.send('POST', '/api-tokens', { data: { name: 'x', type: 'full-access' } }), { status: 401 })
  })
  it('a token of fewer rights may do no more than it says', async () => {
    const { accessKey } = await mint(api.app, 'reader', { type: 'read-only' })
    const answer = await api.send('POST', '/memos', { data: { text: 'x' } }, bearer(accessKey))
    refused(answer, { status: 403 })
  })
})
