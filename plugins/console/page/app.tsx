import type { ComponentChildren } from 'preact'
import { Entry } from './entry/entry.js'
import { Home } from './home.js'
import { List } from './list/list.js'
import { address, visit } from './shell/address.js'
import { type Route, routeOf } from './shell/routes.js'
import { load, phase, typeNamed } from './shell/session.js'
import { Shell } from './shell/shell.js'
import { View } from './shell/view.js'
import { LinkPage } from './sign-in/link-page.js'
import { SignInPage } from './sign-in/sign-in.js'
import { t } from './text.js'

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

function Content({ route }: { route: Route }) {
  if (route.view === 'home') return <Home />
  const type = 'singular' in route ? typeNamed(route.singular) : undefined
  if (!type || !('singular' in route)) return <Nowhere />
  if (route.view === 'list' && type.kind === 'collectionType') return <List key={type.uid} type={type} />
  if (route.view === 'entry' && type.kind === 'collectionType')
    return <Entry key={visit.value} type={type} id={route.id} />
  if (route.view === 'single' && type.kind === 'singleType') return <Entry key={visit.value} type={type} />
  return <Nowhere />
}

/** An address without a view, or of a type that the account may not see. */
function Nowhere() {
  return (
    <View title={t('nowhere')}>
      <p class="empty">{t('nowhere.text')}</p>
    </View>
  )
}
