import type { Item, Node } from '../../../model/form/item.js'
import type { FieldLayout } from '../../../model/meta.js'

/** The props of every field of a form. */
export interface FieldProps<N extends Node = Node> {
  readonly item: Item
  readonly node: N
  readonly name: string
  readonly layout: FieldLayout | undefined
}
