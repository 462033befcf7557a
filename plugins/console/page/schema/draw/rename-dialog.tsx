import { type Signal, useSignal } from '@preact/signals'
import type { Drawing, DrawnType } from '../../../model/schema/drawing.js'
import { componentNamesProblem, typeNamesProblem } from '../../../model/schema/names.js'
import {
  componentNames,
  fixedNames,
  type RenamedType,
  renameComponent,
  renameType,
} from '../../../model/schema/rename.js'
import { TextBox } from '../../settings/fields.js'
import { go } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { addressOfSchema } from '../../shell/routes.js'
import { t } from '../../text.js'
import { draw, drawing } from '../store.js'
import { FormDialog } from './form-dialog.js'
import { told, toldProblem } from './words.js'

interface Props {
  readonly type: DrawnType
  readonly onClose: () => void
}

/** Other names of a type or a component, and all that changes with them. */
export function RenameDialog({ type, onClose }: Props) {
  const displayName = useSignal(type.name)
  const form = (type.kind === 'component' ? useComponent : useType)(type, displayName)
  const isTried = useSignal(false)
  const now = drawing.value
  if (!now) return null
  const { problem, renamed } = form.read(now)
  const submit = () => {
    isTried.value = true
    if (!renamed) return
    const next = renamed.drawing.type(renamed.uid)
    draw(renamed.drawing)
    say(t('schema.drawn', { name: next?.name ?? renamed.uid }))
    onClose()
    if (next && next.uid !== type.uid) go(addressOfSchema(next))
  }
  return (
    <FormDialog
      title={t('schema.renameOf', { name: type.name })}
      values={() => [displayName.value, ...form.boxes.map(({ value }) => value.value)]}
      problem={isTried.value ? problem : ''}
      {...{ submit, onClose }}
    >
      <TextBox label={told('word', 'displayName')} value={displayName} />
      {form.boxes.map(box => (
        <TextBox key={box.label} {...box} isRequired />
      ))}
      <Consequences {...{ type, now, renamed }} />
    </FormDialog>
  )
}

interface NameForm {
  readonly boxes: readonly {
    readonly label: string
    readonly value: Signal<string>
    readonly note?: string
    readonly isFixed?: boolean
  }[]
  /** The meaning of the names as they are; nothing where they cannot be given. */
  readonly read: (now: Drawing) => { readonly problem: string; readonly renamed: RenamedType | undefined }
}

function useType(type: DrawnType, displayName: Signal<string>): NameForm {
  const [singular, plural] = [useSignal(type.singular), useSignal(type.plural)]
  const fixed = fixedNames(type)
  return {
    boxes: [
      {
        ...{ label: t('schema.singular'), value: singular, isFixed: fixed !== undefined },
        note: t('schema.singular.note'),
      },
      {
        ...{ label: t('schema.plural'), value: plural, isFixed: fixed === 'plugin' },
        // The table of a type that Strapi reads keeps its name.
        ...(fixed === undefined && { note: t('schema.plural.note') }),
      },
    ],
    read: now => {
      const names = { singular: singular.value, plural: plural.value }
      const found = typeNamesProblem(now, { ...names, kind: type.kind }, type)
      const given = { ...names, displayName: displayName.value || names.singular }
      return { problem: toldProblem(found), renamed: found ? undefined : renameType(now, type, given) }
    },
  }
}

function useComponent(type: DrawnType, displayName: Signal<string>): NameForm {
  const { category: formerCategory, name: formerName } = componentNames(type)
  const [category, name] = [useSignal(formerCategory), useSignal(formerName)]
  return {
    boxes: [
      { label: t('schema.category'), value: category, note: t('schema.singular.note') },
      { label: t('schema.name'), value: name, note: t('schema.singular.note') },
    ],
    read: now => {
      const names = { category: category.value, name: name.value }
      const found = componentNamesProblem(now, names, type)
      const given = { ...names, displayName: displayName.value || names.name }
      return { problem: toldProblem(found), renamed: found ? undefined : renameComponent(now, type, given) }
    },
  }
}

/** All that other names mean, before anything is drawn. */
function Consequences({
  type,
  now,
  renamed,
}: Pick<Props, 'type'> & { now: Drawing; renamed: RenamedType | undefined }) {
  const fixed = fixedNames(type)
  const next = renamed?.drawing.type(renamed.uid)
  const isOther = next !== undefined && (next.uid !== type.uid || next.plural !== type.plural)
  const isMoved = isOther && next.uid !== type.uid
  const files = renamed ? changedBetween(now, renamed.drawing) : []
  return (
    <>
      {fixed && <p class="note">{t(`schema.rename.fixed.${fixed}`)}</p>}
      {isMoved && type.running && <p>{t('schema.rename.kept')}</p>}
      {isMoved && type.running && type.path.startsWith('src/') && <p class="problem">{t('schema.rename.strapi')}</p>}
      {isOther && type.kind !== 'component' && <p>{t('schema.rename.addresses')}</p>}
      {isOther && <p>{t('schema.rename.apart')}</p>}
      {files.length > 0 && (
        <>
          <p>{t('schema.rename.files')}</p>
          <ul class="schema-relations">
            {files.map(path => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const changedBetween = ({ drafts: before }: Drawing, { drafts: after }: Drawing): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(path => before[path] !== after[path]).sort()
