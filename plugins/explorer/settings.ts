/** `config/plugins: explorer.config` */
export const schema = {
  type: 'object',
  properties: {
    /** The permission for the app's description: required in production only, always, or never. */
    access: { enum: ['developing', 'permission', 'open'], default: 'developing' },
    /** The cost of responses in `Server-Timing`: in production only for callers that ask and have the permission, always, or never. */
    timing: { enum: ['developing', 'always', 'never'], default: 'developing' },
  },
} as const

export type Access = (typeof schema.properties.access.enum)[number]

export type TimingMode = (typeof schema.properties.timing.enum)[number]

export const isOpenTo = (access: Access, environment: string): boolean =>
  access === 'open' || (access === 'developing' && environment !== 'production')
