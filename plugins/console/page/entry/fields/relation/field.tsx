import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '../../../../../pages/page/controls.js'
import { moreOf } from '../../../../model/form/asked.js'
import { isDraft } from '../../../../model/form/linked-drafts.js'
import { type Related, refOf } from '../../../../model/form/plain.js'
import type { Relation } from '../../../../model/form/relation.js'
import { relatedTitle } from '../../../../model/form/titles.js'
import { say } from '../../../shell/messages.js'
import { addressOfEntry } from '../../../shell/routes.js'
import { t } from '../../../text.js'
import { canEditBeside } from '../../beside/rights.js'
import { useEntry } from '../../context.js'
import { MoveButtons } from '../../move-buttons.js'
import { focusAfter, keepingFocus, moveByKey } from '../../moving.js'
import { FieldNotes, GroupLabel, Shared, useFrame } from '../frame.js'
import type { FieldProps } from '../props.js'
import { Add } from './add.js'

/** Entries of other types, or of one: found by typing, and kept in their order. */
export function RelationField(props: FieldProps<Relation>) {
  const { item, node } = props
  const frame = useFrame(props)
  const { store } = useEntry()
  const holder = store.kinds.of(item.uid)
  const titleOf = (entry: Related) =>
    (holder && relatedTitle(store.kinds, node.attribute, holder, entry)) ?? `#${entry.id}`
  const count = node.attribute.many ? node.count : undefined
  return (
    <fieldset class="field relation" aria-labelledby={`${frame.id}-label`} aria-describedby={frame.describedBy}>
      <div class="field-head">
        <span class="label">
          <GroupLabel frame={frame} isRequired={node.attribute.required} />
          {count !== undefined && count > 0 && <span class="note"> ({count})</span>}
        </span>
        <Shared frame={frame} />
      </div>
      <Entries relation={node} label={frame.label} titleOf={titleOf} isReadOnly={frame.isReadOnly} />
      {!frame.isReadOnly && <Add {...props} id={frame.id} label={frame.label} titleOf={titleOf} />}
      {/* A link to the field leads to its list where nothing can be added. */}
      {frame.isReadOnly && <span id={frame.id} tabIndex={-1} />}
      <FieldNotes frame={frame} />
    </fieldset>
  )
}

interface EntriesProps {
  readonly relation: Relation
  readonly label: string
  readonly titleOf: (entry: Related) => string
  readonly isReadOnly: boolean
}

function Entries({ relation, label, titleOf, isReadOnly }: EntriesProps) {
  const entryHere = useEntry()
  const { store, form, Beside } = entryHere
  const list = useRef<HTMLUListElement>(null)
  const edited = useSignal<Related | undefined>(undefined)
  const entries = relation.entries.value
  const { attribute } = relation
  const canMove = !isReadOnly && attribute.many && entries.length > 1
  if (entries.length === 0) return isReadOnly ? <p class="quiet">{t('relation.none')}</p> : null
  const move = (entry: Related, to: number) => {
    const title = titleOf(entry)
    keepingFocus(() => relation.move(entry, to, title))
    say(t('items.moved', { title, place: to + 1, count: relation.count ?? entries.length }))
  }
  const remove = (entry: Related, at: number) => {
    relation.remove(entry, titleOf(entry))
    say(t('items.removed', { title: titleOf(entry) }))
    focusAfter(list.current, at)
  }
  const type = store.kinds.type(edited.value?.uid)
  const more = async () => {
    const question = moreOf(form, relation)
    if (question && !(await store.answer(question))) say(t('failed'))
  }
  return (
    <>
      <ul class="related" aria-label={label} ref={list}>
        {entries.map((entry, at) => {
          const title = titleOf(entry)
          return (
            <li
              key={refOf(entry)}
              onKeyDown={event => {
                if (canMove) moveByKey(event, at, entries.length, to => move(entry, to))
              }}
            >
              <Title entry={entry} title={title} />
              {canEditBeside(entryHere, entry) && (
                <Icon
                  label={t('relation.edit', { title })}
                  sign="✎"
                  onClick={() => {
                    edited.value = entry
                  }}
                />
              )}
              {canMove && <MoveButtons title={title} at={at} count={entries.length} onMove={to => move(entry, to)} />}
              {!isReadOnly && <Icon label={t('items.remove', { title })} sign="×" onClick={() => remove(entry, at)} />}
            </li>
          )
        })}
      </ul>
      {relation.value.value.more && (
        <button type="button" class="text-button" onClick={() => void more()}>
          {t('relation.more', { label })}
        </button>
      )}
      {Beside && type && edited.value && (
        <Beside
          type={type}
          id={edited.value.id}
          onStored={entry => relation.renew(entry)}
          onClose={() => {
            edited.value = undefined
          }}
        />
      )}
    </>
  )
}

/** The title of an entry, with its state where it is a draft; a link to it, in another tab, as changes would be left here. */
function Title({ entry, title }: { entry: Related; title: string }) {
  const { store } = useEntry()
  const type = store.kinds.type(entry.uid)
  return (
    <span class="related-title">
      {type?.path !== undefined && type.can.read !== null ? (
        <a href={addressOfEntry(type, entry.id)} target="_blank" rel="noreferrer" dir="auto">
          {title}
        </a>
      ) : (
        <span dir="auto">{title}</span>
      )}
      {isDraft(store.kinds, entry) && <span class="quiet"> ○ {t('mark.draft')}</span>}
    </span>
  )
}
