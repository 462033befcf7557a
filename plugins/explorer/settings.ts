/** `config/plugins: explorer.config` */
export const schema = {
  type: 'object',
  properties: {
    /** Whether seeing what the app consists of requires the permission: in production only, always, or never. */
    access: { enum: ['developing', 'permission', 'open'], default: 'developing' },
    /** Whether responses say what they cost, in `Server-Timing`: in production to callers that ask and may only, always, or never. */
    timing: { enum: ['developing', 'always', 'never'], default: 'developing' },
  },
} as const

export type Access = (typeof schema.properties.access.enum)[number]

export type Timing = (typeof schema.properties.timing.enum)[number]

export const isOpenTo = (access: Access, environment: string): boolean =>
  access === 'open' || (access === 'developing' && environment !== 'production')
