import { definePlugin, ForbiddenError, type Host, optional } from '../../core/index.js'
import { secretOf, verifySecret } from '../../core/plugin-kit.js'
import { admin } from '../admin/index.js'
import { events } from '../events/index.js'
import { usersPermissions } from '../users-permissions/index.js'
import { activityOf } from './activity.js'
import { command } from './command.js'
import { recordType, recordUid, sealType, sealUid } from './content-types.js'
import { recording, recordWebhook } from './recording.js'
import { AuditRecord } from './records.js'
import { routes } from './routes.js'
import { sealing } from './seals.js'
import { checkNames, type Settings, settings } from './settings.js'
import { watching } from './watching.js'

const day = 86_400_000

const askedSecret = ({ secret }: Settings) => ({
  ...{ configured: secret, variable: 'AUDIT_SECRET', setting: 'audit.config.secret' },
  ...{ purpose: 'to seal the record of changes with', file: 'audit-secret' },
  changing: 'earlier records cannot be verified any more',
})

function checkStart(given: object): void {
  // The schema says more than the compiler reads of it.
  const { config, app, types } = given as Pick<Host<Settings>, 'config' | 'app' | 'types'>
  checkNames(config, types.types)
  verifySecret(askedSecret(config), app)
}

/** Records of changes, with their time, their author and its address; of sign-ins, and of refusals. */
export const audit = definePlugin({
  name: 'audit',
  describe: 'a record of who changed what, when and from where, that nothing changes',
  uses: [optional(usersPermissions), optional(admin), optional(events)],
  config: settings,
  appliesTo: ({ uid, kind }, { except }) => kind !== 'component' && !except.includes(uid),
  contentTypes: [recordType, sealType],
  async register(host) {
    // The schema says more than the compiler reads of it.
    const own = host as unknown as Host<Settings>
    const records = new AuditRecord(own, await secretOf(askedSecret(own.config), own.app, own.log))
    own.service(optional(usersPermissions))?.accounts.follow(id => records.signedIn('user', id))
    own.service(optional(admin))?.sessions.follow(({ id }) => records.signedIn('admin', id))
    own.service(optional(admin))?.ownData.add('activity', editor => activityOf(editor.actor, records))
    own.service(optional(events))?.webhooks.stored.follow((change, session) => recordWebhook(change, session, records))
    return records
  },
  hooks: {
    /** Plugins and code of the app cannot change records, nor create them this way. */
    beforeWrite(write, { type }) {
      if (type.uid === recordUid || type.uid === sealUid) throw new ForbiddenError('The audit record cannot be changed')
      return write
    },
    ...recording,
  },
  middleware: [{ before: 'authentication', run: watching }],
  jobs: [
    {
      name: 'prune',
      describe: 'delete records that are older than the setting "keep"',
      every: '1h',
      run: ({ now, signal }, records) =>
        records.seals.prune(new Date(now.getTime() - records.config.keep * day), signal),
    },
    {
      name: 'seal',
      describe: 'seal records, so that it shows where some are missing',
      at: ({ seals }) => seals.due(),
      run: ({ signal }, { seals }) => seals.run(signal),
    },
  ],
  routes,
  commands: [command],
  checks: [{ start: checkStart }],
  shares: { locks: [sealing] },
  transfer: { stays: [recordUid, sealUid] },
})
