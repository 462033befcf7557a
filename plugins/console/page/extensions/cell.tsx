import type { ComponentChildren } from 'preact'
import type { AttributeModuleMeta } from '../../model/extensions.js'
import type { Values } from '../../model/form/plain.js'
import type { FieldInfo } from '../../model/meta.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { Mount } from './mount.js'

interface ExtendedCellProps {
  readonly extension: AttributeModuleMeta
  readonly attribute: FieldInfo
  readonly values: Values
  /** The value as lists show it otherwise. */
  readonly plain: ComponentChildren
}

/** Modules that have failed: that is said once, and not in every row. */
const failed = new Set<string>()

/** A value in a list, as a plugin shows it. */
export function ExtendedCell({ extension, attribute, values, plain }: ExtendedCellProps) {
  return (
    <Mount
      class="extension-cell"
      extension={extension}
      state={{ value: values[attribute.name] ?? null, attribute, entry: values }}
      given={({ t }) => ({ t })}
      otherwise={reason => {
        if (!failed.has(extension.module)) say(t('extension.cellFailed', { name: extension.name, reason }))
        failed.add(extension.module)
        return plain
      }}
    />
  )
}
