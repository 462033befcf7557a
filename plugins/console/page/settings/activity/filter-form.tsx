import { useSignal } from '@preact/signals'
import { withQuery } from '../../../../pages/values/query-text.js'
import { go } from '../../shell/address.js'
import { addressOfSection } from '../../shell/routes.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { ChoiceBox, TextBox } from '../fields.js'
import { events, type Filter } from './filter.js'

/** The filters of the record: they are in the address, so that a link shows a colleague the same. */
export function FilterForm({ filter }: { filter: Filter }) {
  const [who, event, type] = [useSignal(filter.who ?? ''), useSignal(filter.event ?? ''), useSignal(filter.type ?? '')]
  const [entry, since, until] = [
    useSignal(filter.entry ?? ''),
    useSignal(filter.since ?? ''),
    useSignal(filter.until ?? ''),
  ]
  const apply = (sent: Event) => {
    sent.preventDefault()
    const given = Object.entries({ who, event, type, entry, since, until }).flatMap(([name, { value }]) =>
      value === '' ? [] : [[name, value]],
    )
    go(withQuery(addressOfSection('activity'), Object.fromEntries(given)))
  }
  const types = meta.value?.types ?? []
  const isKnown = type.value === '' || types.some(({ uid }) => uid === type.value)
  return (
    <form class="filter-row" aria-label={t('activity.filters')} onSubmit={apply}>
      <TextBox label={t('activity.who')} value={who} note={t('activity.who.note')} />
      <ChoiceBox
        label={t('activity.event')}
        value={event}
        choices={[
          { value: '', label: t('activity.all') },
          ...events.map(value => ({ value, label: t(`activity.event.${value}`) })),
        ]}
      />
      <ChoiceBox
        label={t('activity.type')}
        value={type}
        // The id of an entry means nothing without its type.
        isRequired={entry.value !== ''}
        choices={[
          { value: '', label: t('activity.all') },
          ...types.map(({ uid, name }) => ({ value: uid, label: name })),
          ...(isKnown ? [] : [{ value: type.value, label: type.value }]),
        ]}
      />
      <TextBox label={t('activity.entry')} value={entry} kind="number" />
      <TextBox label={t('activity.since')} value={since} kind="date" />
      <TextBox label={t('activity.until')} value={until} kind="date" />
      <button type="submit" class="button">
        {t('filters.apply')}
      </button>
      {Object.keys(filter).length > 0 && <a href={addressOfSection('activity')}>{t('activity.clear')}</a>}
    </form>
  )
}
