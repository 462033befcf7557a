import type { Config, Log } from '../../../core/index.js'
import type { MailSettings } from './settings.js'

type Options = Readonly<Record<string, unknown>>

/** Settings of Strapi 4's e-mail plugin, as `config/plugins: email.config` has them. */
interface OlderSettings {
  readonly provider?: unknown
  readonly providerOptions?: unknown
  readonly settings?: unknown
}

/** Providers of Strapi 4 that speak to a mail server, with their names for nodemailer's options. */
const providers: Readonly<Record<string, (options: Options) => Options>> = {
  nodemailer: options => options,
  '@strapi/provider-email-nodemailer': options => options,
  smtp: ofSmtp,
  'strapi-provider-email-smtp': ofSmtp,
}

function ofSmtp({ username, password, rejectUnauthorized, ...options }: Options): Options {
  return {
    ...options,
    ...(username !== undefined && { auth: { user: username, pass: password } }),
    ...(rejectUnauthorized !== undefined && { tls: { rejectUnauthorized } }),
  }
}

/** An app that says nothing of mail to this plugin may have said it to Strapi 4's own plugin for it. */
export function withOlder(said: MailSettings, { plugins }: Pick<Config, 'plugins'>, log: Log): MailSettings {
  const email = Object.hasOwn(plugins, 'email') ? plugins.email : undefined
  if (said.provider !== undefined || !email?.enabled) return said
  const { provider, ...rest } = email.config as OlderSettings
  const [providerOptions, settings] = [Object(rest.providerOptions) as Options, senderOf(rest.settings)]
  const known = typeof provider === 'string' && Object.hasOwn(providers, provider) ? providers[provider] : undefined
  const sender = { ...settings, ...said.settings }
  const server = known?.(providerOptions)
  if (typeof server?.host === 'string' && server.host !== '')
    return { provider: 'smtp', providerOptions: server, settings: sender }
  // Strapi 4 starts without it, too, and fails to send.
  if (known) {
    log.warn('config/plugins: email.config.providerOptions.host names no mail server, so that no mail is sent')
    return { ...said, settings: sender }
  }
  if (provider !== undefined)
    log.warn(
      `config/plugins: nothing here sends mail with the provider of email.config, ${JSON.stringify(provider)}; ` +
        'users-permissions.config.email can name a mail server',
    )
  return { ...said, settings: sender }
}

function senderOf(settings: unknown): MailSettings['settings'] {
  const { defaultFrom, defaultReplyTo } = Object(settings) as Options
  return {
    ...(typeof defaultFrom === 'string' && { defaultFrom }),
    ...(typeof defaultReplyTo === 'string' && { defaultReplyTo }),
  }
}
