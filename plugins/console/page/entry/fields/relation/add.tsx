import { useSignal } from '@preact/signals'
import { Combobox } from '../../../../../pages/page/combobox.js'
import { isDone } from '../../../../../pages/page/request.js'
import { pickedFrom, pickerQueries } from '../../../../model/form/picker.js'
import { type Related, refOf } from '../../../../model/form/plain.js'
import type { Relation } from '../../../../model/form/relation.js'
import type { TypeMeta } from '../../../../model/meta.js'
import { ask } from '../../../api.js'
import { choicesAt, hasChoices } from '../../../choices.js'
import { say } from '../../../shell/messages.js'
import { meta } from '../../../shell/session.js'
import { t } from '../../../text.js'
import { canCreateBeside } from '../../beside/rights.js'
import { useEntry } from '../../context.js'
import type { FieldProps } from '../props.js'

/** An entry that is not there yet, by the text that was searched for. */
interface Fresh {
  readonly text: string
}

interface AddProps extends FieldProps<Relation> {
  readonly id: string
  readonly label: string
  readonly titleOf: (entry: Related) => string
}

/** Finds entries by typing; one that is not found can be made, where the account may. */
export function Add({ item, node, id, label, titleOf }: AddProps) {
  const here = useEntry()
  const { store, Beside } = here
  const fresh = useSignal<string | undefined>(undefined)
  const { kinds } = store
  const holder = kinds.of(item.uid)
  const types = targetsOf(node.attribute.targets, meta.value?.types ?? [])
  const chosen = useSignal(types[0]?.uid)
  const type = types.find(({ uid }) => uid === chosen.value)
  if (!type || !holder) return <p class="quiet">{t('relation.forbidden')}</p>
  const search = async (text: string): Promise<readonly (Related | Fresh)[]> => {
    const queries = pickerQueries(kinds, node.attribute, holder, {
      type,
      search: { text, locale: store.locale.peek() },
    })
    for (const query of queries) {
      const reply = await ask({ url: choicesAt(type, query) })
      const found = isDone(reply) ? pickedFrom(type, reply.body) : []
      const others = found.filter(entry => !node.entries.peek().some(one => refOf(one) === refOf(entry)))
      if (others.length > 0) return [...others, ...offered(text, others)]
    }
    return offered(text, [])
  }
  const offered = (text: string, found: readonly Related[]): readonly Fresh[] => {
    const isThere = [...found, ...node.entries.peek()].some(one => titleOf(one).toLowerCase() === text.toLowerCase())
    return text !== '' && !isThere && canCreateBeside(here, type) ? [{ text }] : []
  }
  const add = (entry: Related) => {
    node.add(entry, titleOf(entry))
    say(t('items.added', { title: titleOf(entry) }))
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
      <Combobox<Related | Fresh>
        key={type.uid}
        label={t('relation.add', { label })}
        placeholder={t('relation.search', { type: type.name })}
        listLabel={t('relation.found', { label })}
        nothing={t('relation.nothing')}
        isRequired={node.attribute.required === true && node.entries.value.length === 0}
        search={search}
        keyOf={one => ('text' in one ? 'fresh' : refOf(one))}
        show={one =>
          'text' in one ? (
            <span class="fresh">{t('relation.create', { text: one.text })}</span>
          ) : (
            <Found entry={one} title={titleOf(one)} type={type} />
          )
        }
        onPick={one => {
          if ('text' in one) fresh.value = one.text
          else add(one)
        }}
      />
      {Beside && fresh.value !== undefined && (
        <Beside
          type={type}
          text={fresh.value}
          locale={store.locale.peek()}
          onStored={add}
          onClose={() => {
            fresh.value = undefined
          }}
        />
      )}
    </span>
  )
}

/** The types whose entries may be chosen. A relation to any type leads to those that have views. */
const targetsOf = (targets: readonly string[] | undefined, types: readonly TypeMeta[]): readonly TypeMeta[] =>
  types.filter(type => hasChoices(type) && (targets?.includes(type.uid) ?? type.isChosen !== true))

function Found({ entry, title, type }: { entry: Related; title: string; type: TypeMeta }) {
  const isUnpublished = type.options.drafts && entry.values.publishedAt === null
  const further = Object.entries(entry.values).find(
    ([name, value]) => !['publishedAt', 'locale', 'id'].includes(name) && value !== null && String(value) !== title,
  )?.[1]
  return (
    <>
      <span dir="auto">{title}</span>
      {typeof further === 'string' && <span class="quiet"> {further.slice(0, 60)}</span>}
      {isUnpublished && <span class="quiet"> ○ {t('mark.draft')}</span>}
    </>
  )
}
