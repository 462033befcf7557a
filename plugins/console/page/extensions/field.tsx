import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AttributeModuleMeta } from '../../model/extensions.js'
import type { Cell } from '../../model/form/cell.js'
import type { Form } from '../../model/form/form.js'
import { loaded as linked, type PlainItem, type PlainValue, type Related } from '../../model/form/plain.js'
import { typedOf } from '../../model/form/typed.js'
import type { ChosenFile, EditedField, FieldState, Values } from '../../model/mounts.js'
import type { Frame } from '../entry/fields/frame.js'
import { ChooseFiles } from '../files/choose-files.js'
import { api } from './context.js'
import { Mount } from './mount.js'

interface ExtensionFieldProps {
  readonly extension: AttributeModuleMeta
  readonly cell: Cell
  readonly form: Form
  readonly locale: string | null
  readonly frame: Frame & { readonly problem: string | undefined }
  readonly failure: Signal<string | undefined>
}

interface Choosing {
  readonly many: boolean
  readonly take: (files: readonly ChosenFile[]) => void
}

/** The editor of a plugin, without its label and notes. */
export function ExtensionField({ extension, cell, form, locale, frame, failure }: ExtensionFieldProps) {
  const choosing = useSignal<Choosing | undefined>(undefined)
  const { attribute } = cell
  const { value: parsed } = cell.parsed.value
  const { label, isReadOnly, problem: error, describedBy } = frame
  const state: FieldState<unknown> = {
    value: parsed === undefined ? cell.value.value : parsed,
    ...{ label, isReadOnly, isRequired: attribute.required === true, error, locale, describedBy },
  }
  const given = ({ t }: Pick<EditedField<unknown>, 't'>) => ({
    ...{ id: frame.id, attribute, api, t },
    entry: () => valuesOf(form.root.plain()),
    change: (value: unknown) => {
      if (cell.canWrite) cell.value.value = typedOf(attribute, value)
    },
    files: {
      choose: ({ many = false } = {}) =>
        new Promise<readonly ChosenFile[]>(resolve => {
          choosing.value = { many, take: resolve }
        }),
    },
  })
  const take = (files: readonly Related[]) => {
    choosing.value?.take(files.map(fileOf))
    choosing.value = undefined
  }
  return (
    <>
      <Mount
        class="extension-field"
        extension={extension}
        state={state}
        given={given}
        id={frame.id}
        otherwise={reason => <Failed reason={reason} failure={failure} />}
      />
      {choosing.value && (
        <ChooseFiles
          label={frame.label}
          many={choosing.value.many}
          accepts={undefined}
          chosen={[]}
          onChoose={take}
          onClose={() => take([])}
        />
      )}
    </>
  )
}

/** The failure of the module is one of the whole field. */
function Failed({ reason, failure }: { reason: string; failure: Signal<string | undefined> }) {
  useEffect(() => {
    failure.value = reason
  }, [])
  return null
}

/** The form as the API would have it. */
export function valuesOf({ id, values }: PlainItem): Values {
  const own = Object.entries(values).map(([name, value]) => [name, plainOf(value)])
  return { ...(id !== undefined && { id }), ...Object.fromEntries(own) }
}

function plainOf(value: PlainValue): unknown {
  if (value.kind === 'typed') return value.typed === '' ? null : value.typed
  if (value.kind === 'items') return value.items.map(item => ({ __component: item.uid, ...valuesOf(item) }))
  return linked(value.links).map(({ id, values }) => ({ ...values, id }))
}

const fileOf = ({ id, values }: Related): ChosenFile => ({
  ...values,
  ...{ id, name: String(values.name ?? ''), url: String(values.url ?? '') },
})
