import type { Item } from '../../model/form/item.js'
import { useEntry } from './context.js'
import { Field } from './fields/field.js'

/** The fields of an entry or a component, in the rows of its layout. */
export function Rows({ item }: { item: Item }) {
  const { store } = useEntry()
  const layout = store.kinds.of(item.uid)?.layout
  return (
    <div class="rows">
      {layout?.edit.map(row =>
        row.map(({ name, size }, at) => {
          const node = item.nodes.get(name)
          const kind = at === 0 ? `place start span-${size}` : `place span-${size}`
          return (
            node && (
              <div key={name} class={kind}>
                <Field item={item} node={node} name={name} layout={layout.fields[name]} />
              </div>
            )
          )
        }),
      )}
    </div>
  )
}
