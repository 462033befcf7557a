import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { titleIn } from '../../model/extensions.js'
import type { TypeMeta } from '../../model/meta.js'
import { groupedTypes } from '../../model/navigation.js'
import { language, t } from '../text.js'
import { address, base } from './address.js'
import { Brand } from './brand.js'
import { choiceOf } from './choice.js'
import { addressOfMedia, addressOfPage, addressOfSchema, addressOfSettings, addressOfType } from './routes.js'
import { openSections } from './sections.js'
import { hasMedia, isSuperAdmin, listedTypes, meta, path } from './session.js'

/** The number of types from which they can be filtered by their names. */
const many = 12

/** The navigation is as narrow as its icons, with the names below them. */
export const isFolded = choiceOf('folded', false)

export function Navigation({ id, isOpen }: { id: string; isOpen: boolean }) {
  const text = useSignal('')
  const types = listedTypes.value
  const wanted = text.value.trim().toLowerCase()
  const shown = types.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <nav id={id} class={isOpen ? 'main-nav open' : 'main-nav'} aria-label={t('nav.main')}>
      <NavigationHead />
      <NavLink to={base} label={t('nav.home')} sign="⌂" isCurrent={path.value === base} />
      {types.length > many && (
        <input
          type="search"
          aria-label={t('nav.filter')}
          placeholder={t('nav.filter')}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
      )}
      {groupedTypes(meta.value?.groups ?? [], shown).map(({ name, types: inGroup }) => (
        <Types key={name ?? ''} title={name ?? t('nav.content')} types={inGroup} />
      ))}
      {types.length === 0 && <p class="quiet">{t('nav.nothing')}</p>}
      <Pages />
      {(openSections.value.length > 0 || hasMedia.value || isSuperAdmin.value) && (
        <div class="nav-end">
          {hasMedia.value && (
            <NavLink to={addressOfMedia} label={t('nav.media')} sign="▣" isCurrent={isBelow(addressOfMedia)} />
          )}
          {isSuperAdmin.value && (
            <NavLink to={addressOfSchema()} label={t('schema')} sign="#" isCurrent={isBelow(addressOfSchema())} />
          )}
          {openSections.value.length > 0 && (
            <NavLink to={addressOfSettings} label={t('nav.settings')} sign="⚙" isCurrent={isBelow(addressOfSettings)} />
          )}
        </div>
      )}
    </nav>
  )
}

/** The name of the app, where it runs unless that is production, and the switch of the width. */
function NavigationHead() {
  const { environment } = meta.value?.app ?? {}
  return (
    <div class="nav-head">
      <Brand />
      {environment !== 'production' && <span class="environment">{environment}</span>}
      <button
        type="button"
        class="icon fold"
        aria-pressed={isFolded.value}
        aria-label={t('nav.fold')}
        title={t('nav.fold')}
        onClick={() => {
          isFolded.value = !isFolded.value
        }}
      >
        <span aria-hidden="true">{isFolded.value ? '»' : '«'}</span>
      </button>
    </div>
  )
}

/** Views that plugins add. */
function Pages() {
  const pages = meta.value?.extensions.pages ?? []
  if (pages.length === 0) return null
  return (
    <section>
      <h2>{t('nav.more')}</h2>
      <ul>
        {pages.map(page => {
          const label = titleIn(page.title, language())
          const to = addressOfPage(page.path)
          return (
            <li key={page.path}>
              <NavLink to={to} label={label} sign={[...label][0]?.toUpperCase() ?? ''} isCurrent={isBelow(to)} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Types({ title, types }: { title: string; types: readonly TypeMeta[] }): ComponentChildren {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {types.map(type => (
          <li key={type.uid}>
            <NavLink
              to={addressOfType(type)}
              label={type.name}
              sign={[...type.name][0]?.toUpperCase() ?? ''}
              isCurrent={isBelow(addressOfType(type))}
            />
            <SavedViews type={type} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The saved views of a type, below its name. */
function SavedViews({ type }: { type: TypeMeta }) {
  const views = (meta.value?.views ?? []).filter(({ uid }) => uid === type.uid)
  if (views.length === 0) return null
  const to = addressOfType(type)
  const isShown = (query: string) => path.value === to && address.value.search === `?${query}`
  return (
    <ul class="nav-views" aria-label={t('views', { type: type.name })}>
      {views.map(({ id, name, query }) => (
        <li key={id}>
          <a href={`${to}?${query}`} aria-current={isShown(query) ? 'page' : undefined} dir="auto">
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

const isBelow = (to: string): boolean => path.value === to || path.value.startsWith(`${to}/`)

interface LinkProps {
  readonly to: string
  readonly label: string
  /** The letter or sign in place of the name where the navigation is narrow. */
  readonly sign: string
  readonly isCurrent: boolean
}

function NavLink({ to, label, sign, isCurrent }: LinkProps) {
  return (
    <a href={to} aria-current={isCurrent ? 'page' : undefined} title={isFolded.value ? label : undefined}>
      <span class="nav-sign" aria-hidden="true">
        {sign}
      </span>
      <span class="nav-name">{label}</span>
    </a>
  )
}
