import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Combobox } from '../../../../pages/page/combobox.js'
import { Icon } from '../../../../pages/page/controls.js'
import { isDone } from '../../../../pages/page/request.js'
import { withQuery } from '../../../../pages/values/query-text.js'
import { moreOf } from '../../../model/form/asked.js'
import { pickedFrom, pickerQueries } from '../../../model/form/picker.js'
import { type Related, refOf } from '../../../model/form/plain.js'
import type { Relation } from '../../../model/form/relation.js'
import { relatedTitle } from '../../../model/form/titles.js'
import type { TypeMeta } from '../../../model/meta.js'
import { ask } from '../../api.js'
import { say } from '../../shell/messages.js'
import { addressOfEntry } from '../../shell/routes.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'
import { focusAfter, keepingFocus, placeByKey } from '../moving.js'
import { FieldNotes, Required, Shared, useFrame } from './frame.js'
import type { FieldProps } from './props.js'

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
          <span id={`${frame.id}-label`}>{frame.label}</span>
          <Required isRequired={node.attribute.required} />
          {count !== undefined && count > 0 && <span class="note"> ({count})</span>}
        </span>
        <Shared frame={frame} />
      </div>
      <Entries relation={node} label={frame.label} titleOf={titleOf} isReadOnly={frame.isReadOnly} />
      {!frame.isReadOnly && <Add {...props} id={frame.id} label={frame.label} titleOf={titleOf} />}
      {/* Where nothing can be added, a link to the field leads to its list. */}
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
  const { store, form } = useEntry()
  const list = useRef<HTMLUListElement>(null)
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
                const to = canMove ? placeByKey(event, at, entries.length) : undefined
                if (to === undefined) return
                event.preventDefault()
                event.stopPropagation()
                if (to !== at) move(entry, to)
              }}
            >
              <Title entry={entry} title={title} />
              {canMove && (
                <>
                  <Icon
                    label={t('items.up', { title })}
                    sign="▲"
                    disabled={at === 0}
                    onClick={() => move(entry, at - 1)}
                  />
                  <Icon
                    label={t('items.down', { title })}
                    sign="▼"
                    disabled={at === entries.length - 1}
                    onClick={() => move(entry, at + 1)}
                  />
                </>
              )}
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
    </>
  )
}

/** The title of an entry, with its state where it is a draft; a link to it, in another tab, as changes would be left here. */
function Title({ entry, title }: { entry: Related; title: string }) {
  const { store } = useEntry()
  const type = store.kinds.type(entry.uid)
  const isDraft = type?.options.drafts === true && entry.values.publishedAt === null
  return (
    <span class="related-title">
      {type?.path !== undefined && type.can.read !== null ? (
        <a href={addressOfEntry(type, entry.id)} target="_blank" rel="noreferrer" dir="auto">
          {title}
        </a>
      ) : (
        <span dir="auto">{title}</span>
      )}
      {isDraft && <span class="quiet"> ○ {t('mark.draft')}</span>}
    </span>
  )
}

interface AddProps extends FieldProps<Relation> {
  readonly id: string
  readonly label: string
  readonly titleOf: (entry: Related) => string
}

function Add({ item, node, id, label, titleOf }: AddProps) {
  const { store } = useEntry()
  const { kinds } = store
  const holder = kinds.of(item.uid)
  const types = targetsOf(node.attribute.targets, meta.value?.types ?? [])
  const chosen = useSignal(types[0]?.uid)
  const type = types.find(({ uid }) => uid === chosen.value)
  if (!type || !holder) return <p class="quiet">{t('relation.forbidden')}</p>
  const search = async (text: string): Promise<readonly Related[]> => {
    const queries = pickerQueries(kinds, node.attribute, holder, {
      type,
      search: { text, locale: store.locale.peek() },
    })
    for (const query of queries) {
      const reply = await ask({ url: withQuery(`${meta.peek()?.app.api}${type.path}`, query) })
      const found = isDone(reply) ? pickedFrom(type, reply.body) : []
      const others = found.filter(entry => !node.entries.peek().some(one => refOf(one) === refOf(entry)))
      if (others.length > 0) return others
    }
    return []
  }
  return (
    <span class="add" id={id} tabIndex={-1}>
      {node.attribute.targets === undefined && (
        <select
          aria-label={t('relation.type', { label })}
          value={chosen.value}
          onChange={event => {
            chosen.value = event.currentTarget.value
          }}
        >
          {types.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Combobox<Related>
        key={type.uid}
        label={t('relation.add', { label })}
        placeholder={t('relation.search', { type: type.name })}
        listLabel={t('relation.found', { label })}
        nothing={t('relation.nothing')}
        search={search}
        keyOf={refOf}
        show={entry => <Found entry={entry} title={titleOf(entry)} type={type} />}
        onPick={entry => {
          node.add(entry, titleOf(entry))
          say(t('items.added', { title: titleOf(entry) }))
        }}
      />
    </span>
  )
}

/** The types whose entries may be chosen: those that the account may read. */
const targetsOf = (targets: readonly string[] | undefined, types: readonly TypeMeta[]): readonly TypeMeta[] =>
  types.filter(({ uid, path, can }) => path !== undefined && can.read !== null && (targets?.includes(uid) ?? true))

function Found({ entry, title, type }: { entry: Related; title: string; type: TypeMeta }) {
  const isDraft = type.options.drafts && entry.values.publishedAt === null
  const further = Object.entries(entry.values).find(
    ([name, value]) => !['publishedAt', 'locale', 'id'].includes(name) && value !== null && String(value) !== title,
  )?.[1]
  return (
    <>
      <span dir="auto">{title}</span>
      {typeof further === 'string' && <span class="quiet"> {further.slice(0, 60)}</span>}
      {isDraft && <span class="quiet"> ○ {t('mark.draft')}</span>}
    </>
  )
}
