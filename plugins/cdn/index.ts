import { BootError, definePlugin, type Host, optional } from '../../core/index.js'
import { nearest } from '../../core/plugin-kit.js'
import { events } from '../events/index.js'
import { cachingOf } from './headers.js'
import { Purger, stored } from './purging.js'
import { type Settings, settings } from './settings.js'

/** Cache headers for caches between server and clients, and purging of what has changed. */
export const cdn = definePlugin({
  name: 'cdn',
  describe: 'cache headers for visitors, and purging of CDNs and proxies',
  uses: [optional(events)],
  config: settings,
  shares: { stored },
  register: host => {
    // The schema says more than the compiler reads of it.
    const own = host as unknown as Host<Settings, typeof stored>
    return { purging: new Purger(own), config: own.config }
  },
  checks: [
    {
      start: app => {
        for (const uid of Object.keys(app.config.types)) mustBeType(uid, app)
      },
    },
  ],
  caching: ({ config }) => cachingOf(config),
  jobs: [
    {
      name: 'purge',
      describe: 'tell caches what has changed',
      isNeeded: ({ purging }) => purging.isNeeded,
      at: ({ purging }) => purging.due(),
      run: ({ signal }, { purging }) => purging.run(signal),
    },
  ],
})

function mustBeType(uid: string, { types }: Pick<Host, 'types'>): void {
  const known = [...types.types.keys()]
  if (known.includes(uid)) return
  const meant = nearest(uid, known)
  const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`
  throw new BootError(`config/plugins: cdn.config.types: there is no type "${uid}"; ${hint}`)
}
