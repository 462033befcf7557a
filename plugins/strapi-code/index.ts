import { existsSync } from 'node:fs'
import path from 'node:path'
import { definePlugin, optional } from '../../core/index.js'
import { deepPopulate } from '../deep-populate/index.js'
import { draftAndPublish } from '../draft-and-publish/index.js'
import { email } from '../email/index.js'
import { graphql } from '../graphql/index.js'
import { i18n } from '../i18n/index.js'
import { upload } from '../upload/index.js'
import { usersPermissions } from '../users-permissions/index.js'

/** Runs the code of a Strapi 4 project: its controllers, services, routes, policies, middlewares, lifecycles and plugins. */
export const strapiCode = definePlugin({
  name: 'strapi-code',
  describe: 'the code of a Strapi 4 project: its controllers, services, routes, policies, lifecycles and plugins',
  uses: [
    optional(usersPermissions),
    optional(upload),
    optional(email),
    optional(i18n),
    optional(draftAndPublish),
    optional(deepPopulate),
    optional(graphql),
  ],
  config: {
    type: 'object',
    properties: {
      run: {
        enum: ['run', 'refuse', 'ignore'],
        default: 'run',
        description:
          '`run`: the code runs; `refuse`: none is loaded, and requests to routes of the project get a 501; `ignore`: none is loaded, and only the standard routes are there',
      },
      broken: {
        enum: ['stop', 'serve'],
        default: 'stop',
        description:
          'a file that cannot be loaded, or a part that a route names and that is missing: `stop` stops the start; `serve` reports it, and requests to the routes that need it get a 501',
      },
      timeLimit: {
        type: 'integer',
        minimum: 0,
        default: 300_000,
        description:
          'milliseconds that the code of a route may take to answer, and a global middleware on each of its ways; then the request gets a 503. 0: no limit',
      },
      afterEvents: {
        enum: ['commit', 'transaction'],
        default: 'commit',
        description:
          'when after-events of writes run that the code does not do itself: once they are committed, or in their transaction',
      },
    },
    additionalProperties: false,
  },
  standardIn: { strapi4: true },
  commands: [
    {
      name: 'strapi-code check',
      describe: "list what of the project's code nothing here carries, without running it",
      opens: 'declared',
      run: async (call, service) => (await import('./check/command.js')).runCheck(call, service),
    },
  ],
  forApp: async found => {
    const { app, config } = found
    // The code is loaded by projects that have some, and what runs it with it.
    if (app.project !== 'strapi4' || !existsSync(path.join(app.appDir, 'src'))) return undefined
    const { withCheck } = await import('./check/doctor.js')
    if (config.run === 'ignore') return withCheck(found, undefined)
    if (config.run === 'refuse') return withCheck(found, (await import('./check/refuse.js')).refusals(found))
    const { partsOfCode } = await import('./start.js')
    return withCheck(found, await partsOfCode(found))
  },
})
