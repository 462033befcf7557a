import { t } from '../text.js'
import { Brand } from './brand.js'
import { GoTo } from './go-to.js'
import { isShowingKeys } from './keys.js'
import { Popup } from './popup.js'
import { SchemeChoice } from './scheme.js'
import { meta, signOut } from './session.js'

export function Header({
  navigation,
  isOpen,
  onToggle,
}: {
  navigation: string
  isOpen: boolean
  onToggle: () => void
}) {
  return (
    <header class="bar">
      <button type="button" class="button menu" aria-expanded={isOpen} aria-controls={navigation} onClick={onToggle}>
        {t('nav.open')}
      </button>
      <Brand class="narrow" />
      <span class="spread" />
      <GoTo />
      <AccountMenu />
    </header>
  )
}

function AccountMenu() {
  const { name = '', email = '' } = meta.value?.account ?? {}
  const label = (
    <>
      <span class="hidden">{t('account.menu', { name })}</span>
      <span class="initials" aria-hidden="true">
        {initials(name)}
      </span>
      <span class="account-name" aria-hidden="true">
        {name}
      </span>
    </>
  )
  return (
    <Popup class="at-end" label={label}>
      {() => (
        <>
          <p>
            <b>{name}</b>
            <br />
            <span class="quiet">{email}</span>
          </p>
          <SchemeChoice />
          <button
            type="button"
            class="button"
            onClick={() => {
              isShowingKeys.value = true
            }}
          >
            {t('keys')}
          </button>
          <button type="button" class="button" onClick={() => void signOut()}>
            {t('account.signOut')}
          </button>
        </>
      )}
    </Popup>
  )
}

/** The first letters of the first and the last name. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
