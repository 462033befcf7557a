/** `email` in the settings: the words of Strapi 4's e-mail plugin and its nodemailer provider. */
export const mailSettings = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    /** `nodemailer` is the name of `smtp` in Strapi 4; without one, see `createMailer`. */
    provider: { enum: ['smtp', 'nodemailer', 'file'] },
    /** Options of nodemailer: host, port, secure, auth, ... for a server; a path for a file. */
    providerOptions: { type: 'object', default: {} },
    settings: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { defaultFrom: { type: 'string' }, defaultReplyTo: { type: 'string' } },
    },
  },
} as const

/** The settings as a type: a provider's options are its own. */
export interface MailSettings {
  readonly provider?: 'smtp' | 'nodemailer' | 'file' | undefined
  readonly providerOptions: Readonly<Record<string, unknown>>
  readonly settings: { readonly defaultFrom?: string | undefined; readonly defaultReplyTo?: string | undefined }
}
