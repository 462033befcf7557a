import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { contractOnce, refused } from '../support/contract.js'

contractOnce(
  'over HTTP',
  {
    types: { article: { attributes: { title: { type: 'string' } } } },
    rows: async ({ entries }) => {
      for (const title of ['A', 'B']) await entries('api::article.article').create({ title })
    },
  },
  api => {
    describe('a response that the client knows', () => {
      for (const path of [
        '/articles',
        '/articles?sort=title&filters[title][$ne]=x',
        '/articles/1',
        '/articles/1?fields=title',
      ]) {
        it(`is 304 without a body: ${path}`, async () => {
          const first = await api.get(path)
          const tag = first.headers.etag ?? ''
          assert.match(tag, /^W\/"[^"]+"$/)
          const second = await api.get(path, { 'if-none-match': tag })
          assert.equal(second.status, 304)
          assert.equal(second.text, '')
          assert.equal(second.headers.etag, tag)
        })
      }

      it('is told by one of several tags, weak or strong', async () => {
        const tag = (await api.get('/articles')).headers.etag ?? ''
        for (const sent of [`"x", ${tag}`, `${tag}, "y"`, tag.slice(2)])
          assert.equal((await api.get('/articles', { 'if-none-match': sent })).status, 304, sent)
      })

      it('is another one for another query', async () => {
        const tag = (await api.get('/articles')).headers.etag ?? ''
        assert.equal((await api.get('/articles?sort=title:desc', { 'if-none-match': tag })).status, 200)
        assert.equal((await api.get('/articles/1', { 'if-none-match': tag })).status, 200)
        assert.equal((await api.get('/articles', { 'if-none-match': '"other"' })).status, 200)
      })

      it('is another one after a write', async () => {
        for (const path of ['/articles', '/articles/1']) {
          const tag = (await api.get(path)).headers.etag ?? ''
          await api.send('PUT', '/articles/1', { data: { title: `A ${path}` } })
          const { status, headers, text } = await api.get(path, { 'if-none-match': tag })
          assert.equal(status, 200)
          assert.notEqual(headers.etag, tag)
          assert.match(text, /A \//)
        }
      })

      it('is not told where there is none', async () => {
        assert.equal((await api.get('/articles/99', { 'if-none-match': '*' })).status, 404)
        assert.equal((await api.get('/articles/99')).headers.etag, undefined)
      })
    })

    describe('HEAD', () => {
      for (const path of [
        '/articles',
        '/articles/1',
        '/articles?filters[title]=B',
        '/articles/99',
        '/articles?nope=1',
      ]) {
        it(`answers like GET, without the body: ${path}`, async () => {
          const get = await api.get(path)
          const head = await api.send('HEAD', path)
          assert.equal(head.status, get.status)
          assert.equal(head.text, '')
          for (const name of ['content-type', 'content-length', 'etag'])
            assert.equal(head.headers[name], get.headers[name], name)
        })
      }

      it('is 304 as well', async () => {
        const tag = (await api.get('/articles')).headers.etag ?? ''
        assert.equal((await api.send('HEAD', '/articles', undefined, { 'if-none-match': tag })).status, 304)
      })
    })

    describe('a method that a path does not have', () => {
      const cases = [
        ['PUT', '/articles', 'HEAD, GET, POST'],
        ['DELETE', '/articles', 'HEAD, GET, POST'],
        ['PATCH', '/articles', 'HEAD, GET, POST'],
        ['POST', '/articles/1', 'HEAD, GET, PUT, DELETE'],
        ['PATCH', '/articles/1', 'HEAD, GET, PUT, DELETE'],
      ] as const
      for (const [method, path, allow] of cases)
        it(`is 405 and says which ones there are: ${method} ${path}`, async () => {
          const answer = await api.send(method, path, { data: {} })
          refused(answer, { status: 405, name: 'MethodNotAllowedError' })
          assert.equal(answer.headers.allow, allow)
        })
      it('is 404 where the path does not exist', async () => {
        for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
          refused(await api.send(method, '/nothing', { data: {} }), { status: 404, name: 'NotFoundError' })
      })
    })

    it('OPTIONS says which methods there are', async () => {
      for (const [path, allow] of [
        ['/articles', 'HEAD, GET, POST'],
        ['/articles/1', 'HEAD, GET, PUT, DELETE'],
      ] as const) {
        const { status, headers, text } = await api.send('OPTIONS', path)
        assert.equal(status, 200)
        assert.equal(headers.allow, allow)
        assert.equal(text, '')
      }
    })

    it('a preflight of a browser is answered', async () => {
      const { status, headers } = await api.send('OPTIONS', '/articles', undefined, {
        origin: 'https://site.example',
        'access-control-request-method': 'PUT',
      })
      assert.equal(status, 204)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.match(headers['access-control-allow-methods'] ?? '', /PUT/)
    })

    it('a trailing slash and the letter case of the path do not matter', async () => {
      for (const path of ['/articles/', '/ARTICLES', '/Articles/1', '/articles/1/'])
        assert.equal((await api.get(path)).status, 200, path)
    })

    it('the letter case of the prefix does not matter', async () => {
      assert.equal((await api.app.inject('/API/Articles')).statusCode, 200)
    })

    it('a doubled slash and a path that cannot be decoded are 400', async () => {
      assert.equal((await api.app.inject('//api/articles')).statusCode, 400)
      refused(await api.get('//articles'), { status: 400, name: 'BadRequestError' })
      refused(await api.get('/articles/%E0%A4%A'), {
        status: 400,
        name: 'BadRequestError',
        message: 'failed to decode',
      })
    })

    it('what a client accepts does not change the response', async () => {
      const { status, headers } = await api.get('/articles', { accept: 'text/html' })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    })

    it('the body of a GET is ignored', async () => {
      assert.equal((await api.send('GET', '/articles', '{bad')).status, 200)
    })

    it('nothing outside the prefix is a response of the API', async () => {
      for (const path of ['/articles', '/', '/apiarticles', '/api'])
        assert.equal((await api.app.inject(path)).statusCode, 404, path)
    })
  },
)
