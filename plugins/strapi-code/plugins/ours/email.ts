import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { optional, type Route } from '../../../../core/index.js'
import { email } from '../../../email/index.js'
import { usersPermissions } from '../../../users-permissions/index.js'
import { getAt } from '../../project/paths.js'
import type { Bag, LoadedPlugin, Loose, Runtime } from '../../types.js'
import { type FacadeRoute, facadeOf } from './facade.js'

/** The list of routes that extensions change. */
export const emailRoutes = (): FacadeRoute[] => [
  { method: 'POST', path: '/', handler: 'email.send', ours: (email as Loose).routes as readonly Route<Loose>[] },
]

/** Letters, as code knows them from Strapi's plugin: sent by the provider that the project has installed, or by the server. */
export function emailFacade(runtime: Runtime, config: Bag): { plugin: LoadedPlugin; more: Bag } {
  const letters = new Letters(runtime, config)
  const { send, sendTemplatedEmail, getProviderSettings } = letters
  const plugin = facadeOf(runtime, {
    name: 'email',
    plugin: email,
    config,
    routes: emailRoutes(),
    services: { email: () => ({ send, sendTemplatedEmail, getProviderSettings }) },
    controllers: { email: {} },
  })
  return { plugin, more: { provider: { send: letters.deliver } } }
}

interface Provider {
  readonly send: (options: Bag) => Promise<unknown>
}

class Letters {
  readonly #runtime: Runtime
  readonly #config: Bag
  #provider: { readonly found: Provider | undefined } | undefined

  constructor(runtime: Runtime, config: Bag) {
    this.#runtime = runtime
    this.#config = config
  }

  readonly getProviderSettings = (): Bag => this.#config

  readonly send = (options: Bag): Promise<unknown> => this.deliver(options)

  /** Subject, text and html of the template, with `<%= user.name %>` filled in from the data. */
  readonly sendTemplatedEmail = async (options: Bag = {}, template: Bag = {}, data: Bag = {}): Promise<unknown> => {
    const missing = parts.filter(part => !Object.hasOwn(template, part))
    if (missing.length > 0)
      throw new Error(`Following attributes are missing from your email template : ${missing.join(', ')}`)
    const filled = parts.filter(part => template[part]).map(part => [part, fill(String(template[part]), data)])
    return this.deliver({ ...options, ...Object.fromEntries(filled) })
  }

  readonly deliver = async (options: Bag): Promise<unknown> => {
    this.#provider ??= { found: this.#installed() }
    const { found } = this.#provider
    return found ? found.send(options) : this.#byServer(options)
  }

  /** The package that `config/plugins` names as provider, where the project has it. */
  #installed(): Provider | undefined {
    const { provider, providerOptions = {}, settings = {} } = this.#config
    if (typeof provider !== 'string') return undefined
    const { appDir } = this.#runtime.app
    const asked = createRequire(path.join(appDir, 'package.json'))
    const names = [`@strapi/provider-email-${provider.toLowerCase()}`, provider]
    const name = names.find(one => isThere(asked, one))
    if (name === undefined) return undefined
    const loaded = asked(name)
    const { init } = (loaded.default ?? loaded) as Bag
    return typeof init === 'function' ? init(providerOptions, settings) : undefined
  }

  async #byServer(options: Bag): Promise<unknown> {
    const mailer = this.#runtime.host?.service(optional(usersPermissions))?.mailer
    const { provider } = this.#config
    if (!mailer) throw new Error('no mail is sent: the plugin users-permissions, which sends them, is disabled')
    const { to, subject = '', text = '', html = '', from, replyTo, ...others } = options
    if (typeof provider === 'string' && !known.includes(provider) && !process.env.STELE_MAIL_FILE)
      throw new Error(
        `no mail is sent: the provider ${JSON.stringify(provider)} of config/plugins is not installed in the project`,
      )
    await mailer.send({
      ...{ to: [to ?? []].flat().join(', '), subject, text, html },
      ...(from !== undefined && { from }),
      ...(replyTo !== undefined && { replyTo }),
      written: { to, ...others, ...(others.attachments && { attachments: await withContent(others.attachments) }) },
    })
    return undefined
  }
}

/** The providers that the server speaks to by itself. */
const known: readonly string[] = [
  'sendmail',
  'nodemailer',
  'smtp',
  '@strapi/provider-email-nodemailer',
  'strapi-provider-email-smtp',
]

function isThere(asked: NodeJS.Require, name: string): boolean {
  try {
    asked.resolve(name)
    return true
  } catch {
    return false
  }
}

/** The server's mailer reads no files: what is attached by its path is read here. */
const withContent = (attachments: Loose): Promise<Bag[]> =>
  Promise.all(
    [attachments].flat().map(async ({ path: place, ...one }: Bag) => {
      if (typeof place !== 'string' || /^[a-z]+:/i.test(place))
        return place === undefined ? one : { ...one, href: place }
      return { filename: path.basename(place), ...one, content: await readFile(place) }
    }),
  )

const parts = ['subject', 'text', 'html'] as const

/** Names that the data does not have stay as they are written. */
const fill = (template: string, data: Bag): string =>
  template.replace(/<%=\s*([\w.[\]]+)\s*%>/g, (whole, name: string) => {
    const value = getAt(data, name)
    return value === undefined || value === null ? whole : String(value)
  })
