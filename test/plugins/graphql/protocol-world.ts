import {
  execute,
  GraphQLError,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  getOperationAST,
  parse,
  validate,
} from 'graphql'
import { createTestApp, definePlugin, ForbiddenError, type TestApp, UnauthorizedError } from '../../../core/index.js'
import { arrangePlugins } from '../../../core/plugin/arrange.js'
import { codes, refusalSaying, refusalText, refused } from '../../../plugins/graphql/errors.js'
import { UploadedFile } from '../../../plugins/graphql/http/multipart.js'
import type { OperationRequest, Outcome, Runner } from '../../../plugins/graphql/http/runner.js'
import { type GraphqlHost, startGraphql } from '../../../plugins/graphql/http/service.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { upload } from '../../../plugins/upload/index.js'

const file = new GraphQLScalarType({
  name: 'Upload',
  parseValue(value) {
    if (value instanceof UploadedFile) return value
    throw new GraphQLError('Upload value invalid.')
  },
})

const text = { type: GraphQLString }

/** A schema that shows what reaches it. */
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: { hello: { ...text, args: { to: text, times: { type: GraphQLInt } }, resolve: (_, args) => said(args) } },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      note: { ...text, resolve: () => 'noted' },
      send: {
        ...text,
        args: { file: { type: new GraphQLNonNull(file) } },
        resolve: (_, { file: { filename, mimetype, sent } }: { file: UploadedFile }) =>
          `${filename} ${mimetype} ${sent.bytes}`,
      },
    },
  }),
})

const said = ({ to, times = 1 }: { to?: string; times?: number }) => `hello ${to ?? 'you'}`.repeat(times)

/** Runs operations of this schema; the documents that reached it. */
export class SmallRunner implements Runner {
  readonly ran: string[] = []

  async run(
    { query, operationName, variables }: OperationRequest,
    _: unknown,
    { onlyQueries }: { readonly onlyQueries: boolean },
  ): Promise<Outcome> {
    this.ran.push(query)
    if (query === 'break') throw new Error('a secret of the server')
    if (query === 'forbid') throw new ForbiddenError()
    const document = parse(query)
    const errors = validate(schema, document)
    if (errors.length > 0) return { status: 400, text: refusalText(refused(errors, codes.validation)) }
    const operation = getOperationAST(document, operationName ?? undefined)
    if (!operation) return { status: 400, text: refusalSaying('There is no such operation') }
    if (onlyQueries && operation.operation !== 'query')
      return { status: 405, text: refusalSaying('A GET takes queries alone') }
    const result = await execute({ schema, document, operationName, variableValues: variables })
    const isRefused = result.data === undefined
    const { errors: failed = [] } = result
    return isRefused
      ? { status: 400, text: refusalText(refused(failed, codes.input)) }
      : { status: 200, text: JSON.stringify(result) }
  }
}

/** Knows callers by their names; `wrong` is no name. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers: { authorization } }) => {
    if (authorization === 'Bearer wrong') throw new UnauthorizedError()
    return authorization === undefined
      ? { scope: 'visitor', can: () => false }
      : { scope: 'known', id: authorization, can: () => true }
  },
})

interface World {
  readonly app: TestApp
  readonly runner: SmallRunner
  send(body: unknown, headers?: Readonly<Record<string, string>>): ReturnType<TestApp['inject']>
}

interface WorldParts {
  /** The folder of files. */
  readonly folder?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly config?: Readonly<Record<string, unknown>>
  readonly load?: () => Promise<object>
  /** The reason why nothing can be run. */
  readonly missing?: string
}

/** The settings of an app that says nothing. */
export const readDefaults = () =>
  arrangePlugins([{ plugin: graphql, config: {} }], 'spec')[0]?.config as Record<string, unknown>

/** An app whose endpoint runs the small schema. */
export async function smallWorld({
  folder,
  settings = {},
  config = {},
  load,
  missing,
}: WorldParts = {}): Promise<World> {
  const runner = new SmallRunner()
  const parts = { package: load ?? (() => import('graphql')), runner: async () => runner }
  const register = async (host: GraphqlHost) => {
    const service = await startGraphql(host, parts)
    return { ...service, runner: missing ?? service.runner }
  }
  const own = { ...graphql, register }
  const app = await createTestApp({
    types: {},
    plugins: [names, [upload, folder === undefined ? {} : { folder }], [own as unknown as typeof graphql, settings]],
    config,
  })
  return {
    app,
    runner,
    send: (body, headers = {}) =>
      app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
