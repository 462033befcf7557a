import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { isRecord, labelOf } from '../builder/data.js'
import { labelField, type TypeInfo } from '../builder/metadata.js'
import type { RelatedEntry } from '../builder/state.js'
import { read } from './api.js'
import { Icon, Select } from './controls.js'
import { change, session, state } from './store.js'

/** Finds entries of a type by a text, or by their id. */
async function search(type: TypeInfo, text: string): Promise<readonly RelatedEntry[]> {
  if (type.listedAt === undefined) return []
  const label = labelField(type)
  const byId = /^\d+$/.test(text)
  const isOwn = type.listedAt === type.path
  const query = {
    ...(label !== undefined && { fields: ['id', label] }),
    ...(byId ? { filters: { id: { $eq: text } } } : text !== '' && { _q: text }),
    ...(isOwn && { pagination: { pageSize: 10, withCount: false } }),
  }
  const body = await read(type.listedAt, query, session.value?.token)
  const list = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body.data) ? body.data : []
  return list
    .slice(0, 10)
    .filter(isRecord)
    .map(entry => {
      const attributes = isRecord(entry.attributes) ? entry.attributes : entry
      return { id: Number(entry.id), label: labelOf(type, attributes) }
    })
}

/** Names from earlier searches, so that a chosen id keeps its name. */
const names = new Map<string, string>()

/** Chooses entries that something leads to: typing searches, arrows and Enter choose. */
export function RelationPicker({
  label,
  targets,
  many,
  chosen,
  onChange,
  typed = false,
}: {
  label: string
  targets: readonly TypeInfo[]
  many: boolean
  chosen: readonly RelatedEntry[]
  onChange: (chosen: readonly RelatedEntry[]) => void
  /** Each entry says which type it is of. */
  typed?: boolean
}) {
  const uid = useSignal(targets[0]?.uid ?? '')
  const type = targets.find(target => target.uid === uid.value) ?? targets[0]
  if (!type) return null
  const nameOf = ({ id, label, type: of }: RelatedEntry) => label || names.get(`${of ?? type.uid} ${id}`) || ''
  const add = (found: RelatedEntry) => {
    names.set(`${type.uid} ${found.id}`, found.label)
    const next = typed ? { ...found, type: type.uid } : found
    const others = chosen.filter(({ id, type: of }) => id !== next.id || of !== next.type)
    onChange(many ? [...others, next] : [next])
  }
  return (
    <span class="picker">
      {chosen.map((one, index) => (
        <span class="picked" key={`${one.type} ${one.id}`}>
          <span>
            {nameOf(one) || 'entry'} <span class="path">#{one.id}</span>
          </span>
          <Icon
            label={`${label}: remove ${nameOf(one) || one.id}`}
            sign="×"
            onClick={() => onChange(chosen.filter((_, at) => at !== index))}
          />
        </span>
      ))}
      {typed && targets.length > 1 && (
        <Select
          label={`${label}: type`}
          value={type.uid}
          choices={targets.map(({ uid, name }) => ({ value: uid, label: name }))}
          onChange={value => (uid.value = value)}
        />
      )}
      {(many || chosen.length === 0) && <SearchBox label={label} type={type} onPick={add} />}
    </span>
  )
}

function SearchBox({ label, type, onPick }: { label: string; type: TypeInfo; onPick: (found: RelatedEntry) => void }) {
  const list = useId()
  const box = useSearch(type, onPick)
  const { text, found, at, isOpen } = box
  return (
    <span class="combobox">
      <input
        role="combobox"
        aria-label={`${label}: search ${type.name}`}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${list}-${at}` : undefined}
        placeholder={`Search ${type.name} or type an id`}
        autocomplete="off"
        value={text}
        onFocus={box.open}
        onBlur={box.close}
        onKeyDown={box.onKey}
        onInput={event => box.type(event.currentTarget.value)}
      />
      <div class="options" role="listbox" id={list} aria-label={`Found in ${type.name}`} hidden={!isOpen}>
        {found?.map((one, index) => (
          <Option key={one.id} id={`${list}-${index}`} one={one} isActive={index === at} onPick={() => box.pick(one)} />
        ))}
      </div>
      {isOpen && found?.length === 0 && (
        <div class="options quiet" role="status">
          Nothing found
        </div>
      )}
    </span>
  )
}

function Option({
  id,
  one,
  isActive,
  onPick,
}: {
  id: string
  one: RelatedEntry
  isActive: boolean
  onPick: () => void
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
    <div role="option" id={id} aria-selected={isActive} onMouseDown={event => event.preventDefault()} onClick={onPick}>
      {one.label} <span class="path">#{one.id}</span>
    </div>
  )
}

/** The behaviour of a search box: it searches for the typed text, and the arrow keys move through the results. */
function useSearch(type: TypeInfo, onPick: (found: RelatedEntry) => void) {
  const text = useSignal('')
  const found = useSignal<readonly RelatedEntry[] | undefined>(undefined)
  const at = useSignal(-1)
  const isOpen = useSignal(false)
  const asked = useRef(0)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const look = async () => {
    asked.current += 1
    const mine = asked.current
    const results = await search(type, text.value.trim())
    if (mine !== asked.current) return
    found.value = results
    at.value = results.length > 0 ? 0 : -1
  }
  const open = () => {
    isOpen.value = true
    void look()
  }
  const close = () => {
    isOpen.value = false
  }
  const pick = (one: RelatedEntry | undefined) => {
    if (!one) return
    text.value = ''
    close()
    clearTimeout(waiting.current)
    asked.current += 1
    onPick(one)
  }
  const move = (step: number) => {
    const count = found.value?.length ?? 0
    if (!isOpen.value) open()
    else if (count > 0) at.value = (at.value + step + count) % count
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen.value && { Enter: () => pick(found.value?.[at.value]), Escape: close }),
  }
  const onKey = (event: KeyboardEvent) => {
    const does = event.ctrlKey || event.metaKey ? undefined : keys[event.key]
    if (!does) return
    event.preventDefault()
    event.stopPropagation()
    does()
  }
  const typed = (next: string) => {
    text.value = next
    isOpen.value = true
    // The results shown belong to another text: Enter must not choose one.
    at.value = -1
    asked.current += 1
    clearTimeout(waiting.current)
    waiting.current = setTimeout(look, 150)
  }
  return {
    ...{ text: text.value, found: found.value, at: at.value, isOpen: isOpen.value },
    ...{ open, close, pick, onKey, type: typed },
  }
}

/** The entry that is read, changed or deleted. */
export function EntryPicker({ type }: { type: TypeInfo }) {
  const built = state.value
  const chosen = built.id === '' ? [] : [{ id: Number(built.id), label: '' }]
  return (
    <div class="row entry">
      <span class="row-label">Entry</span>
      <RelationPicker
        label="Entry"
        targets={[type]}
        many={false}
        chosen={chosen}
        onChange={([one]) => change({ ...built, id: one ? String(one.id) : '' })}
      />
    </div>
  )
}
