import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { AttributeModuleMeta } from '../../../model/extensions.js'
import type { Cell } from '../../../model/form/cell.js'
import { lazy } from '../../shell/lazy.js'
import { t } from '../../text.js'
import { useEntry } from '../context.js'
import { FieldFrame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'

const Extension = lazy(() => import('../../extensions/field.js').then(part => part.ExtensionField))

interface ExtendedProps {
  readonly props: FieldProps<Cell>
  readonly extension: AttributeModuleMeta
  /** The editor of the type. */
  readonly Plain: ComponentType<FieldProps<Cell>>
}

/** A field with an editor of a plugin; once that has failed, the one of its type. */
export function ExtendedField({ props, extension, Plain }: ExtendedProps) {
  const { store, form } = useEntry()
  const frame = useFrame(props)
  const failure = useSignal<string | undefined>(undefined)
  if (failure.value !== undefined)
    return (
      <>
        <Plain {...props} />
        <p class="problem" role="status">
          {t('extension.editorFailed', { name: extension.name, reason: failure.value })}
        </p>
      </>
    )
  return (
    <FieldFrame frame={frame} isRequired={props.node.attribute.required}>
      <Extension cell={props.node} locale={store.locale.value} {...{ extension, form, frame, failure }} />
    </FieldFrame>
  )
}
