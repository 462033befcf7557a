/** A list with one item more or less. */
export const toggled = <Item>(list: readonly Item[], item: Item): readonly Item[] =>
  list.includes(item) ? list.filter(other => other !== item) : [...list, item]

export const replaced = <Item>(list: readonly Item[], index: number, item: Item): readonly Item[] =>
  list.map((other, at) => (at === index ? item : other))

export const without = <Item>(list: readonly Item[], index: number): readonly Item[] =>
  list.filter((_, at) => at !== index)

/** A list in which an item has another place. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const rest = without(list, from)
  return [...rest.slice(0, to), list[from] as Item, ...rest.slice(to)]
}

/** A table without one of its keys. */
export const dropped = <Value>(table: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => name !== key))
