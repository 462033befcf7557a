import type { Host, Session } from '../../core/index.js'
import { secretOf } from '../../core/plugin-kit.js'

const userUid = 'plugin::users-permissions.user'
const roleUid = 'plugin::users-permissions.role'

/**
 * Creates an account to try things with while the app is developed: `ben`, who may change the articles of the author with
 * that handle. The permissions of its role stand in `config/permissions`.
 */
export async function makeAccount(
  {
    app,
    config,
    entries,
    log,
    types,
  }: Pick<Host<{ password?: string | undefined }>, 'app' | 'config' | 'entries' | 'log' | 'types'>,
  session: Session,
): Promise<void> {
  if (app.environment !== 'development' || !types.types.has(userUid)) return
  const password = await secretOf({ configured: config.password, ...secret }, app, log)
  const roles = entries(roleUid, session)
  const { id: role } =
    (await roles.first({ where: { type: 'author' } })) ?? (await roles.create({ name: 'Author', type: 'author' }))
  const account = { username: 'ben', email: 'ben@example.com', provider: 'local', confirmed: true }
  await entries(userUid, session).create({ ...account, password, role })
}

const secret = {
  variable: 'DEMO_PASSWORD',
  setting: 'sample-content.config.password',
  purpose: 'for the account "ben" to sign in with',
  file: 'demo-password',
}
