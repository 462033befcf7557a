import type { Row } from '../../model/list/page.js'
import type { ListStore } from './store.js'

/** A text with the words that a search has found: they stand at odd places. */
export const Marked = ({ parts }: { parts: readonly string[] }) => (
  <span dir="auto">{parts.map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))}</span>
)

/** The first text with found words where the columns show none of them. */
export function FoundElsewhere({ list, row: { found = {} } }: { list: ListStore; row: Row }) {
  const shown = list.columns.value.map(({ name }) => name)
  const [first] = Object.entries(found)
  if (!first || shown.some(name => Object.hasOwn(found, name))) return null
  const [name, parts] = first
  return (
    <p class="found">
      {list.type.layout.fields[name]?.listLabel ?? name}: <Marked parts={parts} />
    </p>
  )
}
