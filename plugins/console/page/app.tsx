import { effect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { TypeMeta } from '../model/meta.js'
import { address, visit } from './shell/address.js'
import { lazy } from './shell/lazy.js'
import { Nowhere } from './shell/nowhere.js'
import { noteUse } from './shell/recent.js'
import { type Route, routeOf } from './shell/routes.js'
import { mayConfigure } from './shell/sections.js'
import { hasDeleted, hasMedia, isSuperAdmin, load, meta, phase, typeNamed } from './shell/session.js'
import { Shell } from './shell/shell.js'
import { SignInPage } from './sign-in/sign-in.js'
import { loadRest, t } from './text.js'

/** A view that has texts besides the first ones. */
const withRest = async <Part,>(part: Promise<Part>): Promise<Part> => (await Promise.all([part, loadRest()]))[0]

/** Each view is a script of its own, as most editors need few of them at first. */
const List = lazy(() => import('./list/list.js').then(part => part.List))
const Entry = lazy(() => import('./entry/entry.js').then(part => part.Entry))
const LinkPage = lazy(() => import('./sign-in/link-page.js').then(part => part.LinkPage))
const Home = lazy(() => import('./home/home.js').then(part => part.Home))
const Media = lazy(() => import('./media/media.js').then(part => part.Media))
const ExtensionPage = lazy(() => import('./extensions/views.js').then(part => part.ExtensionPage))
const Schema = lazy(() => withRest(import('./schema/schema.js')).then(part => part.Schema))
const Layout = lazy(() => withRest(import('./layout/layout.js')).then(part => part.LayoutView))
const Settings = lazy(() => withRest(import('./settings/settings.js')).then(part => part.Settings))
const Trashed = lazy(() => import('./trash/trashed.js').then(part => part.Trashed))
const Deleted = lazy(() => withRest(import('./deleted/deleted.js')).then(part => part.Deleted))
const Versions = lazy(() => withRest(import('./versions/versions.js')).then(part => part.Versions))

/** The script of the first view is loaded while the description of the app is read, and those of most work after it. */
export function loadViews(): void {
  const { view } = routeOf(address.peek().path)
  if (view === 'list') List.loadAhead()
  if (view === 'entry' || view === 'single') Entry.loadAhead()
  const stop = effect(() => {
    if (phase.value !== 'ready') return
    setTimeout(() => {
      stop()
      List.loadAhead()
      Entry.loadAhead()
    })
  })
}

export function App() {
  const route = routeOf(address.value.path)
  // A link of a mail is for its owner, who may be signed in or not.
  if (route.view === 'link') return <LinkPage key={route.purpose} purpose={route.purpose} />
  if (phase.value === 'loading') return <main class="message" aria-busy="true" aria-label={t('loading')} />
  if (phase.value === 'signed-out') return <SignInPage />
  if (phase.value === 'no-account') return <Notice title={t('noAccount')}>{t('noAccount.command')}</Notice>
  if (phase.value === 'failed')
    return (
      <Notice title={t('failed')}>
        <button type="button" class="button" onClick={() => void load()}>
          {t('tryAgain')}
        </button>
      </Notice>
    )
  return (
    <Shell>
      <Content route={route} />
    </Shell>
  )
}

function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="message">
      <h1>{title}</h1>
      <div>{children}</div>
    </main>
  )
}

/** The type of a view. A form stays while it is open, also where its type may not be read any more: what was typed is in it. */
function useTypeOf(route: Route): TypeMeta | undefined {
  const shown = useRef<{ readonly visit: number; readonly type: TypeMeta } | undefined>(undefined)
  if (!('singular' in route)) return undefined
  const found = typeNamed(route.singular)
  if (found) shown.current = { visit: visit.value, type: found }
  const last = shown.current
  return found ?? (route.view !== 'list' && last?.visit === visit.value ? last.type : undefined)
}

/** The layout of a type by its name, or of a component by its uid. */
function LayoutOf({ name }: { name: string }) {
  const kind = typeNamed(name) ?? meta.value?.components.find(({ uid }) => uid === name)
  return kind && mayConfigure(kind) ? <Layout key={kind.uid} kind={kind} /> : <Nowhere />
}

function Content({ route }: { route: Route }) {
  const type = useTypeOf(route)
  const used = type?.uid
  useEffect(() => {
    if (used !== undefined) noteUse(used)
  }, [used])
  if (route.view === 'home') return <Home />
  if (route.view === 'media') return hasMedia.value ? <Media /> : <Nowhere />
  if (route.view === 'layout') return <LayoutOf name={route.name} />
  if (route.view === 'settings') return <Settings section={route.section} id={route.id} />
  if (route.view === 'extension') return <Extension path={route.path} />
  if (route.view === 'schema') return isSuperAdmin.value ? <Schema name={route.name} /> : <Nowhere />
  if (!type || !('singular' in route)) return <Nowhere />
  if (route.view === 'list' || route.view === 'deleted') return <Entries type={type} route={route} />
  if (route.view === 'entry' || route.view === 'single') return <OneEntry type={type} route={route} />
  if (route.view === 'versions' && (type.kind === 'singleType') === (route.id === undefined))
    return <Versions key={visit.value} type={type} id={route.id} />
  return <Nowhere />
}

/** The entries of a type, or those that were deleted. */
function Entries({ type, route }: { type: TypeMeta; route: Extract<Route, { view: 'list' | 'deleted' }> }) {
  const isSingle = type.kind === 'singleType'
  if (route.view === 'list') return isSingle ? <Nowhere /> : <List key={type.uid} type={type} />
  return hasDeleted(type) && route.isSingle === isSingle ? <Deleted key={visit.value} type={type} /> : <Nowhere />
}

/** An entry to write, or one in the trash. */
function OneEntry({ type, route }: { type: TypeMeta; route: Extract<Route, { view: 'entry' | 'single' }> }) {
  if ((route.view === 'single') !== (type.kind === 'singleType')) return <Nowhere />
  const shown = { type, ...(route.view === 'entry' && { id: route.id }) }
  const isTrashed = type.options.trash && new URLSearchParams(address.value.search).get('trash') === 'only'
  return isTrashed ? <Trashed key={visit.value} {...shown} /> : <Entry key={visit.value} {...shown} />
}

/** A page of a plugin or of the app. */
function Extension({ path: wanted }: { path: string }) {
  const page = meta.value?.extensions.pages.find(({ path }) => path === wanted)
  return page ? <ExtensionPage key={page.module} page={page} /> : <Nowhere />
}
