import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'vitest'
import { errors } from '../../../../plugins/strapi-code/packages/utils/errors.js'
import type { Loose } from '../../../../plugins/strapi-code/types.js'
import { smallApp } from './support.js'

type Handler = (ctx: Loose) => Loose

/** An app with one route for each handler. */
const handlers = (all: Record<string, Handler>) =>
  smallApp({
    apis: () => ({
      pipe: {
        routes: {
          pipe: {
            routes: Object.entries(all).map(([name, handler]) => ({
              method: 'GET',
              path: `/${name}`,
              handler,
              config: { auth: false },
            })),
          },
        },
      },
    }),
  })

/** Sets members of a context, and returns something. */
const setting = (ctx: Loose, members: Loose, value?: Loose): Loose => {
  Object.assign(ctx, members)
  return value
}

const json = 'application/json; charset=utf-8'
const text = 'text/plain; charset=utf-8'
const notFound = { data: null, error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} } }

describe('what a handler returns or sets', () => {
  const cases: readonly { says: string; run: Handler; status?: number; type?: string; body: Loose }[] = [
    { says: 'an object', run: () => ({ a: 1 }), body: { a: 1 } },
    { says: 'a list', run: () => [1], body: [1] },
    { says: 'a text', run: () => 'text', type: text, body: 'text' },
    { says: 'a text that is HTML', run: () => '<b>x</b>', type: 'text/html; charset=utf-8', body: '<b>x</b>' },
    { says: 'a number', run: () => 5, body: 5 },
    { says: 'zero', run: () => 0, body: 0 },
    { says: 'false', run: () => false, body: false },
    { says: 'an empty text', run: () => '', type: text, body: '' },
    { says: 'null', run: () => null, status: 404, body: notFound },
    { says: 'nothing', run: () => undefined, status: 404, body: notFound },
    { says: 'a body of null', run: ctx => setting(ctx, { body: null }), status: 204, type: '', body: '' },
    { says: 'send of nothing', run: ctx => ctx.send(), status: 204, type: '', body: '' },
    { says: 'created of nothing', run: ctx => ctx.created(), status: 204, type: '', body: '' },
    { says: 'deleted of nothing', run: ctx => ctx.deleted(), status: 204, type: '', body: '' },
    { says: 'body before value', run: ctx => setting(ctx, { body: { b: 1 } }, { r: 1 }), body: { b: 1 } },
    { says: 'a status alone', run: ctx => setting(ctx, { status: 202 }), status: 202, type: text, body: 'Accepted' },
    { says: 'a value with 204', run: ctx => setting(ctx, { status: 204 }, { a: 1 }), status: 204, type: '', body: '' },
    { says: 'status, then body', run: ctx => setting(ctx, { status: 201, body: [] }), status: 201, body: [] },
    { says: 'body, then status', run: ctx => setting(ctx, { body: [], status: 201 }), status: 201, body: [] },
    { says: 'send', run: ctx => ctx.send({ a: 1 }), body: { a: 1 } },
    { says: 'send with a status', run: ctx => ctx.send({ a: 1 }, 201), status: 201, body: { a: 1 } },
    { says: 'created', run: ctx => ctx.created([1]), status: 201, body: [1] },
    { says: 'deleted', run: ctx => ctx.deleted({ id: 1 }), body: { id: 1 } },
    {
      says: 'a redirect',
      run: ctx => ctx.redirect('/x'),
      status: 302,
      type: 'text/html; charset=utf-8',
      body: 'Redirecting to /x.',
    },
    { says: 'a buffer', run: () => Buffer.from('abc'), type: 'application/octet-stream', body: 'abc' },
    { says: 'a stream', run: () => Readable.from(['a', 'b']), type: 'application/octet-stream', body: 'ab' },
    {
      says: 'a type of its own',
      run: ctx => setting(ctx, { type: 'text/csv' }, 'a;b'),
      type: 'text/csv; charset=utf-8',
      body: 'a;b',
    },
    {
      says: 'dates and the like',
      run: () => ({ at: new Date(0), no: undefined, n: Number.NaN }),
      body: { at: '1970-01-01T00:00:00.000Z', n: null },
    },
  ]
  for (const { says, run, status = 200, type = json, body } of cases)
    it(says, async () => {
      const { ask } = await handlers({ x: run })
      const answer = await ask('/api/x')
      assert.deepEqual([answer.status, answer.type, answer.body], [status, type, body])
    })
})

