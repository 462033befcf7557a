import {
  ForbiddenError,
  type Host,
  NotFoundError,
  optional,
  type RouteCall,
  type SettingsOf,
} from '../../core/index.js'
import type { StaticBody } from '../../core/plugin-kit.js'
import { admin, type EditorCaller } from '../admin/index.js'
import { i18n } from '../i18n/index.js'
import { type BuiltPage, openPage } from '../pages/serving/built.js'
import type { PageHeaders } from '../pages/serving/headers.js'
import { type Names as AppNames, namesOf } from '../pages/serving/names.js'
import { packed } from '../pages/serving/packed.js'
import { Brand } from './brand/brand.js'
import { type Base, baseOf } from './description/base.js'
import { groupsOf } from './description/groups.js'
import { labelsOf } from './description/labels.js'
import { type AboutMeta, metaOf } from './description/meta.js'
import { withPreviews } from './description/previews.js'
import { EditorView } from './description/view.js'
import { Extensions } from './extensions/extensions.js'
import { connectsOf } from './extensions/sources.js'
import { fileOrigins } from './file-origins.js'
import { declaredLayouts } from './layouts/declared.js'
import { Layouts } from './layouts/layouts.js'
import { type LinksByAttribute, linksTo } from './links/links.js'
import type { Labels } from './model/labels.js'
import type { GroupMeta, Layout } from './model/meta.js'
import { followRenames } from './renames/follow.js'
import { pageHeaders } from './routes/page.js'
import { noteFailure } from './schema/write.js'
import type { settingsSchema } from './settings.js'
import { sectionRightsFor, settingsFor } from './settings-parts.js'
import { viewEditorOf } from './views/routes.js'
import { Views } from './views/views.js'

export type ConsoleHost = Host<SettingsOf<typeof settingsSchema>>

export async function startConsole(host: ConsoleHost): Promise<Console> {
  const brand = await Brand.open(host)
  const [page, extensions] = await Promise.all([
    openPage(host, { name: 'console', edit: html => brand.edit(html) }),
    Extensions.open(host),
  ])
  return new Console(host, { built: page, brand, extensions })
}

/** The state of the plugin while it runs. */
export class Console {
  readonly host: ConsoleHost
  readonly built: () => BuiltPage
  readonly brand: Brand
  readonly extensions: Extensions
  readonly headers: PageHeaders
  readonly #names: AppNames
  readonly #files: readonly string[]
  readonly #labels: Labels
  /** The descriptions that were sent last, by account. */
  readonly #sent = new Map<number, SentDescription>()
  #base: Base | undefined
  #layouts: Layouts | undefined
  #ownGroups: readonly GroupMeta[] | undefined

  readonly views: Views

  constructor(host: ConsoleHost, { built, brand, extensions }: Pick<Console, 'built' | 'brand' | 'extensions'>) {
    this.host = host
    this.views = new Views(host)
    host.service(admin)?.ownData.add('views', ({ account }) => this.views.own(account.id))
    this.built = built
    this.brand = brand
    this.extensions = extensions
    this.#names = namesOf(host.app.appDir)
    this.#files = fileOrigins(host.app, host.config)
    this.headers = pageHeaders(this.#files, connectsOf(host.outline.plugins))
    const { labels, problems } = labelsOf(host.config.labels, host.types)
    this.#labels = labels
    if (host.purpose === 'serve') for (const problem of problems) host.log.warn(problem)
  }

  async begin(): Promise<void> {
    await followRenames(this.host)
    // The server that begins a write of schema files ends before that may fail.
    await noteFailure(this.host)
  }

  /** The description of the app for all editors. The routes are known when the first request comes, and not before. */
  get base(): Base {
    this.#base ??= withPreviews(
      baseOf(this.host.outline, this.host.service(optional(i18n))?.config),
      this.host.config.preview,
    )
    return this.#base
  }

  /** The version of the server. */
  get version(): string {
    return this.#names.version
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
    const views = await this.views.of(viewEditorOf({ caller: editor, service: this }))
    const about = { ...this.#about(editor), views }
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

  /** The links that lead to an entry or a file. */
  async links(editor: EditorCaller, { params, content }: Pick<RouteCall, 'params' | 'content'>) {
    const { uid = '', id } = params
    const view = new EditorView(this.base, await this.layouts.all(), editor)
    const data: LinksByAttribute[] = await linksTo(this.host, { uid, id, caller: editor, content, view })
    return { data }
  }

  /** The fields of one entry that the editor may write; absent for all. */
  async rights(editor: EditorCaller, { params: { uid = '', id }, content }: Pick<RouteCall, 'params' | 'content'>) {
    const type = this.base.types.find(one => one.uid === uid && one.path !== undefined && !one.isHidden)
    if (!type) throw new NotFoundError()
    if (!editor.can('update', uid)) throw new ForbiddenError().because(`the editor needs update on ${uid}`)
    const names = await content.updatable(uid, id)
    return { ...(names && { update: [...names].sort() }) }
  }

  /** Entries of a type without a list of its own, for relations that the editor may write, and the makers of entries. */
  async choices(editor: EditorCaller, { params: { uid = '' }, content }: Pick<RouteCall, 'params' | 'content'>) {
    const view = new EditorView(this.base, await this.layouts.all(), editor)
    if (!view.types.some(type => type.uid === uid && (view.isChosen(type) || view.isMaker(type))))
      throw new NotFoundError()
    return content.find(uid)
  }

  #about(editor: EditorCaller): Omit<AboutMeta, 'views'> {
    const { account, isSuperAdmin } = editor
    const { id, email, language } = account
    const { app, config, outline } = this.host
    const { environment } = app
    const { keepDrafts } = config
    const settings = settingsFor(editor, outline)
    return {
      app: {
        ...{ ...this.#names, api: '/console/api', publicApi: app.api.prefix },
        ...{ environment, files: this.#files, keepDrafts },
        ...(outline.plugins.some(({ name }) => name === 'explorer') && { explorer: '/explorer' }),
      },
      account: { id, name: nameOf(account), email, language, isSuperAdmin },
      languages: this.#languages(),
      groups: this.#groups,
      labels: this.#labels,
      settings,
      sectionRights: sectionRightsFor(editor, settings),
      extensions: this.extensions.for(editor),
    }
  }

  get #groups(): readonly GroupMeta[] {
    this.#ownGroups ??= groupsOf(this.host.config.groups, this.base.types)
    return this.#ownGroups
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
