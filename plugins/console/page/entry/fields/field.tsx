import type { Cell } from '../../../model/form/cell.js'
import { BlocksField } from './blocks.js'
import { BooleanField, EnumerationField } from './choice.js'
import { FilesField } from './files.js'
import { ItemsField } from './items.js'
import { JsonField } from './json.js'
import type { FieldProps } from './props.js'
import { RelationField } from './relation.js'
import { RichTextField } from './rich-text.js'
import { LineField, LongTextField, PasswordField } from './text.js'
import { TimeField } from './time.js'
import { UidField } from './uid.js'

/** One field of a form, by its type. */
export function Field({ node, ...rest }: FieldProps) {
  if (node.kind === 'items') return <ItemsField node={node} {...rest} />
  if (node.kind === 'cell') return <ValueField node={node} {...rest} />
  if (node.attribute.type === 'media') return <FilesField node={node} {...rest} />
  return <RelationField node={node} {...rest} />
}

function ValueField(props: FieldProps<Cell>) {
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
