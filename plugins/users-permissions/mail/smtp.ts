import type { Transporter } from 'nodemailer'
import type { Post } from './index.js'

/** A mail server, as nodemailer speaks to it; the library is loaded with the first mail. */
export function smtp(options: Readonly<Record<string, unknown>>): Post {
  let opened: Promise<Transporter> | undefined
  let transport: Transporter | undefined
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    transport = createTransport({
      ...timeouts,
      ...options,
      // The content of a mail never makes the server read a file or fetch an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return transport
  }
  return {
    async deliver({ to, written, ...letter }) {
      opened ??= open()
      // As an object, the address is one address: text would be read as a list, with names and comments.
      await (await opened).sendMail({ ...letter, to: { name: '', address: to }, ...written })
    },
    close: () => transport?.close(),
  }
}

/** Milliseconds; a server that does not answer must not keep requests for minutes. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
