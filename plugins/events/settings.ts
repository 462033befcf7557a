/** `config/plugins: events.config` */
export const settings = {
  type: 'object',
  properties: {
    /** Retention of events in hours. */
    keep: { type: 'number', minimum: 1, default: 168 },
    /** Types whose writes are no events: the servers' own notes. */
    except: {
      type: 'array',
      items: { type: 'string' },
      default: [
        'plugin::upload.leftover',
        'plugin::users-permissions.stamp',
        'plugin::users-permissions.session',
        'plugin::users-permissions.login-code',
        'plugin::admin.session',
        'plugin::admin.stamp',
      ],
    },
    /** The path of the live feed below the prefix of the API; `false` for none. */
    feed: { type: ['string', 'boolean'], pattern: '^/[\\w/-]+$', not: { const: true }, default: '/events' },
    /** Clients that may follow it in one process. */
    listeners: { type: 'integer', minimum: 1, default: 2000 },
    /** The secret of webhooks that have none of their own. */
    secret: { type: 'string' },
    /** Private addresses that webhooks may reach: `true`, or networks and host names. */
    privateAddresses: { type: ['boolean', 'array'], items: { type: 'string' }, default: false },
    /** Seconds before each further try: three days in all, as Standard Webhooks suggests. */
    retries: {
      type: 'array',
      items: { type: 'number', minimum: 0 },
      default: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    },
    /** Milliseconds that a receiver has for its response. */
    timeout: { type: 'integer', minimum: 100, maximum: 60_000, default: 20_000 },
  },
} as const
