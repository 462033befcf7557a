import { useSignal } from '@preact/signals'
import { Combobox } from '../../pages/page/combobox.js'
import { Icon, Select } from '../../pages/page/controls.js'
import { isRecord } from '../../pages/values/records.js'
import { labelOf } from '../builder/data.js'
import { labelField, type TypeInfo } from '../builder/metadata.js'
import type { RelatedEntry } from '../builder/state.js'
import { read } from './api.js'
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
      {(many || chosen.length === 0) && (
        <Combobox
          label={`${label}: search ${type.name}`}
          placeholder={`Search ${type.name} or type an id`}
          listLabel={`Found in ${type.name}`}
          nothing="Nothing found"
          search={text => search(type, text)}
          keyOf={({ id }) => id}
          show={({ id, label }) => (
            <>
              {label} <span class="path">#{id}</span>
            </>
          )}
          onPick={add}
        />
      )}
    </span>
  )
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
