import { useSignal } from '@preact/signals'
import type { TypeMeta } from '../../model/meta.js'
import { t } from '../text.js'
import { base } from './address.js'
import { addressOfType } from './routes.js'
import { listedTypes, meta, path } from './session.js'

/** The number of types from which they can be filtered by their names. */
const many = 12

export function Navigation({ id, isOpen }: { id: string; isOpen: boolean }) {
  const text = useSignal('')
  const types = listedTypes.value
  const shown = types.filter(({ name }) => name.toLowerCase().includes(text.value.trim().toLowerCase()))
  return (
    <nav id={id} class={isOpen ? 'main-nav open' : 'main-nav'} aria-label={t('nav.main')}>
      <strong class="brand">{meta.value?.app.name}</strong>
      <NavLink to={base} label={t('nav.home')} isCurrent={path.value === base} />
      <h2>{t('nav.content')}</h2>
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
      <ul>
        {shown.map(type => (
          <li key={type.uid}>
            <NavLink to={addressOfType(type)} label={type.name} isCurrent={isAt(type)} />
          </li>
        ))}
      </ul>
      {types.length === 0 && <p class="quiet">{t('nav.nothing')}</p>}
    </nav>
  )
}

function isAt(type: TypeMeta): boolean {
  const to = addressOfType(type)
  return path.value === to || path.value.startsWith(`${to}/`)
}

function NavLink({ to, label, isCurrent }: { to: string; label: string; isCurrent: boolean }) {
  return (
    <a href={to} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </a>
  )
}
