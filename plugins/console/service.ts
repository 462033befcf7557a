import { type Host, optional, type RouteCall, type SettingsOf } from '../../core/index.js'
import type { StaticBody } from '../../core/plugin-kit.js'
import type { EditorCaller } from '../admin/index.js'
import { i18n } from '../i18n/index.js'
import { type BuiltPage, openPage } from '../pages/serving/built.js'
import { type Names as AppNames, namesOf } from '../pages/serving/names.js'
import { packed } from '../pages/serving/packed.js'
import { type Base, baseOf } from './description/base.js'
import { metaOf } from './description/meta.js'
import { EditorView } from './description/view.js'
import { declaredLayouts } from './layouts/declared.js'
import { Layouts } from './layouts/layouts.js'
import { type LinksByAttribute, linksTo } from './links/links.js'
import type { settingsSchema } from './settings.js'
import { settingsFor } from './settings-parts.js'

export type ConsoleHost = Host<SettingsOf<typeof settingsSchema>>

export async function startConsole(host: ConsoleHost): Promise<Console> {
  return new Console(host, await openPage(host, { name: 'console' }))
}

/** The state of the plugin while it runs. */
export class Console {
  readonly host: ConsoleHost
  readonly built: () => BuiltPage
  readonly #names: AppNames
  /** The descriptions that were sent last, by account. */
  readonly #sent = new Map<number, { readonly text: string; readonly body: StaticBody }>()
  #base: Base | undefined
  #layouts: Layouts | undefined

  constructor(host: ConsoleHost, built: () => BuiltPage) {
    this.host = host
    this.built = built
    this.#names = namesOf(host.app.appDir)
  }

  /** The description of the app for all editors. The routes are known when the first request comes, and not before. */
  get base(): Base {
    this.#base ??= baseOf(this.host.outline, this.host.service(optional(i18n))?.config.sharing)
    return this.#base
  }

  get layouts(): Layouts {
    this.#layouts ??= new Layouts(
      this.host,
      this.base,
      declaredLayouts(this.host.app.console, this.base, this.host.types),
    )
    return this.#layouts
  }

  /** The description for one editor, as it is sent: made anew, as rights and layouts change, and compressed only when it differs. */
  async description(editor: EditorCaller): Promise<StaticBody> {
    const { account } = editor
    const { environment } = this.host.app
    const meta = metaOf(this.base, await this.#view(editor), {
      app: { ...this.#names, api: '/console/api', environment },
      account: {
        id: account.id,
        name: nameOf(account),
        email: account.email,
        language: account.language,
        isSuperAdmin: editor.isSuperAdmin,
      },
      languages: this.#languages(),
      settings: settingsFor(editor, this.host.outline),
    })
    const text = JSON.stringify(meta)
    const known = this.#sent.get(account.id)
    if (known?.text === text) return known.body
    const body = await packed('application/json; charset=utf-8', text)
    this.#sent.delete(account.id)
    this.#sent.set(account.id, { text, body })
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > mostSent && oldest !== undefined) this.#sent.delete(oldest)
    return body
  }

  /** What leads to an entry or a file. */
  async links(editor: EditorCaller, { params, content }: Pick<RouteCall, 'params' | 'content'>) {
    const { uid = '', id } = params
    const view = await this.#view(editor)
    const data: LinksByAttribute[] = await linksTo(this.host, { uid, id, caller: editor, content, view })
    return { data }
  }

  async #view(editor: EditorCaller): Promise<EditorView> {
    return new EditorView(this.base, await this.layouts.all(), editor)
  }

  #languages() {
    const { list = [] } = this.host.service(optional(i18n))?.locales ?? {}
    return list.map(({ code, name, isDefault }) => ({ code, name, isDefault }))
  }
}

/** Descriptions that are kept in memory. */
const mostSent = 50

function nameOf({ firstname, lastname, username, email }: EditorCaller['account']): string {
  const full = [firstname, lastname].filter(Boolean).join(' ')
  return full || username || email
}
