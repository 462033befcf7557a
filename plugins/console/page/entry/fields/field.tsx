import { moduleFor } from '../../../model/extensions.js'
import type { Cell } from '../../../model/form/cell.js'
import type { AttributeInfo } from '../../../model/meta.js'
import { lazy } from '../../shell/lazy.js'
import { meta } from '../../shell/session.js'
import { BlocksField, loadBlocks } from './blocks.js'
import { BooleanField, EnumerationField } from './choice.js'
import { ExtendedField } from './extended.js'
import { ItemsField } from './items.js'
import { JsonField } from './json.js'
import type { FieldProps } from './props.js'
import { RelationField } from './relation/field.js'
import { LineField, LongTextField, PasswordField } from './text.js'
import { TimeField } from './time.js'
import { UidField } from './uid.js'
import { WaitingFiles, WaitingText } from './waiting.js'

const RichTextField = lazy(() => import('./rich-text/field.js').then(part => part.RichTextField), WaitingText)
const FilesField = lazy(() => import('./files.js').then(part => part.FilesField), WaitingFiles)

/** Loads the editors of a type while its entry is read. */
export function loadEditors(attributes: readonly Pick<AttributeInfo, 'type'>[]): void {
  const types = new Set(attributes.map(({ type }) => type))
  if (types.has('richtext')) RichTextField.loadAhead()
  if (types.has('media')) FilesField.loadAhead()
  if (types.has('blocks')) void loadBlocks().catch(() => undefined)
}

/** One field of a form, by its type. */
export function Field({ node, ...rest }: FieldProps) {
  if (node.kind === 'items') return <ItemsField node={node} {...rest} />
  if (node.kind === 'cell') return <ValueField node={node} {...rest} />
  if (node.attribute.type === 'media') return <FilesField node={node} {...rest} />
  return <RelationField node={node} {...rest} />
}

function ValueField(props: FieldProps<Cell>) {
  const extension = moduleFor(meta.value?.extensions.fields ?? [], props.node.attribute)
  return extension ? (
    <ExtendedField props={props} extension={extension} Plain={PlainField} />
  ) : (
    <PlainField {...props} />
  )
}

/** The editor of the type. */
function PlainField(props: FieldProps<Cell>) {
  switch (props.node.attribute.type) {
    case 'text':
      return <LongTextField {...props} />
    case 'richtext':
      return <RichTextField {...props} />
    case 'blocks':
      return <BlocksField {...props} />
    case 'uid':
      return <UidField {...props} />
    case 'boolean':
      return <BooleanField {...props} />
    case 'enumeration':
      return <EnumerationField {...props} />
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return <TimeField {...props} />
    case 'password':
      return <PasswordField {...props} />
    case 'json':
    case 'array':
      return <JsonField {...props} />
    default:
      return <LineField {...props} />
  }
}
