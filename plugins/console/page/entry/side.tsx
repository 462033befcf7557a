import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { withQuery } from '../../../pages/values/query-text.js'
import type { Values } from '../../model/form/plain.js'
import { nameOfAccount } from '../account-name.js'
import { Moment } from '../list/field-value.js'
import { say } from '../shell/messages.js'
import { addressOfEntry, addressOfSection, addressOfType, addressOfVersions } from '../shell/routes.js'
import { openSections } from '../shell/sections.js'
import { t } from '../text.js'
import { LinkGroups } from './link-groups.js'
import { type LinkGroup, linksTo } from './links.js'
import { Plans } from './plans.js'
import type { EntryStore } from './store/store.js'

/** The side column of an entry: state, languages, times, links. */
export function Side({ store }: { store: EntryStore }) {
  const head = store.head.value
  return (
    <aside class="side" aria-label={t('side')}>
      {store.type.options.drafts && <State store={store} />}
      {store.type.options.localized && store.languages.length > 1 && <Languages store={store} />}
      {head && (
        <section>
          <h2>{t('side.history')}</h2>
          <p>
            {t('side.created')} {head.createdAt && <Moment time={head.createdAt} />} <By person={head.createdBy} />
          </p>
          <p>
            {t('side.updated')} {head.updatedAt && <Moment time={head.updatedAt} />} <By person={head.updatedBy} />
          </p>
          {store.type.options.versions && (
            <a href={addressOfVersions(store.type, head.id, store.locale.value)}>{t('versions')}</a>
          )}
          {openSections.value.includes('activity') && (
            <a href={withQuery(addressOfSection('activity'), { type: store.type.uid, entry: head.id })}>
              {t('side.activity')}
            </a>
          )}
        </section>
      )}
      {head && !store.isSingle && <LinksHere store={store} id={head.id} />}
    </aside>
  )
}

function By({ person }: { person: Values | undefined }) {
  const name = nameOfAccount(person)
  return name !== '' ? <span dir="auto">{t('side.by', { name })}</span> : null
}

function State({ store }: { store: EntryStore }) {
  const publishedAt = store.head.value?.publishedAt
  const missing = store.missing.value
  return (
    <section>
      <h2>{t('list.state')}</h2>
      {publishedAt ? (
        <p>
          ● {t('mark.published')} <Moment time={publishedAt} />
        </p>
      ) : (
        <p>○ {t('mark.draft')}</p>
      )}
      {store.type.options.scheduling && <Plans store={store} />}
      {missing !== undefined && (
        <p class="note" dir="auto">
          {missing}
        </p>
      )}
    </section>
  )
}

interface OtherLanguage {
  readonly id: number
  readonly isPublished: boolean
}

/** The languages of an entry: those that it has, and those that can be added. */
function Languages({ store }: { store: EntryStore }) {
  const { type, languages } = store
  const head = store.head.value
  const own = store.locale.value
  const others = new Map<string, OtherLanguage>(
    (head?.localizations ?? []).map(one => [
      String(one.locale),
      { id: Number(one.id), isPublished: one.publishedAt !== null && one.publishedAt !== undefined },
    ]),
  )
  const mayAdd = (code: string) => type.can.create !== null && (type.can.create.locales?.includes(code) ?? true)
  const shown = languages.filter(({ code }) => code === own || others.has(code) || (mayAdd(code) && head))
  return (
    <section>
      <h2>{t('list.languages')}</h2>
      <ul class="entry-languages">
        {shown.map(({ code, name }) => {
          const other = others.get(code)
          return (
            <li key={code}>
              {code === own ? (
                <strong aria-current="true">{name}</strong>
              ) : other ? (
                <a
                  href={
                    type.kind === 'singleType'
                      ? `${addressOfType(type)}?locale=${code}`
                      : addressOfEntry(type, other.id)
                  }
                >
                  {name}
                </a>
              ) : (
                <a href={newLanguage(store, code)}>{t('side.addLanguage', { name })}</a>
              )}
              {other && (
                <button
                  type="button"
                  class="text-button beside"
                  aria-label={t('together.openWith', { name })}
                  onClick={() => void showBeside(store, code)}
                >
                  {t('together.open')}
                </button>
              )}
              {type.options.drafts && other && (
                <span class="quiet"> {other.isPublished ? `● ${t('mark.published')}` : `○ ${t('mark.draft')}`}</span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Its script is loaded when it is wanted first. */
export async function showBeside(store: EntryStore, code: string): Promise<void> {
  const part = await import('../languages/open-beside.js').catch(() => undefined)
  if (!(await part?.openBeside(store, code))) say(t('failed'))
}

function newLanguage({ type, head }: EntryStore, code: string): string {
  const query = `?locale=${encodeURIComponent(code)}&of=${head.value?.id}`
  return type.kind === 'singleType' ? `${addressOfType(type)}${query}` : `${addressOfEntry(type, 'new')}${query}`
}

/** The links that lead to the entry, asked for when they are looked at. */
function LinksHere({ store, id }: { store: EntryStore; id: number }) {
  const found = useSignal<readonly LinkGroup[] | 'failed' | undefined>(undefined)
  const isOpen = useSignal(false)
  useEffect(() => {
    if (isOpen.value && found.value === undefined)
      void linksTo(store.type, id).then(links => {
        found.value = links ?? 'failed'
      })
  }, [isOpen.value, id])
  const links = found.value
  return (
    <details
      onToggle={event => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <h2>{t('side.links')}</h2>
      </summary>
      {links === undefined ? (
        <p class="quiet">{t('loading')}</p>
      ) : links === 'failed' ? (
        <p class="problem">{t('failed')}</p>
      ) : (
        <LinkGroups groups={links} />
      )}
    </details>
  )
}
