import type { Kinds } from '../../model/form/kinds.js'
import type { TypeMeta } from '../../model/meta.js'
import type { Step } from '../../model/versions/compare.js'
import { itemText } from '../conflict/value-text.js'

const labelOf = (kinds: Kinds, uid: string | undefined, name: string): string =>
  kinds.of(uid)?.layout.fields[name]?.label ?? name

/** The place of a difference in words. */
export const stepsText = (kinds: Kinds, path: readonly Step[]): string =>
  path.map(step => ('item' in step ? itemText(kinds, step.item) : labelOf(kinds, step.uid, step.name))).join(' › ')

/** The type of an entry that the server names attributes of. */
interface Labelled {
  readonly kinds: Kinds
  readonly entry: { readonly type: Pick<TypeMeta, 'uid'> }
}

/** A path of the server such as `parts.0.image` in the words of the form; items are counted from 1. */
export function dottedLabel({ kinds, entry }: Labelled, path: string): string {
  let uid: string | undefined = entry.type.uid
  return path
    .split('.')
    .map(name => {
      if (/^\d+$/.test(name)) return String(Number(name) + 1)
      const label = labelOf(kinds, uid, name)
      const attribute = kinds.of(uid)?.attributes.find(one => one.name === name)
      // The components of a zone have no one type that could be told from the path.
      const targets: readonly string[] = (attribute?.kind === 'link' ? attribute.targets : undefined) ?? []
      uid = targets.length === 1 ? targets[0] : undefined
      return label
    })
    .join(' › ')
}
