import assert from 'node:assert/strict'
import { GraphQLError, parse, Source } from 'graphql'
import { describe, it } from 'vitest'
import { dialects } from '../../../core/dialect.js'
import { PaginationError } from '../../../core/errors.js'
import {
  ApplicationError,
  BadRequestError,
  ForbiddenError,
  InvalidParameter,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from '../../../core/index.js'
import {
  type Answering,
  answerError,
  answerErrors,
  codes,
  locationsOf,
  refused,
} from '../../../plugins/graphql/errors.js'

const logged: unknown[] = []
const log = {
  error: (fields: unknown) => logged.push(fields),
  warn: (fields: unknown) => logged.push(fields),
  debug: () => undefined,
  isLevelEnabled: () => true,
}
const answeringIn = (dialect: keyof typeof dialects, environment = 'production') =>
  ({
    host: { app: { environment }, log, outline: { dialect: dialects[dialect] } },
    ctx: { method: 'POST', path: '/graphql', state: { requestId: 'r-1' } },
  }) as unknown as Answering
const answering = answeringIn('strapi4')

describe('an error of core', () => {
  const rows: readonly [error: Error, code: string, name: string, message?: string][] = [
    [new ValidationError('name must be defined.'), 'BAD_USER_INPUT', 'ValidationError', 'name must be defined.'],
    [
      new InvalidParameter(['filters', 'secret'], 'is none'),
      'BAD_USER_INPUT',
      'ValidationError',
      'Invalid parameter secret',
    ],
    [new ForbiddenError(), 'FORBIDDEN', 'ForbiddenError', 'Forbidden access'],
    [new ForbiddenError('Not that one'), 'FORBIDDEN', 'ForbiddenError', 'Not that one'],
    [new ApplicationError('locale is missing'), 'STRAPI_APPLICATION_ERROR', 'ApplicationError', 'locale is missing'],
    [new NotFoundError('Role not found'), 'STRAPI_NOT_FOUND_ERROR', 'NotFoundError', 'Role not found'],
    [new PaginationError('both'), 'STRAPI_PAGINATION_ERROR', 'PaginationError'],
    [new RateLimitError(5), 'STRAPI_RATE_LIMIT_ERROR', 'RateLimitError'],
    [new UnauthorizedError(), 'STRAPI_UNAUTHORIZED_ERROR', 'UnauthorizedError'],
    [new UnavailableError(), 'STRAPI_SERVICE_UNAVAILABLE_ERROR', 'ServiceUnavailableError'],
    [new BadRequestError('damaged'), 'STRAPI_BAD_REQUEST_ERROR', 'BadRequestError', 'damaged'],
  ]
  for (const [error, code, name, message = error.message] of rows)
    it(`has a code: ${code}, ${message}`, () => {
      const path = ['createTag', 0]
      const locations = [{ line: 1, column: 12 }]
      const { extensions, ...answer } = answerError(error, answering, { path, locations })
      assert.deepEqual(answer, { message, locations, path })
      const { details: _, ...told } = Object(extensions?.error) as Record<string, unknown>
      assert.deepEqual([extensions?.code, told], [code, { name, message }])
    })

  it('has the details of REST', () => {
    const issues = [{ path: ['name'], message: 'name must be defined.', name: 'ValidationError' }]
    const { extensions } = answerError(ValidationError.of(issues), answering)
    assert.deepEqual(extensions?.error, {
      name: 'ValidationError',
      message: 'name must be defined.',
      details: { errors: issues },
    })
  })

  it('is told in the words of its dialect', () => {
    const error = new InvalidParameter(['filters', 'secret'], 'is none')
    assert.equal(answerError(error, answeringIn('spec')).message, 'filters[secret]: is none')
  })

  it('gives its reason while an app is developed', () => {
    const error = () => new ForbiddenError().because('the caller needs find on api::memo.memo')
    const detailsIn = (environment: string) => {
      const { extensions } = answerError(error(), answeringIn('spec', environment))
      return (extensions as { error: { details: object } }).error.details
    }
    assert.deepEqual(detailsIn('development'), { reason: 'the caller needs find on api::memo.memo' })
    assert.deepEqual(detailsIn('production'), {})
  })
})

describe('any other error', () => {
  it('is logged with the request, and not told', () => {
    logged.length = 0
    for (const thrown of [new TypeError('select secret from users'), 'select', undefined, { message: 'select' }]) {
      const answer = answerError(thrown, answering, { path: ['articles'] })
      assert.deepEqual(answer, {
        message: 'Internal Server Error',
        path: ['articles'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-1' },
      })
    }
    assert.equal(logged.length, 4)
    const [{ requestId, field }] = logged as [{ requestId: string; field: string }]
    assert.deepEqual([requestId, field], ['r-1', 'articles'])
  })
})

describe('an error of graphql-js', () => {
  const document = parse(new Source('{\n  hello }'))
  const [operation] = document.definitions
  const node = operation && 'selectionSet' in operation ? operation.selectionSet?.selections[0] : undefined
  assert.ok(node)

  it('keeps its own place, message and code', () => {
    const error = new GraphQLError('Cannot return null', { nodes: node, path: ['hello'] })
    assert.deepEqual(answerError(error, answering), {
      message: 'Cannot return null',
      locations: [{ line: 2, column: 3 }],
      path: ['hello'],
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    })
    const coded = new GraphQLError('too deep', { extensions: { code: 'X', limit: 3 } })
    assert.deepEqual(answerError(coded, answering, { path: ['a'] }), {
      message: 'too deep',
      path: ['a'],
      extensions: { code: 'X', limit: 3 },
    })
  })

  it('stands for the error that it holds', () => {
    const wrap = (originalError: Error) => new GraphQLError('wrapped', { nodes: node, path: ['hello'], originalError })
    const [forbidden, broken] = answerErrors(
      [{ error: wrap(new ForbiddenError()) }, { error: wrap(new TypeError('a secret')) }],
      answering,
    )
    assert.deepEqual([forbidden?.path, forbidden?.extensions?.code], [['hello'], 'FORBIDDEN'])
    assert.deepEqual(
      [broken?.message, broken?.locations, broken?.extensions?.code],
      ['Internal Server Error', [{ line: 2, column: 3 }], 'INTERNAL_SERVER_ERROR'],
    )
  })

  it('refuses a document, without its stack', () => {
    const errors = [new GraphQLError('unknown', { nodes: node, extensions: { exception: { stacktrace: [] } } })]
    assert.deepEqual(refused(errors, codes.validation), [
      {
        message: 'unknown',
        locations: [{ line: 2, column: 3 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ])
  })

  it('has the places of nodes', () => {
    assert.deepEqual(locationsOf(node, {}), [{ line: 2, column: 3 }])
  })
})
