import { withQuery } from '../../../../pages/values/query-text.js'
import { Moment } from '../../list/field-value.js'
import { address } from '../../shell/address.js'
import { addressOfEntry, addressOfSection } from '../../shell/routes.js'
import { meta } from '../../shell/session.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { useLatest } from '../latest.js'
import { Table } from '../table.js'
import { Changes } from './changes.js'
import { events, type Filter, filterIn, type Record } from './filter.js'
import { FilterForm } from './filter-form.js'

const url = '/console/api/audit/records'

/** The record of the plugin audit, by the filters in the address. */
export function Activity() {
  const filter = filterIn(address.value.search)
  const { rows, isMore, problem, readMore } = useLatest<Record>(url, { ...filter })
  return (
    <View title={t('settings.activity')}>
      <FilterForm filter={filter} />
      {problem !== '' && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {rows === undefined && problem === '' && (
        <p class="empty" aria-busy="true">
          {t('loading')}
        </p>
      )}
      {rows?.length === 0 && (
        <p class="empty">
          {t('activity.none')} {isName(filter.who) && t('activity.who.expected')}
        </p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Table
          label={t('settings.activity')}
          keyOf={({ id }) => id}
          rows={rows}
          columns={[
            {
              label: t('activity.event'),
              show: ({ event, intact }) => (
                <>
                  {eventText(event)}
                  {!intact && <span class="problem"> {t('activity.changedSince')}</span>}
                </>
              ),
            },
            { label: t('activity.when'), show: ({ at }) => <Moment time={at} /> },
            { label: t('activity.who'), show: one => <Who record={one} filter={filter} /> },
            { label: t('activity.entry'), show: one => <Entry record={one} filter={filter} /> },
            { label: t('activity.changes'), show: one => <Changes record={one} /> },
            { label: t('activity.from'), show: ({ address: from, request }) => from && `${from} · ${request}` },
          ]}
        />
      )}
      {isMore && (
        <button type="button" class="button" onClick={() => void readMore()}>
          {t('settings.more')}
        </button>
      )}
    </View>
  )
}

/** The server compares accounts by kind and number, and finds none by its name. */
const isName = (who: string | undefined): boolean => who !== undefined && !/ \d+$/.test(who)

/** The name of an event; one that the page does not know as it is recorded. */
function eventText(event: string): string {
  const known = events.find(one => one === event)
  return known ? t(`activity.event.${known}`) : event
}

const filtered = (filter: Filter): string => withQuery(addressOfSection('activity'), { ...filter })

function Who({ record: { actor, name }, filter }: { record: Record; filter: Filter }) {
  return (
    <a href={filtered({ ...filter, who: actor })} title={t('activity.only')}>
      <span dir="auto">{name ?? actor}</span>
      {name !== null && <span class="quiet"> {actor}</span>}
    </a>
  )
}

function Entry({ record: { uid, entry }, filter }: { record: Record; filter: Filter }) {
  if (uid === null) return null
  const type = meta.value?.types.find(one => one.uid === uid)
  const mayOpen = type?.path !== undefined && type.can.read !== null && !uid.startsWith('plugin::upload.')
  const name = `${type?.name ?? uid}${entry === null ? '' : ` ${entry}`}`
  return (
    <>
      {mayOpen && entry !== null ? <a href={addressOfEntry(type, entry)}>{name}</a> : name}{' '}
      {entry !== null && (
        <a
          class="quiet"
          href={filtered({ ...filter, type: uid, entry: String(entry) })}
          aria-label={t('activity.onlyEntry', { name })}
        >
          {t('activity.only.short')}
        </a>
      )}
    </>
  )
}
