import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Choice } from '../../../pages/page/controls.js'
import { type ListState, statesOf } from '../../model/list/view.js'
import { meta } from '../shell/session.js'
import { t } from '../text.js'
import { ColumnMenu } from './column-menu.js'
import { FilterButton } from './filter-panel.js'
import type { ListStore } from './store.js'

/** The controls above the list that choose its entries. */
export function Toolbar({ list }: { list: ListStore }) {
  const { type } = list
  const { searchable } = type.layout.settings
  return (
    <search class="toolbar" aria-label={t('list.which', { type: type.name })}>
      {searchable && <Search list={list} />}
      <FilterButton list={list} />
      {statesOf(type).length > 1 && <StateSelect list={list} />}
      {type.options.localized && <LanguageSelect list={list} />}
      <ColumnMenu list={list} />
      <SearchReach list={list} />
    </search>
  )
}

/** Milliseconds without a key after which the text is searched for. */
const pause = 150

function Search({ list }: { list: ListStore }) {
  const { search } = list.view.value
  const text = useSignal(search)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  useEffect(() => {
    // The address says another text when an editor goes back, or clears all.
    if (text.peek().trim() !== search) text.value = search
  }, [search, text])
  const look = () => {
    clearTimeout(waiting.current)
    if (text.value.trim() !== list.view.peek().search) list.change({ search: text.value.trim() })
  }
  return (
    <input
      type="search"
      aria-label={t('list.search')}
      placeholder={t('list.search')}
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value
        clearTimeout(waiting.current)
        waiting.current = setTimeout(look, pause)
      }}
      onKeyDown={event => event.key === 'Enter' && look()}
    />
  )
}

/** The part of the entries that is searched where no index finds words anywhere in them. */
function SearchReach({ list }: { list: ListStore }) {
  const field = list.requests.startField(list.view.value)
  if (field === undefined) return null
  const label = list.type.layout.fields[field]?.listLabel ?? field
  return (
    <p class="reach">
      {t('list.search.starts', { field: label, text: list.view.value.search })}{' '}
      <button type="button" class="text-button" onClick={() => list.change({ isWide: true })}>
        {t('list.search.anywhere')}
      </button>
    </p>
  )
}

function StateSelect({ list }: { list: ListStore }) {
  return (
    <Choose
      label={t('list.state')}
      value={list.view.value.state}
      choices={statesOf(list.type).map(state => ({ value: state, label: t(`state.${state}`) }))}
      onChange={state => list.change({ state: state as ListState })}
    />
  )
}

function LanguageSelect({ list }: { list: ListStore }) {
  const all = meta.value?.languages ?? []
  const permitted = list.type.can.read?.locales
  const languages = all.filter(({ code }) => permitted?.includes(code) ?? true)
  const usual = languages.find(({ isDefault }) => isDefault)?.code ?? ''
  return (
    <Choose
      label={t('list.language')}
      value={list.view.value.locale ?? usual}
      choices={[
        ...languages.map(({ code, name }) => ({ value: code, label: name })),
        { value: 'all', label: t('list.language.all') },
      ]}
      onChange={code => list.change({ locale: code })}
    />
  )
}

interface ChooseProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

/** A choice beside its label. */
function Choose({ label, value, choices, onChange }: ChooseProps) {
  return (
    <label class="labelled">
      {label}
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}
