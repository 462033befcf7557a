import { providersSettings } from './connect/settings.js'
import { mailSettings } from './mail/index.js'
import { sessionsSettings } from './sessions/index.js'
import { throttleSettings } from './throttle/index.js'

/** Behaviours of Strapi 4, disabled here by default. */
const ofStrapi = { type: 'boolean', default: { spec: false, strapi4: true } } as const
const seconds = (value: number) => ({ type: 'integer', minimum: 60, default: value }) as const

const text = { type: 'string' } as const
const letterSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    object: text,
    message: text,
    response_email: text,
    from: { type: 'object', additionalProperties: false, properties: { name: text, email: text }, required: ['email'] },
  },
} as const

/** `config/plugins: users-permissions.config`; the words of Strapi 4 where it has the setting too. */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    jwtSecret: { type: 'string' },
    /** Secrets that signed tokens before: these tokens stay valid until they expire. */
    formerJwtSecrets: { type: 'array', items: { type: 'string', minLength: 1 }, default: [] },
    jwt: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { expiresIn: { type: ['string', 'integer'], default: '30d' } },
    },
    register: {
      type: 'object',
      additionalProperties: false,
      default: { spec: {}, strapi4: { allowedFields: ['*'] } },
      properties: { allowedFields: { type: 'array', items: { type: 'string' }, default: [] } },
    },
    advanced: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        unique_email: { type: 'boolean' },
        allow_register: { type: 'boolean' },
        email_confirmation: { type: 'boolean' },
        email_reset_password: { type: 'string' },
        email_confirmation_redirection: { type: 'string' },
        default_role: { type: 'string' },
      },
    },
    letters: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { reset_password: letterSchema, email_confirmation: letterSchema },
    },
    codes: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: { reset: seconds(3600), confirmation: seconds(7 * 24 * 3600) },
    },
    plainCodes: ofStrapi,
    openLists: ofStrapi,
    /** `POST /auth/send-email-confirmation` refuses confirmed addresses, which tells any client that they have accounts. */
    revealConfirmed: ofStrapi,
    email: mailSettings,
    providers: providersSettings,
    sessions: sessionsSettings,
    ratelimit: throttleSettings,
  },
} as const

interface StoredProvider {
  readonly enabled?: boolean
  readonly [setting: string]: unknown
}

interface Letter {
  readonly display: string
  readonly icon: string
  readonly options: {
    readonly from: { readonly name: string; readonly email: string }
    readonly response_email: string
    readonly object: string
    readonly message: string
  }
}

const letter = (display: string, icon: string, object: string, message: string): Letter => ({
  display,
  icon,
  options: { from: { name: '', email: '' }, response_email: '', object, message },
})

/** Settings that the panel of Strapi 4 keeps in the database, under its keys. */
export const storedSettings = {
  advanced: {
    unique_email: true,
    allow_register: true,
    email_confirmation: false,
    email_reset_password: null as string | null,
    email_confirmation_redirection: null as string | null,
    default_role: 'authenticated',
  },
  /** Ways to sign in, by provider; `email` is the one with a password. */
  grant: { email: { enabled: true, icon: 'envelope' } } as Readonly<Record<string, StoredProvider | undefined>>,
  email: {
    reset_password: letter(
      'Email.template.reset_password',
      'sync',
      'Reset password',
      '<p>A new password was requested for this address, probably by you.</p>\n\n' +
        '<p>Follow this link to choose one:</p>\n<p><%= URL %>?code=<%= TOKEN %></p>\n\n' +
        '<p>If it was not you, there is nothing to do.</p>',
    ),
    email_confirmation: letter(
      'Email.template.email_confirmation',
      'check-square',
      'Account confirmation',
      '<p>Thank you for registering!</p>\n\n<p>Follow this link to confirm your address:</p>\n' +
        '<p><%= URL %>?confirmation=<%= CODE %></p>',
    ),
  },
}

export type StoredTable = typeof storedSettings
export type AdvancedSettings = StoredTable['advanced']
export type LetterName = keyof StoredTable['email']
