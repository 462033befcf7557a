/** `config/plugins: metrics.config` */
export const settings = {
  type: 'object',
  properties: {
    /** A port of its own, which needs no credentials; without one, the page is a route of the server behind a permission. */
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    /** The address that the port listens on. */
    host: { type: 'string', default: '127.0.0.1' },
    /** The path of the page. */
    path: { type: 'string', pattern: '^/[\\w./-]+$', default: '/metrics' },
  },
} as const
