import type { TypeMeta } from '../../model/meta.js'
import { addressOfType } from '../shell/routes.js'

/** The way back to the list of a type. */
export const Back = ({ type }: { type: TypeMeta }) =>
  type.kind === 'collectionType' && type.can.read ? (
    <a class="back" href={addressOfType(type)}>
      ← {type.name}
    </a>
  ) : null