describe('functions of ctx that refuse', () => {
  const error = (status: number, name: string, message: string, details: Loose = {}) => ({
    data: null,
    error: { status, name, message, details },
  })
  const cases: readonly { run: Handler; body: Loose }[] = [
    { run: ctx => ctx.notFound('text', { d: 1 }), body: error(404, 'NotFoundError', 'text', { d: 1 }) },
    { run: ctx => ctx.notFound(), body: error(404, 'NotFoundError', 'Not Found') },
    { run: ctx => ctx.badRequest({ an: 'object' }), body: error(400, 'BadRequestError', 'Bad Request') },
    { run: ctx => ctx.tooManyRequests(), body: error(429, 'TooManyRequestsError', 'Too Many Requests') },
    { run: ctx => ctx.imATeapot(), body: error(418, 'ImATeapotError', "I'm a Teapot") },
    { run: ctx => ctx.internalServerError('mine'), body: error(500, 'InternalServerError', 'mine') },
    { run: ctx => ctx.unprocessableEntity(), body: error(422, 'UnprocessableEntityError', 'Unprocessable Entity') },
    { run: ctx => ctx.conflict('c') ?? { after: 1 }, body: error(409, 'ConflictError', 'c') },
    { run: ctx => ctx.badGateway() ?? ctx.locked(), body: error(423, 'LockedError', 'Locked') },
  ]
  for (const { run, body } of cases)
    it(`${body.error.status} ${body.error.message}`, async () => {
      const { ask } = await handlers({ x: run })
      const answer = await ask('/api/x')
      assert.deepEqual([answer.status, answer.body], [body.error.status, body])
    })

  it('are those of the protocol, and no others', async () => {
    const { ask } = await handlers({
      x: ctx =>
        ['methodNotAllowed', 'gatewayTimeout', 'payloadTooLarge', 'teapot', 'ok', 'noContent', 'internal'].map(
          name => typeof ctx[name],
        ),
    })
    const none = 'undefined'
    assert.deepEqual((await ask('/api/x')).body, ['function', 'function', 'function', none, none, none, none])
  })
})

describe('what a handler throws', () => {
  const thrown =
    (make: () => unknown): Handler =>
    () => {
      throw make()
    }
  const { ApplicationError, ForbiddenError, PolicyError, UnauthorizedError, ValidationError } = errors
  const internal = { status: 500, name: 'InternalServerError', message: 'Internal Server Error' }
  class Special extends ApplicationError {
    constructor() {
      super('special')
      this.name = 'SpecialError'
    }
  }
  const found = { name: 'ValidationError', message: 'a is needed', path: 'a.b[0]', errors: ['a is needed'], inner: [] }
  const cases: readonly { says: string; run: Handler; error: Loose }[] = [
    {
      says: 'an ApplicationError',
      run: thrown(() => new ApplicationError('m', { d: 1 })),
      error: { status: 400, name: 'ApplicationError', message: 'm', details: { d: 1 } },
    },
    {
      says: 'a bare ValidationError',
      run: thrown(() => new ValidationError()),
      error: { status: 400, name: 'ValidationError', message: 'An application error occured', details: {} },
    },
    {
      says: 'an error with another name',
      run: thrown(() => new Special()),
      error: { status: 400, name: 'SpecialError', message: 'special', details: {} },
    },
    {
      says: 'a ForbiddenError',
      run: thrown(() => new ForbiddenError('x', { d: 1 })),
      error: { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} },
    },
    {
      says: 'a PolicyError',
      run: thrown(() => new PolicyError('x')),
      error: { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} },
    },
    {
      says: 'an UnauthorizedError',
      run: thrown(() => new UnauthorizedError('x')),
      error: { status: 401, name: 'UnauthorizedError', message: 'Unauthorized', details: {} },
    },
    ...(
      ['NotFoundError', 'RateLimitError', 'PayloadTooLargeError', 'NotImplementedError', 'PaginationError'] as const
    ).map((name, at) => ({
      says: `a ${name}`,
      run: thrown(() => new errors[name]('own', { n: at })),
      error: { status: [404, 429, 413, 501, 400][at], name, message: 'own', details: { n: at } },
    })),
    {
      says: 'what a schema of yup found',
      run: thrown(() => new errors.YupValidationError(found)),
      error: {
        status: 400,
        name: 'ValidationError',
        message: 'a is needed',
        details: { errors: [{ path: ['a', 'b', '0'], message: 'a is needed', name: 'ValidationError' }] },
      },
    },
    { says: 'any other error', run: thrown(() => new TypeError('secret')), error: internal },
    { says: 'a text', run: thrown(() => 'secret'), error: internal },
    {
      says: 'an error with a status',
      run: thrown(() => Object.assign(new Error('own'), { status: 418 })),
      error: { status: 418, name: 'Error', message: 'own' },
    },
    {
      says: 'an error with a status of the server',
      run: thrown(() => Object.assign(new Error('secret'), { status: 503 })),
      error: { status: 503, name: 'ServiceUnavailableError', message: 'Service Unavailable' },
    },
    {
      says: 'ctx.throw with details',
      run: ctx => ctx.throw(404, 'thrown', { details: { d: 1 } }),
      error: { status: 404, name: 'NotFoundError', message: 'thrown', details: { d: 1 } },
    },
    {
      says: 'ctx.throw alone',
      run: ctx => ctx.throw(400),
      error: { status: 400, name: 'BadRequestError', message: 'Bad Request' },
    },
    {
      says: 'ctx.throw of the server',
      run: ctx => ctx.throw(500, 'text'),
      error: { status: 500, name: 'InternalServerError', message: 'text' },
    },
    {
      says: 'ctx.assert',
      run: ctx => ctx.assert(false, 401, 'own'),
      error: { status: 401, name: 'UnauthorizedError', message: 'own' },
    },
  ]
  for (const { says, run, error } of cases)
    it(says, async () => {
      const { ask } = await handlers({ x: run })
      const answer = await ask('/api/x')
      assert.deepEqual([answer.status, answer.body], [error.status, { data: null, error }])
    })
})
