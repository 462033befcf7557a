import type { ComponentChildren } from 'preact'
import type { Item, Node } from '../../../model/form/item.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'
import { fieldId, isStanding, problemText } from '../store/problems.js'
import type { FieldProps } from './props.js'

/** The ids by which a control and its label refer to each other. */
export interface Frame {
  readonly id: string
  readonly label: string
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly isReadOnly: boolean
  readonly isRequired: boolean
  /** The language of its value, for speech and spelling. */
  readonly lang: string | undefined
}

/** The texts below the control of a field. */
interface Notes {
  readonly problem: string | undefined
  readonly description: string | undefined
  readonly hints: readonly string[]
  /** Its value is the same in all languages of the entry. */
  readonly isShared: boolean
}

/** The names and notes of a field; its reader subscribes to the problem alone, and not to what is typed. */
export function useFrame({ item, node, name, layout }: FieldProps): Frame & Notes {
  const { store, isPast = false } = useEntry()
  const id = fieldId(item, name)
  const problem = useProblem(node)
  const description = layout?.description
  const isReadOnly = !node.canWrite || !store.canSave.value
  const hints = hintsOf(node, isReadOnly && !isPast)
  const isShared = useShared(item, node)
  const isDescribed = problem !== undefined || description !== undefined || hints.length > 0
  return {
    id,
    label: layout?.label ?? name,
    describedBy:
      [...(isShared ? [`${id}-shared`] : []), ...(isDescribed ? [`${id}-notes`] : [])].join(' ') || undefined,
    isInvalid: problem !== undefined,
    isReadOnly,
    isRequired: node.attribute.required === true,
    lang: store.type.options.localized ? (store.locale.value ?? undefined) : undefined,
    ...{ problem, description, hints, isShared },
  }
}

function useProblem(node: Node): string | undefined {
  const { store } = useEntry()
  if (node.kind === 'cell') {
    const problem = node.problem.value
    if (problem) return problemText(problem)
  } else if (node.refused.value !== undefined) return node.refused.value
  const known = store.problems.value.find(one => one.node === node)
  return known && isStanding(known) ? known.text : undefined
}

function hintsOf(node: Node, saysReadOnly: boolean): readonly string[] {
  const mark = node.kind === 'items' ? undefined : node.mark.value
  return [...(saysReadOnly ? [t('field.readOnly')] : []), ...(mark === undefined ? [] : [t('field.emptied')])]
}

function useShared(item: Item, { attribute }: Node): boolean {
  const { store, form } = useEntry()
  const isTranslated = store.type.options.localized && store.languages.length > 1
  // Each language has an address of its own.
  return isTranslated && item === form.root && attribute.localized !== true && attribute.type !== 'uid'
}

/** A label, its control, and what is to be said about them. */
export function FieldFrame({
  frame,
  isRequired,
  children,
  beside,
}: {
  frame: Frame & Notes
  isRequired: boolean | undefined
  children: ComponentChildren
  beside?: ComponentChildren
}) {
  return (
    <div class="field">
      <div class="field-head">
        <label for={frame.id}>
          {frame.label}
          <Required isRequired={isRequired} />
        </label>
        <Shared frame={frame} />
        {beside}
      </div>
      {children}
      <FieldNotes frame={frame} />
    </div>
  )
}

/** A change of the value changes all languages. */
export const Shared = ({ frame: { id, isShared } }: { frame: Frame & Notes }) =>
  isShared ? (
    <span class="quiet shared" id={`${id}-shared`}>
      {t('field.shared')}
    </span>
  ) : null

/** The label of a group, whose role cannot say that it is required: a word does. */
export const GroupLabel = ({ frame: { id, label }, isRequired }: { frame: Frame; isRequired: boolean | undefined }) => (
  <>
    <span id={`${id}-label`}>
      {label}
      {isRequired && <span class="hidden"> ({t('field.required')})</span>}
    </span>
    <Required isRequired={isRequired} />
  </>
)

export const Required = ({ isRequired }: { isRequired: boolean | undefined }) =>
  isRequired ? (
    <span class="required" aria-hidden="true">
      {' '}
      *
    </span>
  ) : null

export function FieldNotes({ frame: { id, problem, description, hints } }: { frame: Frame & Notes }) {
  if (problem === undefined && description === undefined && hints.length === 0) return null
  return (
    <div id={`${id}-notes`} class="notes">
      {problem !== undefined && <p class="problem">{problem}</p>}
      {description !== undefined && <p class="quiet">{description}</p>}
      {hints.map(hint => (
        <p key={hint} class="quiet">
          {hint}
        </p>
      ))}
    </div>
  )
}

/** The attributes of a control. */
export const controlProps = ({ id, describedBy, isInvalid, isRequired, lang }: Frame) => ({
  ...{ id, lang },
  'aria-required': isRequired ? ('true' as const) : undefined,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid ? ('true' as const) : undefined,
})
