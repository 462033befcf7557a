import { BootError, type Log, UnavailableError } from '../../../core/index.js'
import { mailFile } from './file.js'
import type { MailSettings } from './settings.js'
import { smtp } from './smtp.js'

export { withOlder } from './older.js'
export { type MailSettings, mailSettings } from './settings.js'

export interface Mail {
  /** A single address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** In place of the settings'. */
  readonly from?: string | undefined
  readonly replyTo?: string | undefined
  /** Fields that code of the app gives a mail, in the words of nodemailer; they take precedence over all others. */
  readonly written?: Readonly<Record<string, unknown>> | undefined
}

/** A mail with its sender, as a provider gets it. */
export interface Letter extends Mail {
  readonly from: string
}

/** A receiver of letters: a server, a file, the log. */
export interface Post {
  deliver(letter: Letter): Promise<void>
  close?(): void
}

export interface Mailer {
  /** True if a provider takes mails: without one, none reaches its receiver. */
  readonly delivers: boolean
  /** Refuses where no mail could be sent: to be asked before it is known whether one will be. */
  check(): void
  /** Resolves when the provider has taken the mail. */
  send(mail: Mail): Promise<void>
  /** Hands the mail over without waiting, so that the response time does not tell whether there was one; a failure is logged. */
  post(mail: Mail): void
  /** Waits for mails in flight. */
  close(): Promise<void>
}

export interface MailEnvironment {
  readonly production: boolean
  readonly appDir: string
  readonly log: Log
}

/**
 * Sends mail through the provider of the settings, or into the file that `STELE_MAIL_FILE` names. Without either, the log
 * shows it while an app is developed; in production sending is refused.
 */
export function createMailer(settings: MailSettings, { production, appDir, log }: MailEnvironment): Mailer {
  const { defaultFrom = 'no-reply@localhost', defaultReplyTo } = settings.settings
  const provider = choose(settings, process.env.STELE_MAIL_FILE, appDir)
  const post = provider ?? (production ? undefined : logged(log))
  const pending = new Set<Promise<void>>()
  const check = () => {
    if (!post) throw unavailable('Mail cannot be sent: this server has no mail provider', new Error(missing))
  }
  const send = async (mail: Mail): Promise<void> => {
    check()
    try {
      await post?.deliver({ ...mail, from: mail.from || defaultFrom, replyTo: mail.replyTo || defaultReplyTo })
    } catch (cause) {
      throw unavailable('The mail could not be sent, try again later', cause)
    }
  }
  return {
    delivers: provider !== undefined,
    check,
    send,
    post(mail) {
      const sent = send(mail)
        .catch(error => log.error({ err: error, cause: error.cause }, 'a mail could not be sent'))
        .finally(() => pending.delete(sent))
      pending.add(sent)
    },
    async close() {
      await Promise.all(pending)
      post?.close?.()
    },
  }
}

/** Clients get the fact, and only the log gets the cause. */
const unavailable = (message: string, cause: unknown): Error => Object.assign(new UnavailableError(message), { cause })

const setting = 'users-permissions.config.email'
const missing = `config/plugins has no ${setting}.provider`

function choose({ provider, providerOptions }: MailSettings, file: string | undefined, appDir: string) {
  if (file) return mailFile(file, appDir)
  if (provider === undefined) return undefined
  const [needed, what] = provider === 'file' ? (['path', 'file for mail'] as const) : (['host', 'mail server'] as const)
  const value = providerOptions[needed]
  if (typeof value !== 'string' || value === '')
    throw new BootError(`config/plugins: ${setting}.providerOptions.${needed} must name the ${what}`)
  return provider === 'file' ? mailFile(value, appDir) : smtp(providerOptions)
}

const logged = (log: Log): Post => ({
  async deliver({ to, subject, text }) {
    log.info({ to, subject, text }, 'mail: there is no provider, so it is only shown here')
  },
})
