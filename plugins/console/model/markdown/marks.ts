export type Mark = 'bold' | 'italic' | 'heading' | 'quote' | 'list' | 'numbers' | 'code' | 'link'

/** An edit of a text: what replaces the part between two places, and what is selected afterwards. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly select: readonly [number, number]
}

const around: Readonly<Partial<Record<Mark, readonly [string, string]>>> = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  code: ['`', '`'],
  link: ['[', '](https://)'],
}

const before: Readonly<Partial<Record<Mark, (index: number) => string>>> = {
  heading: () => '## ',
  quote: () => '> ',
  list: () => '- ',
  numbers: index => `${index + 1}. `,
}

/** Gives the selected part of a Markdown text a mark, or takes it away. */
export function marked(text: string, start: number, end: number, mark: Mark): Edit {
  const pair = around[mark]
  return pair ? wrapped(text, start, end, pair) : lined(text, start, end, before[mark] ?? (() => ''))
}

function wrapped(text: string, start: number, end: number, [open, close]: readonly [string, string]): Edit {
  const inner = text.slice(start, end)
  const isMarked = text.slice(0, start).endsWith(open) && text.slice(end).startsWith(close)
  if (isMarked) {
    const from = start - open.length
    return { from, to: end + close.length, text: inner, select: [from, from + inner.length] }
  }
  const at = start + open.length
  return { from: start, to: end, text: `${open}${inner}${close}`, select: [at, at + inner.length] }
}

function lined(text: string, start: number, end: number, markOf: (index: number) => string): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const areMarked = lines.every((line, index) => line.startsWith(markOf(index)))
  const changed = lines
    .map((line, index) => (areMarked ? line.slice(markOf(index).length) : `${markOf(index)}${line}`))
    .join('\n')
  return { from, to, text: changed, select: [from, from + changed.length] }
}
