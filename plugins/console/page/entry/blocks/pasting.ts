import { type Line, textLine } from '../../../model/blocks/lines.js'
import { joined, type Mark, type Run, runOf } from '../../../model/blocks/runs.js'
import type { Values } from '../../../model/form/plain.js'
import { documentOf } from './html.js'

/** The lines of HTML that other programs put into the clipboard: their structure and marks, without colours and fonts. */
export function linesOfHtml(html: string): readonly Line[] {
  const reading = new Reading()
  reading.children(documentOf(html).body, plain)
  return reading.finished()
}

/** The look of text at some place. */
interface Look {
  readonly node: Values
  readonly link?: Values
  readonly isPre?: true
}

const plain: Look = { node: { type: 'text' } }

const markOf: Readonly<Record<string, Mark>> = {
  ...{ b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline', ins: 'underline' },
  ...{ s: 'strikethrough', del: 'strikethrough', strike: 'strikethrough', code: 'code', kbd: 'code', tt: 'code' },
}

const blocks =
  /^(p|div|h[1-6]|ul|ol|li|blockquote|pre|table|tbody|thead|tr|section|article|header|footer|main|aside|figure|figcaption|dl|dt|dd|hr|address|nav|form)$/
const skipped = /^(head|meta|link|title|style|script|template|noscript|svg|math|iframe|object|select|button|textarea)$/

class Reading {
  readonly #lines: Line[] = []
  #runs: Run[] = []
  /** The node that the next line becomes. */
  #node: Values = { type: 'paragraph' }
  #lists: readonly Values[] = []
  /** The list that items of Word stand in, which are paragraphs there. */
  #wordLists: Values[] = []

  finished(): readonly Line[] {
    this.#endLine()
    return this.#lines
  }

  children(parent: Node, look: Look): void {
    for (const child of parent.childNodes) this.#read(child, look)
  }

  #read(node: Node, look: Look): void {
    if (node instanceof Text) this.#text(node.data, look)
    else if (node instanceof Element && !skipped.test(node.localName)) this.#element(node, look)
  }

  #text(data: string, look: Look): void {
    const isAtStart = this.#runs.length === 0 || this.#runs.at(-1)?.text.endsWith('\n')
    const collapsed = look.isPre ? data : data.replace(/[ \t\r\n\f]+/g, ' ')
    const text = isAtStart && !look.isPre ? collapsed.replace(/^ /, '') : collapsed
    if (text !== '') this.#runs.push(runOf(text, look.node, look.link))
  }

  #element(element: Element, outer: Look): void {
    const { localName: name } = element
    const style = element.getAttribute('data-style') ?? ''
    if (/mso-list:\s*ignore/i.test(style)) return
    const look = lookIn(element, style, outer)
    if (name === 'br') this.#runs.push(runOf('\n', look.node, look.link))
    else if (!blocks.test(name)) {
      this.children(element, look)
      if (name === 'td' || name === 'th') this.#text(' ', look)
    } else this.#block(element, style, look)
  }

  #block(element: Element, style: string, look: Look): void {
    this.#endLine()
    const [node, lists] = [this.#node, this.#lists]
    const { localName: name } = element
    const level = /^h([1-6])$/.exec(name)?.[1]
    const word = /mso-list:\s*l\d+ level(\d)/i.exec(style)?.[1]
    if (word) this.#wordItem(element, Number(word))
    else if (name !== 'li') this.#wordLists = []
    if (name === 'ul' || name === 'ol') {
      const indentLevel = lists.length
      const list = { type: 'list', format: name === 'ol' ? 'ordered' : 'unordered' }
      this.#lists = [...lists, indentLevel > 0 ? { ...list, indentLevel } : list]
    }
    if (name === 'blockquote' && lists.length === 0) this.#node = { type: 'quote' }
    if (name === 'pre' && lists.length === 0) this.#node = { type: 'code' }
    if (level && lists.length === 0) this.#node = { type: 'heading', level: Number(level) }
    this.children(element, name === 'pre' ? { ...plain, isPre: true } : look)
    this.#endLine()
    this.#node = node
    this.#lists = lists
  }

  #wordItem(element: Element, level: number): void {
    const sign = element.textContent.trim()
    const format = /^(\d+|[a-z])[.)]/i.test(sign) ? 'ordered' : 'unordered'
    const kept = this.#wordLists.slice(0, level)
    while (kept.length < level)
      kept.push({ type: 'list', format, ...(kept.length > 0 && { indentLevel: kept.length }) })
    this.#wordLists = kept
    this.#lists = kept
  }

  #endLine(): void {
    const runs = trimmed(joined(this.#runs), this.#node.type === 'code')
    this.#runs = []
    if (runs.length === 0) return
    const isItem = this.#lists.length > 0
    const line = isItem ? textLine({ type: 'list-item' }, runs, this.#lists) : textLine(this.#node, runs)
    this.#lines.push(line)
  }
}

/** White space at the ends of a line is that of the source. */
function trimmed(runs: readonly Run[], isCode: boolean): readonly Run[] {
  const last = runs.at(-1)
  if (!last) return runs
  const text = isCode ? last.text.replace(/\n$/, '') : withoutEnd(last.text)
  return text === last.text ? runs : trimmed(joined([...runs.slice(0, -1), { ...last, text }]), isCode)
}

/** A text without spaces and line ends at its end; other white space is meant. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\n')) end -= 1
  return text.slice(0, end)
}

function lookIn(element: Element, style: string, outer: Look): Look {
  const node: Record<string, unknown> = { ...outer.node }
  const mark = markOf[element.localName]
  if (mark) node[mark] = true
  const weight = /(?:^|[;\s])font-weight:\s*(bold|normal|\d+)/i.exec(style)?.[1]
  if (weight) setMark(node, 'bold', weight === 'bold' || Number(weight) >= 600)
  const slant = /(?:^|[;\s])font-style:\s*(\w+)/i.exec(style)?.[1]
  if (slant) setMark(node, 'italic', slant === 'italic')
  // A line below a link belongs to it.
  const line = /(?:^|[;\s])text-decoration(?:-line)?:\s*([^;]+)/i.exec(style)?.[1] ?? ''
  if (/underline/.test(line) && !outer.link && !element.querySelector('a')) node.underline = true
  if (/line-through/.test(line)) node.strikethrough = true
  const url = element.localName === 'a' ? element.getAttribute('href') : null
  const link = url && /^(https?:|mailto:|tel:)/i.test(url) ? { type: 'link', url } : outer.link
  return { ...outer, node, ...(link && { link }) }
}

function setMark(node: Record<string, unknown>, mark: Mark, isOn: boolean): void {
  if (isOn) node[mark] = true
  else delete node[mark]
}
