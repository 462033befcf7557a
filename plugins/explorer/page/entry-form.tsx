import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Section } from '../../pages/page/controls.js'
import { draftOf, writable } from '../builder/data.js'
import { formQuery } from '../builder/form.js'
import type { TypeInfo } from '../builder/metadata.js'
import type { BuilderState } from '../builder/state.js'
import { readEntry } from './api.js'
import { Attributes } from './attributes.js'
import { change, model, problems, query, session, state, written } from './store.js'

/** A form of the attributes of a type. An entry that is changed is read first. */
export function EntryForm({ type }: { type: TypeInfo }) {
  const known = model.value
  const built = state.value
  const missing = useSignal(false)
  const isUpdate = built.action === 'update'
  const hasEntry = type.kind === 'singleType' || built.id !== ''
  useEffect(() => {
    if (!isUpdate || !hasEntry || !known) return
    const { locale } = query.value
    const asked = { ...formQuery(known, type), ...(locale !== undefined && { locale }) }
    void readEntry(known, built, asked, session.value?.token).then(entry => {
      missing.value = entry === undefined
      const draft = entry ? draftOf(known, type, entry) : {}
      const latest = state.value
      if (latest.uid === built.uid && latest.action === 'update' && latest.id === built.id)
        change({ ...latest, draft, former: draft })
    })
  }, [built.uid, built.id, isUpdate])
  if (!known) return null
  if (isUpdate && !hasEntry) return <p class="empty">Choose the entry that is changed.</p>
  const changed = Object.keys(written.value?.data ?? {})
  return (
    <Section title="Data" note={noteOf(built, changed)}>
      {missing.value && type.kind === 'collectionType' && <p class="hint">This caller cannot read that entry.</p>}
      <Attributes
        type={type}
        attributes={writable(known, type)}
        draft={built.draft}
        problems={problems.value}
        at=""
        onChange={draft => change({ ...built, draft })}
      />
    </Section>
  )
}

const noteOf = ({ action }: BuilderState, changed: readonly string[]): string =>
  action === 'create'
    ? 'empty means not sent'
    : changed.length > 0
      ? `changes ${changed.join(', ')}`
      : 'nothing changed yet'
