import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLSchema,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printType,
  validateSchema,
} from 'graphql'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { modelOf } from '../../../plugins/graphql/model/index.js'
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
