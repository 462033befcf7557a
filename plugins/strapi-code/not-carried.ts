import type { Loose } from './types.js'

/** An error that code gets where it uses a part of Strapi that this server does not have. */
export class NotCarried extends Error {
  override readonly name = 'NotCarriedError'

  constructor(what: string, why: string) {
    super(`${what} is not carried: ${why}`)
  }
}

/** Parts of Strapi that are looked at without harm, and refuse to be called. */
export function notCarried(what: string, why: string): Loose {
  // The target is a function, since only a function can be called.
  return new Proxy(() => undefined, {
    get(_, name) {
      // What waits for a value, prints it or looks whether it is a promise asks for these.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
      return notCarried(`${what}.${name}`, why)
    },
    set(_, name) {
      throw new NotCarried(`${what}.${String(name)}`, why)
    },
    apply() {
      throw new NotCarried(what, why)
    },
  })
}

const admin = 'this server has no admin panel'
const webhooks = 'webhooks are declared in config/webhooks'

/** Members of `strapi` that nothing here does the work of, each with the reason. */
export const membersNotCarried: Readonly<Record<string, string>> = {
  admin,
  webhookRunner: webhooks,
  webhookStore: webhooks,
  startupLogger: 'the server writes its own start messages',
  compile: 'the code is compiled as it is loaded',
  reload: 'stele dev starts the server again when a file changes',
}
