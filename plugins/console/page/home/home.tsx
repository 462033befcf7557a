import { useEffect, useMemo } from 'preact/hooks'
import type { HomeEntry } from '../../model/home.js'
import type { TypeMeta } from '../../model/meta.js'
import { Moment } from '../list/field-value.js'
import { StateMark } from '../list/state-mark.js'
import { lazy } from '../shell/lazy.js'
import { recentFirst } from '../shell/recent.js'
import { addressOfEntry, addressOfType } from '../shell/routes.js'
import { kinds, listedTypes, meta } from '../shell/session.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { FailedDeliveries } from './failed-deliveries.js'
import { FailedRuns } from './failed-runs.js'
import './home.css'
import { HomeStore, type ReadList } from './store.js'

const Widgets = lazy(() => import('../extensions/views.js').then(part => part.Widgets))

/** The start page: the own work, what is waiting, what failed, and all types. */
export function Home() {
  const [description, known, types] = [meta.value, kinds.value, listedTypes.value]
  const home = useMemo(
    () => (description && known ? new HomeStore(description, known, recentFirst(types)) : undefined),
    [description, known, types],
  )
  useEffect(() => home?.start(), [home])
  const widgets = description?.extensions.widgets ?? []
  return (
    <View title={t('home.title', { name: description?.account.name ?? '' })}>
      {types.length === 0 || !home ? <p class="empty">{t('home.nothing')}</p> : <Parts home={home} types={types} />}
      {widgets.length > 0 && <Widgets widgets={widgets} />}
    </View>
  )
}

function Parts({ home, types }: { home: HomeStore; types: readonly TypeMeta[] }) {
  const lists = home.lists.value
  return (
    <>
      <FailedRuns />
      <FailedDeliveries />
      <div class="home-lists" aria-busy={lists === undefined}>
        {lists
          ?.filter(({ entries }) => entries.length > 0)
          .map(list => (
            <EntryList key={list.name} list={list} />
          ))}
      </div>
      <Counts home={home} types={types} />
    </>
  )
}

function EntryList({ list: { name, entries, all } }: { list: ReadList }) {
  return (
    <section class="home-list" aria-label={t(`home.${name}`)}>
      <h2>{t(`home.${name}`)}</h2>
      <ul>
        {entries.map(entry => (
          <EntryLine key={`${entry.type.uid} ${entry.id}`} entry={entry} hasState={name === 'changed'} />
        ))}
      </ul>
      <p>
        {t('home.showAll')}{' '}
        {all.map(({ type, search }) => (
          <a key={type.uid} href={`${addressOfType(type)}?${search}`}>
            {type.name}
          </a>
        ))}
      </p>
    </section>
  )
}

function EntryLine({ entry: { id, type, values, time }, hasState }: { entry: HomeEntry; hasState: boolean }) {
  const title = values[type.layout.settings.mainField]
  return (
    <li>
      <a href={addressOfEntry(type, id)} dir="auto">
        {title === null || title === undefined || title === '' ? `#${id}` : String(title)}
      </a>
      <span class="quiet">
        {type.name} · <Moment time={time} />
      </span>
      {hasState && type.options.drafts && <StateMark values={values} />}
    </li>
  )
}

/** All types, with the numbers of entries where these are asked for. */
function Counts({ home, types }: { home: HomeStore; types: readonly TypeMeta[] }) {
  const counts = home.counts.value
  return (
    <section aria-label={t('home.types')}>
      <h2>{t('home.types')}</h2>
      <ul class="home">
        {types.map(type => {
          const count = counts.get(type.uid)
          return (
            <li key={type.uid}>
              <a href={addressOfType(type)}>{type.name}</a>
              {count !== undefined && <span class="quiet">{t('home.count', { count })}</span>}
              {type.description !== undefined && <span class="quiet">{type.description}</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
