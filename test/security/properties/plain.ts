/** Removes values that the evaluator cannot know: stamps, ids of components, and the meta of every entry. */
export function plain(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map(one => plain(one, isPart))
  if (typeof value !== 'object' || value === null) return value
  const isEntry = Object.hasOwn(value, 'attributes') || Object.hasOwn(value, 'data')
  const left = Object.entries(value).filter(
    ([name]) => !['createdAt', 'updatedAt', 'meta'].includes(name) && (isEntry || name !== 'id' || !isPart),
  )
  return Object.fromEntries(left.map(([name, inner]) => [name, plain(inner, name !== 'data')]))
}
