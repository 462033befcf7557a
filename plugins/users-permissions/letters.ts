import type { Config, Entry } from '../../core/index.js'
import type { Mail } from './mail/index.js'
import type { LetterName, StoredTable } from './settings.js'

type Options = StoredTable['email'][LetterName]['options']
type Values = Readonly<Record<string, unknown>>

/**
 * A mail from a template in the words of Strapi 4: `<%= URL %>`, `<%= USER.username %>`. Names in a template are
 * replaced; no code in it is run.
 */
export function writeLetter({ from, response_email, object, message }: Options, to: string, values: Values): Mail {
  return {
    to,
    // A line break would begin another header.
    subject: filled(object, values, text => text.replace(/\p{Cc}+/gu, ' ')),
    text: filled(message.replace(/<(?!%)[^<>]*>/g, ''), values, text => text),
    html: filled(message, values, escaped),
    ...(from?.email && { from: from.name ? `${from.name} <${from.email}>` : from.email }),
    ...(response_email && { replyTo: response_email }),
  }
}

function filled(template: string, values: Values, shaped: (text: string) => string): string {
  return template.replace(/<%=\s*([\w.]+)\s*%>/g, (_, name: string) => {
    let value: unknown = values
    for (const part of name.split('.')) value = Object.hasOwn(Object(value), part) ? (value as Entry)[part] : undefined
    return typeof value === 'string' || typeof value === 'number' ? shaped(String(value)) : ''
  })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] as string)

/** Every address, and the one that is listened on while an app is developed: links have the name for both. */
const ofThisMachine = ['0.0.0.0', '::', '127.0.0.1']

/** The public address of the server from the settings, never from a request. */
export function serverUrl({ server: { url, host, port } }: Pick<Config, 'server'>): string {
  if (url) return url.replace(/\/+$/, '')
  return `http://${ofThisMachine.includes(host) ? 'localhost' : host}:${port}`
}
