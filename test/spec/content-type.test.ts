import assert from 'node:assert/strict'
import { it } from 'vitest'
import { upload } from '../../plugins/upload/index.js'
import { type Api, contractOnce, refused } from '../support/contract.js'

const types = { book: { attributes: { title: { type: 'string' } } } } as const
const json = '{"data":{"title":"x"}}'
const form = 'application/x-www-form-urlencoded'

/** A body as a client sends it that sets the header itself, or forgets it. */
async function send(api: Api, type: string | undefined, payload: string, method: 'POST' | 'PUT' = 'POST') {
  const { id } = await api.app.entries('api::book.book').create({ title: 'former' })
  const url = method === 'POST' ? '/api/books' : `/api/books/${id}`
  const headers = type === undefined ? {} : { 'content-type': type }
  const { statusCode, body } = await api.app.inject({ method, url, payload, headers })
  return { status: statusCode, headers: {}, text: body, body: JSON.parse(body), statements: [] }
}

/** Bodies that cannot be read, as they are refused in plain words and in those of Strapi 4. */
const broken: readonly { sent: string; status: number; says: string; older: RegExp; name?: string }[] = [
  ...(
    [
      ['{"data":{"title":x}}', 18, /^(Unexpected token|Expected)/],
      ['{"data":{"title":tru}}', 18, /^(Unexpected token|Expected)/],
      ['{a:1}', 2, /^Expected/],
      [`{"data":{"title":"${'x'.repeat(80)}"}x}`, 101, /^Expected/],
      ['{"data":{}}}', 12, /^Unexpected non-whitespace/],
      [`{"data":{"title":"${'x'.repeat(5000)}"}x}`, 5021, /^Expected/],
      [`{"data":{"title":"${'x'.repeat(5000)}","b":x}}`, 5025, /^(Unexpected token|Expected)/],
    ] as const
  ).map(([sent, at, older]) => ({
    ...{ sent, status: 400, older, name: 'SyntaxError' },
    says: `The body is not valid JSON: what stands at character ${at} is wrong`,
  })),
  ...(
    [
      ['{"data":', /^Unexpected end/],
      ['{"data":{"title":"x', /^Unterminated string/],
      [`{"data":{"title":"${'x'.repeat(5000)}`, /^Unterminated string/],
    ] as const
  ).map(([sent, older]) => ({
    ...{ sent, status: 400, older, name: 'SyntaxError' },
    says: 'The body is not valid JSON: it ends too early',
  })),
  {
    sent: '{"data":{"__proto__":{}}}',
    status: 400,
    says: 'The body has the name "__proto__", which no attribute can have',
    older: /^Object contains forbidden prototype property$/,
    name: 'SyntaxError',
  },
  ...['"x"', 'null', 'x'].map(sent => ({
    ...{ sent, status: 400, name: 'Error' },
    says: 'The body must be a JSON object or list',
    older: /^invalid JSON, only supports object and array$/,
  })),
  {
    sent: `{"data":{"title":"${'x'.repeat(2 ** 20)}"}}`,
    status: 413,
    says: 'The body is larger than bodies of its kind may be; send less, or raise "body" in config/server',
    older: /^request entity too large$/,
  },
]

const named = (sent: string): string =>
  sent.length > 60 ? `${sent.length} characters, up to ${sent.slice(-10)}` : sent

const unread = [
  'text/plain',
  'text/html',
  'application/xml',
  'application/problem+json',
  'application/jsonx',
  'json',
  '*/*',
]

contractOnce('a body in a type that is not read', { types }, api => {
  const accepted = `send application/json or ${form}`
  for (const method of ['POST', 'PUT'] as const) {
    it(`is a 415 that names the header and what is accepted: none, ${method}`, async () => {
      const message = `The body has no Content-Type; ${accepted}`
      refused(await send(api, undefined, json, method), { status: 415, name: 'UnsupportedMediaTypeError', message })
    })
    for (const type of unread)
      it(`is a 415 that names the header and what is accepted: ${type}, ${method}`, async () => {
        const message = `The Content-Type of the body is not one that is read here; ${accepted}`
        refused(await send(api, type, json, method), { status: 415, name: 'UnsupportedMediaTypeError', message })
      })
  }
  for (const { sent, status, says } of broken)
    it(`is told in plain words where it is no JSON: ${named(sent)}`, async () => {
      const { body, ...rest } = await send(api, 'application/json', sent)
      assert.deepEqual([rest.status, body.error.message], [status, says])
      assert.equal(body.error.name, status === 413 ? 'PayloadTooLargeError' : 'BadRequestError')
      assert.deepEqual([Object.keys(body.error).join(), body.error.details], ['status,name,message,details', {}])
    })
  it('is a 415 where JSON was sent as a form', async () => {
    const message = `The body looks like JSON and was sent as ${form}; send it with Content-Type: application/json`
    refused(await send(api, form, json), { status: 415, name: 'UnsupportedMediaTypeError', message })
  })
  it('is not a 415 where there is no body, or nothing reads one', async () => {
    refused(await send(api, undefined, ''), { status: 400, message: /^Missing "data" payload/ })
    const headers = { 'content-type': 'text/plain' }
    const { statusCode } = await api.app.inject({ method: 'DELETE', url: '/api/books/1', payload: 'x', headers })
    assert.equal(statusCode, 200)
  })
  for (const [type, body] of [
    ['application/json', json],
    ['APPLICATION/JSON; charset=utf-8', json],
    ['application/vnd.api+json', json],
    [form, 'data[title]=x'],
  ] as const)
    it(`is none of ${type}`, async () => assert.equal((await send(api, type, body)).status, 200))
})

contractOnce('a body in a type that a plugin could read', { types, plugins: [upload] }, api => {
  it('is named among those that are accepted', async () => {
    const message = `The body has no Content-Type; send application/json, ${form} or multipart/form-data`
    refused(await send(api, undefined, json), { status: 415, message })
  })
})

contractOnce(
  'a body in a type that is not read, as Strapi 4 takes it',
  { types, rest: { dialect: 'strapi4' } },
  api => {
    for (const { sent, status, older, name = 'PayloadTooLargeError' } of broken)
      it(`is told in the words of Strapi 4 where it is no JSON: ${named(sent)}`, async () => {
        const { body, ...rest } = await send(api, 'application/json', sent)
        assert.deepEqual([rest.status, body.error.name, body.error.details], [status, name, undefined])
        assert.match(body.error.message, older)
      })
    for (const type of [undefined, ...unread, 'multipart/form-data; boundary=x'])
      it(`is a missing one: ${type}`, async () => {
        refused(await send(api, type, json), { status: 400, message: /^Missing "data" payload/ })
      })
  },
)
