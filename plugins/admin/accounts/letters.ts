import type { Config } from '../../../core/index.js'
import { type Mail, serverUrl } from '../../users-permissions/index.js'
import type { Account } from './accounts.js'
import type { LinkPurpose } from './link-rows.js'

/** The page that takes a link. Its code is behind `#`: browsers send it to no server, so no log and no proxy has it. */
export const linkAddress = (app: Pick<Config, 'server'>, page: LinkPurpose | 'first-account', code: string): string =>
  `${serverUrl(app)}/console/${page}#${code}`

interface ShownLink {
  readonly address: string
  readonly expires: Date
}

/** The mail with a link. Names of accounts are not in it: they are the words of who invites. */
export function writeLetter(purpose: LinkPurpose, { email }: Account, { address, expires }: ShownLink): Mail {
  const until = `${expires.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const { subject, lines } = texts[purpose]
  const paragraphs = [...lines, address, `The link is valid once, until ${until}.`]
  return {
    to: email,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map(line => `<p>${line === address ? `<a href="${line}">${line}</a>` : line}</p>`).join('\n'),
  }
}

const texts: Readonly<Record<LinkPurpose, { readonly subject: string; readonly lines: readonly string[] }>> = {
  invitation: {
    subject: 'Your account',
    lines: ['You are invited to edit content. Choose a password to create your account:'],
  },
  password: {
    subject: 'Your password',
    lines: [
      'Choose a new password for your account here:',
      'If you have not asked for it, ignore this mail: your password stays as it is.',
    ],
  },
}
