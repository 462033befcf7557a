import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'

const words = definePlugin({
  name: 'words',
  routes: [
    {
      ...{ method: 'GET', path: '/words/:word', action: null },
      run: ({ ctx, params }) => {
        const { word } = params
        // A change by a handler to its own parameters must not affect other requests.
        ctx.params.word = 'changed'
        return { word }
      },
    },
    { method: 'GET', path: '/first/best', action: null, run: () => ({ is: 'best' }) },
    { method: 'GET', path: '/first/:word', action: null, run: ({ params }) => ({ is: params.word }) },
    { method: 'GET', path: '/rooted/:word', at: 'root', action: null, run: ({ params }) => ({ root: params.word }) },
    { method: 'POST', path: '/words/:word', action: null, run: ({ params }) => ({ made: params.word }) },
  ],
})

describe('a path', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ plugins: [words] })
  })
  afterAll(() => app.close())
  const ask = async (url: string, method: 'GET' | 'HEAD' | 'POST' | 'DELETE' = 'GET') => {
    const { statusCode, body } = await app.inject({ method, url })
    return [statusCode, body && JSON.parse(body)]
  }

  it('leads to the same, whatever was done with its parameters', async () => {
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await ask('/api/words/one'), [200, { word: 'one' }])
      assert.deepEqual(await ask('/api/words/One?x=1'), [200, { word: 'One' }])
      assert.deepEqual(await ask('/API/Words/one%2Ftwo'), [200, { word: 'one/two' }])
    }
  })

  it('is another one with another method', async () => {
    await ask('/api/words/three')
    assert.deepEqual(await ask('/api/words/three', 'POST'), [200, { made: 'three' }])
    assert.deepEqual(await ask('/api/words/three', 'HEAD'), [200, ''])
    assert.equal((await ask('/api/words/three', 'DELETE'))[0], 405)
    assert.deepEqual(await ask('/api/words/three'), [200, { word: 'three' }])
  })

  it('is refused where nothing is there, and where it cannot be read', async () => {
    assert.equal((await ask('/api/word/0'))[0], 404)
    assert.equal((await ask('/api/words'))[0], 404)
    assert.equal((await ask('/api/words//0'))[0], 400)
    assert.equal((await ask('/api/words/%E0%A4%A'))[0], 400)
  })

  it('of which one route is a part of another leads to the first of them', async () => {
    assert.deepEqual(await ask('/api/first/best'), [200, { is: 'best' }])
    assert.deepEqual(await ask('/api/first/other'), [200, { is: 'other' }])
    assert.deepEqual(await ask('/rooted/other/'), [200, { root: 'other' }])
    assert.equal((await ask('/api/rooted/other'))[0], 404)
  })

  it('says which methods it has, all routes taken together', async () => {
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: '/api/words/one' })
    assert.deepEqual([statusCode, headers.allow], [200, 'HEAD, GET, POST'])
  })
})
