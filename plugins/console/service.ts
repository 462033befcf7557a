import { type Host, optional, type RouteCall, type SettingsOf } from '../../core/index.js'
import type { StaticBody } from '../../core/plugin-kit.js'
import type { EditorCaller } from '../admin/index.js'
import { i18n } from '../i18n/index.js'
import { type BuiltPage, openPage } from '../pages/serving/built.js'
import { type Names as AppNames, namesOf } from '../pages/serving/names.js'
import { packed } from '../pages/serving/packed.js'
import { type Base, baseOf } from './description/base.js'
import { type AboutMeta, metaOf } from './description/meta.js'
import { EditorView } from './description/view.js'
import { declaredLayouts } from './layouts/declared.js'
import { Layouts } from './layouts/layouts.js'
import { type LinksByAttribute, linksTo } from './links/links.js'
import type { Layout } from './model/meta.js'
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
  readonly #sent = new Map<number, SentDescription>()
  #base: Base | undefined
  #layouts: Layouts | undefined

  constructor(host: ConsoleHost, built: () => BuiltPage) {
    this.host = host
    this.built = built
    this.#names = namesOf(host.app.appDir)
  }

  /** The description of the app for all editors. The routes are known when the first request comes, and not before. */
  get base(): Base {
    this.#base ??= baseOf(this.host.outline, this.host.service(optional(i18n))?.config)
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

  /** The description for one editor, as it is sent: made anew where rights, layouts or what else it tells has changed. */
  async description(editor: EditorCaller): Promise<StaticBody> {
    const { account } = editor
    const layouts = await this.layouts.all()
    const about = this.#about(editor)
    const key = JSON.stringify([editor.scope, about])
    const known = this.#sent.get(account.id)
    if (known?.key === key && known.layouts === layouts) return known.body
    const meta = metaOf(this.base, new EditorView(this.base, layouts, editor), about)
    const body = await packed('application/json; charset=utf-8', JSON.stringify(meta))
    this.#sent.delete(account.id)
    this.#sent.set(account.id, { key, layouts, body })
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > mostSent && oldest !== undefined) this.#sent.delete(oldest)
    return body
  }

  /** What leads to an entry or a file. */
  async links(editor: EditorCaller, { params, content }: Pick<RouteCall, 'params' | 'content'>) {
    const { uid = '', id } = params
    const view = new EditorView(this.base, await this.layouts.all(), editor)
    const data: LinksByAttribute[] = await linksTo(this.host, { uid, id, caller: editor, content, view })
    return { data }
  }

  #about(editor: EditorCaller): AboutMeta {
    const { account, isSuperAdmin } = editor
    const { id, email, language } = account
    return {
      app: { ...this.#names, api: '/console/api', environment: this.host.app.environment },
      account: { id, name: nameOf(account), email, language, isSuperAdmin },
      languages: this.#languages(),
      settings: settingsFor(editor, this.host.outline),
    }
  }

  #languages() {
    const { list = [] } = this.host.service(optional(i18n))?.locales ?? {}
    return list.map(({ code, name, isDefault }) => ({ code, name, isDefault }))
  }
}

interface SentDescription {
  readonly key: string
  readonly layouts: ReadonlyMap<string, Layout>
  readonly body: StaticBody
}

/** Descriptions that are kept in memory. */
const mostSent = 50

function nameOf({ firstname, lastname, username, email }: EditorCaller['account']): string {
  const full = [firstname, lastname].filter(Boolean).join(' ')
  return full || username || email
}
