import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  printType,
  validate,
  validateSchema,
} from 'graphql'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { modelOf } from '../../../plugins/graphql/model/index.js'
import { knownRules } from '../../../plugins/graphql/query/limits.js'
import { fixture } from '../../strapi4/fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder, withoutCode } from '../../strapi4/project.js'

/** Lines of the recorded schema that accounts and uploads add, and the types that only they lead to. */
const ofOthers = {
  query: ['me'],
  mutation: [
    ...['upload', 'multipleUpload', 'updateFileInfo', 'removeFile'],
    ...['createUsersPermissionsRole', 'updateUsersPermissionsRole', 'deleteUsersPermissionsRole'],
    ...['createUsersPermissionsUser', 'updateUsersPermissionsUser', 'deleteUsersPermissionsUser'],
    ...['login', 'register', 'forgotPassword', 'resetPassword', 'changePassword', 'emailConfirmation'],
  ],
  types: [
    ...['Upload', 'FileInfoInput', 'UsersPermissionsUserInput', 'UsersPermissionsRoleInput'],
    ...['UsersPermissionsMe', 'UsersPermissionsMeRole', 'UsersPermissionsRegisterInput', 'UsersPermissionsLoginInput'],
    ...['UsersPermissionsPasswordPayload', 'UsersPermissionsLoginPayload', 'UsersPermissionsCreateRolePayload'],
    ...['UsersPermissionsUpdateRolePayload', 'UsersPermissionsDeleteRolePayload'],
  ],
}

describe('the schema of a project of Strapi 4', () => {
  let folder: ProjectFolder
  let project: OpenProject
  beforeAll(async () => {
    folder = copyProject()
    project = await openProject(folder, withoutCode)
  })
  afterAll(async () => {
    await project?.close()
    folder?.remove()
  })

  const made = () =>
    modelOf({
      types: project.app.types.types.values(),
      plugins: project.app.outline.plugins,
      settings: { shadowCRUD: true },
    })

  it('is that of Strapi 4, but for what accounts and uploads add', () => {
    const schema = made()
    assert.deepEqual(validateSchema(schema), [])
    const recorded = buildSchema(readFileSync(join(fixture, 'schema.graphql'), 'utf8'))
    for (const name of ofOthers.query) delete recorded.getQueryType()?.getFields()[name]
    for (const name of ofOthers.mutation) delete recorded.getMutationType()?.getFields()[name]
    const wanted = textsOf(recorded)
    for (const name of ofOthers.types) assert.ok(wanted.delete(name), name)
    assert.deepEqual(differences(textsOf(schema), wanted), [])
  })

  it('takes and refuses the documents and variables that Strapi 4 does', () => {
    const schema = made()
    const operations = recordedOperations()
    assert.ok(operations.length > 200)
    const wrong = operations.flatMap(({ query, variables, operationName, codes }) => {
      const found = refusalOf(schema, { query, variables, operationName })
      const wanted = ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'BAD_USER_INPUT'].find(code =>
        codes.includes(code),
      )
      return found === wanted ? [] : [{ query, variables, found, wanted }]
    })
    assert.deepEqual(wrong, [])
  })
})

type Texts = ReadonlyMap<string, string>

function textsOf(schema: GraphQLSchema): Map<string, string> {
  const types = Object.values(lexicographicSortSchema(schema).getTypeMap())
  const own = types.filter(type => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
  return new Map(own.map(type => [type.name, printType(type)]))
}

const differences = (found: Texts, wanted: Texts): unknown[] =>
  [...new Set([...found.keys(), ...wanted.keys()])]
    .filter(name => found.get(name) !== wanted.get(name))
    .map(name => ({ found: found.get(name), wanted: wanted.get(name) }))

interface Recorded {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** The codes of what was refused before it ran. */
  readonly codes: readonly string[]
}

interface RecordedAnswer {
  readonly status: number
  readonly body?: { readonly errors?: readonly { readonly extensions: { readonly code: string } }[] }
}

/** The recorded operations, but for those of accounts and uploads, and for those that are about the protocol. */
function recordedOperations(): Recorded[] {
  const reads = linesOf('recorded-graphql.jsonl') as (Recorded & RecordedAnswer & { group: string })[]
  const scripts = linesOf('recorded-graphql-writes.jsonl') as {
    steps: { request?: Recorded; response: RecordedAnswer }[]
  }[]
  const writes = scripts.flatMap(({ steps }) =>
    steps.flatMap(({ request, response }) => (request ? [{ ...request, ...response, group: '' }] : [])),
  )
  const others = new RegExp(`\\b(${[...ofOthers.query, ...ofOthers.mutation].join('|')})\\b`)
  return [...reads, ...writes]
    .filter(
      ({ query, group }) =>
        typeof query === 'string' && query !== '' && !/^protocol|introspection/.test(group) && !others.test(query),
    )
    .map(({ status, body, ...one }) => ({
      ...one,
      codes: status === 400 ? (body?.errors ?? []).map(({ extensions }) => extensions.code) : [],
    }))
}

const linesOf = (file: string): unknown[] =>
  readFileSync(join(fixture, file), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** The code with which an operation is refused before it runs. */
function refusalOf(schema: GraphQLSchema, { query, variables, operationName }: Omit<Recorded, 'codes'>) {
  let document: DocumentNode
  try {
    document = parse(query)
  } catch {
    return 'GRAPHQL_PARSE_FAILED'
  }
  if (validate(schema, document, knownRules).length > 0) return 'GRAPHQL_VALIDATION_FAILED'
  const operation = getOperationAST(document, operationName)
  const { errors } = getVariableValues(schema, operation?.variableDefinitions ?? [], { ...variables })
  return errors ? 'BAD_USER_INPUT' : undefined
}
