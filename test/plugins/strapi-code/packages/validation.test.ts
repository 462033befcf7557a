import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { validationsOfPlugins } from '../../../../plugins/strapi-code/not-carried.js'
import { validations } from '../../../../plugins/strapi-code/plugins/ours/index.js'
import { start } from '../support/written.js'

const files = {
  'package.json': JSON.stringify({
    name: 'written',
    dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2' },
  }),
  'src/api/see/routes/see.js':
    "module.exports = { routes: [{ method: 'POST', path: '/see/:name', handler: 'see.one', config: { auth: false } }] }",
  'src/api/see/controllers/see.js': `
    const auth = require('@strapi/plugin-users-permissions/server/controllers/validation/auth')
    const { validateCreateUserBody, validateUpdateUserBody, validateDeleteRoleBody } =
      require('@strapi/plugin-users-permissions/server/controllers/validation/user.js')
    const { ValidationError, YupValidationError } = require('@strapi/utils').errors
    const all = { ...auth, validateCreateUserBody, validateUpdateUserBody, validateDeleteRoleBody }
    module.exports = {
      async one(ctx) {
        try {
          const { body } = ctx.request
          return { isSame: (await all['validate' + ctx.params.name](body, ctx.query.message)) === body }
        } catch (error) {
          if (!(error instanceof ValidationError && error instanceof YupValidationError)) return 'another error'
          throw error
        }
      },
    }`,
}

const email = 'ann@example.org'
const required = (...names: readonly string[]) => names.map(name => `${name} is a required field`)
const passwords = { password: 'b', passwordConfirmation: 'b' }
const ann = { email, username: 'ann', password: 'secret' }
const noText = (name: string, value: unknown) =>
  `${name} must be a \`string\` type, but the final value was: \`${value}\`.`

const cases: readonly {
  name: string
  good: readonly object[]
  bad: readonly (readonly [object, readonly string[]])[]
}[] = [
  {
    name: 'CallbackBody',
    good: [{ identifier: 'ann', password: 'secret', more: 1 }],
    bad: [
      [{}, required('identifier', 'password')],
      [{ identifier: 5, password: 'x' }, [noText('identifier', 5)]],
    ],
  },
  {
    name: 'RegisterBody',
    good: [{ ...ann, more: 1 }],
    bad: [
      [{ ...ann, email: 'ann' }, ['email must be a valid email']],
      [{ email }, required('username', 'password')],
    ],
  },
  { name: 'SendEmailConfirmationBody', good: [{ email }], bad: [[{ email: '' }, required('email')]] },
  { name: 'EmailConfirmationBody', good: [{ confirmation: 'x' }], bad: [[{}, required('confirmation')]] },
  {
    name: 'ForgotPasswordBody',
    good: [{ email }],
    bad: [
      [{ email: 'x' }, ['email must be a valid email']],
      [{ email, a: 1, b: 2 }, ['this field has unspecified keys: a, b']],
    ],
  },
  {
    name: 'ResetPasswordBody',
    good: [{ ...passwords, code: 'x' }],
    bad: [
      [passwords, required('code')],
      [{ ...passwords, code: 'x', a: 1 }, ['this field has unspecified keys: a']],
    ],
  },
  {
    name: 'ChangePasswordBody',
    good: [{ ...passwords, currentPassword: 'a' }],
    bad: [
      [passwords, required('currentPassword')],
      [{ ...passwords, passwordConfirmation: 'c', currentPassword: 'a' }, ['Passwords do not match']],
      [{ ...passwords, currentPassword: 'a', code: 'x' }, ['this field has unspecified keys: code']],
    ],
  },
  {
    name: 'CreateUserBody',
    good: [
      { ...ann, role: 1 },
      { ...ann, role: '1' },
      { ...ann, role: { connect: [{ id: 1 }] } },
    ],
    bad: [
      [{}, required('email', 'username', 'password', 'role')],
      [{ ...ann, role: -1 }, ['role must be an ID']],
      [{ ...ann, role: {} }, required('role.connect')],
      [{ ...ann, role: { connect: [] } }, ['Users must have a role']],
      [{ ...ann, role: { connect: [{ id: 1 }, {}] } }, ['role.connect[1].id must be an ID']],
    ],
  },
  {
    name: 'UpdateUserBody',
    good: [
      {},
      { username: 'ann', more: 1 },
      { ...ann, role: 2 },
      { role: { connect: [{ id: 1 }], disconnect: [{ id: 2 }] } },
    ],
    bad: [
      [{ email: 'x', username: '' }, ['email must be a valid email', 'username must be at least 1 characters']],
      [{ password: null }, [noText('password', null)]],
      [{ role: { connect: [] } }, required('role.disconnect')],
      [{ role: { connect: [], disconnect: [{ id: 1 }] } }, ['Cannot remove role']],
      [{ role: true }, ['role must be an ID']],
      [[], ['this must be an object']],
    ],
  },
  {
    name: 'DeleteRoleBody',
    good: [{ role: 3 }],
    bad: [
      [{}, required('role')],
      [{ role: {} }, ['role must be an ID']],
    ],
  },
]

interface Refusal {
  readonly error: {
    readonly name: string
    readonly message: string
    readonly details: { readonly errors: readonly { path: string[]; message: string }[] }
  }
}

describe('@strapi/plugin-users-permissions/server/controllers/validation', () => {
  it('checks bodies without a package of schemas, and gives them back', async () => {
    const project = await start(files)
    const send = async (path: string, body: unknown) => {
      const { status, text } = await project.send({ auth: 'none', method: 'POST', path: `/api/see/${path}`, body })
      return { status, body: JSON.parse(text) }
    }
    for (const { name, good, bad } of cases) {
      for (const body of good) assert.deepEqual(await send(name, body), { status: 200, body: { isSame: true } }, name)
      for (const [body, says] of bad) {
        const refused = await send(name, body)
        const { error } = refused.body as Refusal
        assert.equal(refused.status, 400, name)
        assert.equal(error.name, 'ValidationError')
        assert.deepEqual(
          error.details.errors.map(({ message }) => message),
          says,
          name,
        )
        assert.equal(error.message, says.length === 1 ? says[0] : `${says.length} errors occurred`)
      }
    }
    const { error } = (await send('CreateUserBody?message=Own', { ...ann, role: { connect: [{}] } })).body as Refusal
    assert.equal(error.message, 'Own')
    assert.deepEqual(error.details.errors[0]?.path, ['role', 'connect', '0', 'id'])
  })

  it('has the files that are listed', () => {
    const names = Object.entries(validations).map(([plugin, files]) => [plugin, Object.keys(files)])
    assert.deepEqual(Object.fromEntries(names), validationsOfPlugins)
  })
})
