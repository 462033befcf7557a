import { throttleSettings } from '../users-permissions/index.js'
import { sessionsSettings } from './sessions/settings.js'

/** The settings of the plugin in `config/plugins`. */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    passwords: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Characters. bcrypt reads 72 bytes. */
        min: { type: 'integer', minimum: 8, maximum: 72, default: 10 },
      },
    },
    sessions: sessionsSettings,
    ratelimit: throttleSettings,
    /** Needed where attempts are counted in the database: it hides addresses and accounts there. */
    secret: { type: 'string' },
  },
} as const
