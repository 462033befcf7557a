import type { JsonSchemaObject, Route, RouteCall } from '../../../core/index.js'
import { bodies } from '../../users-permissions/index.js'
import type { FirstAccount } from './first-account.js'

/** The part of the plugin's service that the routes use. */
export interface AccountService {
  readonly firstAccount: FirstAccount
}

const { readBody, checkBody, rules } = bodies
const text = { type: 'string' } as const

const wanted: JsonSchemaObject = {
  type: 'object',
  properties: { code: text, email: text, password: text, firstname: text, lastname: text },
  required: ['code', 'email', 'password'],
}
const made: JsonSchemaObject = {
  type: 'object',
  properties: { account: { type: 'object', properties: { id: { type: 'integer' }, email: text } } },
}

export const accountRoutes: readonly Route<AccountService>[] = [
  {
    method: 'POST',
    path: '/console/first-account',
    at: 'root',
    action: null,
    credentials: 'ignored',
    body: 'json',
    describe: 'make the first Super Admin, with the code that the terminal shows',
    accepts: wanted,
    answers: made,
    run: makeFirst,
  },
]

async function makeFirst({ body, service }: RouteCall<AccountService>) {
  const { code, email, password } = readBody(body, { code: rules.text, email: rules.email, password: rules.text })
  checkBody(body, { firstname: rules.text, lastname: rules.text })
  const { firstname, lastname } = body as { readonly firstname?: string; readonly lastname?: string }
  const { id, email: address } = await service.firstAccount.take(code, { email, password, firstname, lastname })
  return { account: { id, email: address } }
}
