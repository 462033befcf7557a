import type { Route } from '../../../core/index.js'
import { idOf, managing } from '../accounts/managed.js'
import { nothing, objectShape, text } from '../sessions/shapes.js'
import { readNewRole, readRoleChange, readTrial } from './input.js'
import type { RoleManagement } from './roles.js'

/** The part of the plugin's service that the routes use. */
interface RolesService {
  readonly roleManagement: RoleManagement
}

const managed = managing<RolesService>('admin::roles')
const all = '/console/roles'
const one = '/console/roles/:id'

const [truth, integer] = [{ type: 'boolean' }, { type: 'integer' }] as const
const textOrNull = { type: ['string', 'null'] } as const
const texts = { type: 'array', items: text } as const
const textsOrNull = { type: ['array', 'null'], items: text } as const
const list = (items: ReturnType<typeof objectShape>) => ({ type: 'array', items }) as const

const role = {
  ...{ id: integer, code: text, name: text, description: textOrNull },
  ...{ accounts: integer, isSuper: truth, isDeclared: truth },
}
const about = { action: text, subject: textOrNull }
const limits = { fields: textsOrNull, locales: textsOrNull, where: textsOrNull }
const whole = objectShape({
  ...role,
  stamp: text,
  permissions: list(
    objectShape({
      ...{ ...about, ...limits, otherFields: texts, parts: texts },
      ...{ otherConditions: texts, mayGive: truth },
    }),
  ),
  /** Rows that have no meaning here; they stay as they are. */
  kept: list(objectShape({ ...about, isPlain: truth })),
  types: list(
    objectShape({
      ...{ uid: text, name: text, key: text, localized: truth, drafts: truth },
      ...{ fields: texts, required: texts, rights: texts },
    }),
  ),
  parts: list(objectShape({ name: text, actions: list(objectShape({ action: text, isLimited: truth })) })),
  gives: list(objectShape({ ...about, ...limits })),
})
const grant = { type: ['object', 'null'], properties: { fields: texts, locales: textsOrNull, where: texts } } as const
const permissions = { type: 'array', items: objectShape({ ...about, grant }, ['action', 'grant']) } as const
const wish = { name: text, description: textOrNull }

/** Roles of editors, for those who may manage them as in Strapi's panel: `admin::roles.read` and so on. */
export const roleRoutes: readonly Route<RolesService>[] = [
  {
    ...managed('GET', all, 'read', async ({ service }) => ({ roles: await service.roleManagement.all() })),
    describe: 'list the roles of editors',
    answers: objectShape({ roles: list(objectShape(role)) }),
  },
  {
    ...managed('POST', all, 'create', ({ ctx, service, body }, editor) => {
      ctx.status = 201
      return service.roleManagement.create(editor, readNewRole(body))
    }),
    describe: 'make a role of editors, which may nothing yet',
    body: 'json',
    accepts: objectShape(wish, ['name']),
    answers: { 201: whole },
  },
  {
    ...managed('GET', one, 'read', (call, editor) => call.service.roleManagement.one(editor, idOf(call))),
    describe: 'one of the roles of editors, with its permissions and those that the editor may give',
    answers: whole,
  },
  {
    ...managed('PUT', one, 'update', (call, editor) => {
      const { roleManagement } = call.service
      return roleManagement.change(editor, idOf(call), readRoleChange(call.body, roleManagement.catalogue))
    }),
    describe: 'change a role of editors: the permissions that are named, and no others',
    body: 'json',
    accepts: objectShape({ ...wish, permissions, stamp: text }, ['stamp']),
    answers: whole,
  },
  {
    ...managed('DELETE', one, 'delete', async (call, editor) => {
      await call.service.roleManagement.delete(editor, idOf(call))
    }),
    describe: 'delete a role that no account has',
    answers: nothing,
  },
  {
    ...managed('POST', `${one}/try`, 'update', (call, editor) => {
      const { roleManagement } = call.service
      return roleManagement.try(editor, idOf(call), readTrial(call.body, roleManagement.catalogue))
    }),
    describe:
      'count the entries of a type that the editor would see with a role alone, with changes that are not stored',
    body: 'json',
    accepts: objectShape({ type: text, permissions }, ['type']),
    answers: objectShape({
      ...{ seen: integer, of: integer, fields: integer, ofFields: integer, names: texts },
      entries: { type: 'array', items: { type: 'object' } },
    }),
  },
]
