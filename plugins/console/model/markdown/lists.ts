import type { Edit } from './marks.js'

const marked = /^([ \t]*)(?:([-*+])|(\d{1,9})([.)])|(>))([ \t]+)(\[[ xX]\][ \t]+)?/

/** The line after one of a list or a quote begins as that does; an empty one ends it. Undefined for other lines. */
export function continued(text: string, at: number): Edit | undefined {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const line = text.slice(from, at)
  const found = marked.exec(line)
  if (!found) return undefined
  const [whole, indent = '', bullet, number, sign, quote, space = ' ', task] = found
  const next = text.indexOf('\n', at)
  const rest = text.slice(at, next < 0 ? text.length : next)
  if (line === whole && rest.trim() === '') return { from, to: at, text: '', select: [from, from] }
  const mark = number === undefined ? (bullet ?? quote ?? '') : `${Number(number) + 1}${sign}`
  const begun = `\n${indent}${mark}${space}${task === undefined ? '' : '[ ] '}`
  const end = at + begun.length
  return { from: at, to: at, text: begun, select: [end, end] }
}
