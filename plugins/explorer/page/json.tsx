import type { ComponentChildren } from 'preact'

/** Longer texts are shown as they are: a browser takes its time for so many elements. */
const longest = 200_000

/** JSON with colours, in which the outer levels can be folded. */
export function Json({ value, text }: { value: unknown; text: string }) {
  if (text.length > longest) return <pre>{JSON.stringify(value, null, 2).slice(0, longest * 4)}</pre>
  return (
    <pre class="json">
      <Value value={value} depth={0} comma="" name={undefined} />
    </pre>
  )
}

interface ValueProps {
  readonly value: unknown
  readonly depth: number
  readonly comma: string
  readonly name: string | undefined
}

function Value({ value, depth, comma, name }: ValueProps): ComponentChildren {
  const indent = '  '.repeat(depth)
  const key = name === undefined ? '' : <span class="key">{JSON.stringify(name)}: </span>
  const entries = childrenOf(value)
  if (!entries || entries.length === 0)
    return (
      <>
        {indent}
        {key}
        {entries ? Array.isArray(value) ? '[]' : '{}' : <Plain value={value} />}
        {comma}
        {'\n'}
      </>
    )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const inner = entries.map(([child, one], index) => (
    <Value
      key={child}
      value={one}
      depth={depth + 1}
      comma={index < entries.length - 1 ? ',' : ''}
      name={Array.isArray(value) ? undefined : child}
    />
  ))
  const end = `${indent}${close}${comma}\n`
  // A fold is a stop of the Tab key: folds of entries are worth it, inner ones are not.
  if (depth === 0 || depth > 3)
    return (
      <>
        {indent}
        {key}
        {open}
        {'\n'}
        {inner}
        {end}
      </>
    )
  return (
    <details open>
      <summary>
        {indent}
        {key}
        {open}
        <span class="fold">
          {' '}
          {entries.length} {Array.isArray(value) ? 'items' : 'keys'} {close}
          {comma}
        </span>
      </summary>
      {inner}
      {end}
    </details>
  )
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item] as const)
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}

function Plain({ value }: { value: unknown }) {
  return <span class={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>
}
