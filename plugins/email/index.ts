import { ApplicationError, definePlugin } from '../../core/index.js'

/**
 * Stands in for Strapi 4's e-mail plugin: its settings, by which users-permissions sends its letters, and the permission
 * to send, which roles there can have. A route that sends mail for its callers would endanger the sender's reputation, so
 * there is none.
 */
export const email = definePlugin({
  name: 'email',
  describe: "the settings and the permission of Strapi 4's e-mail plugin",
  config: {
    type: 'object',
    properties: {
      provider: { type: 'string' },
      providerOptions: { type: 'object' },
      settings: { type: 'object' },
    },
  },
  standardIn: { strapi4: true },
  routes: [
    {
      method: 'POST',
      path: '/email',
      uid: 'plugin::email.email',
      action: 'send',
      describe: 'refused: letters of callers are not sent',
      accepts: { type: 'object' },
      answers: {},
      run() {
        throw new ApplicationError('This server sends no letters for its callers')
      },
    },
  ],
})
