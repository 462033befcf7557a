import { groupsOf, isText, type Line, typeOf } from '../../../model/blocks/lines.js'
import { hasMark, type Mark, type Run, textOf } from '../../../model/blocks/runs.js'
import { isRecord, type Values } from '../../../model/form/plain.js'
import { t } from '../../text.js'

interface Drawn {
  readonly element: HTMLElement
  /** Undefined after the browser itself has changed it. */
  line: Line | undefined
}

/** The lines of an editor in the page: only those that differ from what is there are drawn again. */
export class Drawing {
  readonly #root: HTMLElement
  #lines = new Map<number, Drawn>()
  #boxes = new Map<string, HTMLElement>()
  #numbers = new WeakMap<Node, number>()
  #current: HTMLElement | undefined

  constructor(root: HTMLElement) {
    this.#root = root
  }

  draw(lines: readonly Line[]): void {
    const [drawn, boxes] = [this.#lines, this.#boxes]
    this.#lines = new Map()
    this.#boxes = new Map()
    const former = { drawn, boxes }
    arrange(this.#root, this.#nodesOf(lines, 0, former))
    this.#numbers = new WeakMap()
    for (const [index, { key }] of lines.entries()) {
      const element = this.#lines.get(key)?.element
      if (element) this.#numbers.set(element, index)
    }
  }

  readonly numberOf = (element: Node): number | undefined => this.#numbers.get(element)

  elementOf({ key }: Line): HTMLElement | undefined {
    return this.#lines.get(key)?.element
  }

  /** Shows at which block the caret is, where that is no text. */
  point(line: Line): void {
    const element = isText(line) ? undefined : this.elementOf(line)
    if (element === this.#current) return
    delete this.#current?.dataset.current
    if (element) element.dataset.current = ''
    this.#current = element
  }

  /** The browser has changed a line: it is drawn again next time, unless it already shows what it should. */
  taint({ key }: Line): void {
    const drawn = this.#lines.get(key)
    if (drawn) drawn.line = undefined
  }

  #nodesOf(lines: readonly Line[], depth: number, former: Former): readonly HTMLElement[] {
    return groupsOf(lines, depth).map(group => {
      const list = group[0]?.lists[depth]
      return list ? this.#list(list, group, depth, former) : this.#line(group[0] as Line, former)
    })
  }

  #list(list: Values, lines: readonly Line[], depth: number, former: Former): HTMLElement {
    const name = list.format === 'ordered' ? 'ol' : 'ul'
    const box = this.#box(`${name} ${depth} ${lines[0]?.key}`, name, former)
    const items: HTMLElement[][] = []
    for (const group of groupsOf(lines, depth + 1)) {
      const inner = group[0]?.lists[depth + 1]
      // A list in a list stands in the item before it.
      if (!inner) for (const line of group) items.push([this.#line(line, former)])
      else {
        const nested = this.#list(inner, group, depth + 1, former)
        if (items.length > 0) items.at(-1)?.push(nested)
        else items.push([nested])
      }
    }
    arrange(
      box,
      items.map(parts => {
        const [first] = parts as [HTMLElement]
        const item = this.#box(`li ${depth} ${first.dataset.key ?? lines[0]?.key}`, 'li', former)
        item.className = first.dataset.key === undefined ? 'bare' : ''
        arrange(item, parts)
        return item
      }),
    )
    return box
  }

  #box(key: string, name: string, { boxes }: Former): HTMLElement {
    const box = boxes.get(key) ?? document.createElement(name)
    this.#boxes.set(key, box)
    return box
  }

  #line(line: Line, { drawn }: Former): HTMLElement {
    const last = drawn.get(line.key)
    const name = nameOf(line)
    const isSameKind = last?.element.localName === name
    const element = last && isSameKind ? last.element : document.createElement(name)
    this.#lines.set(line.key, { element, line })
    if (last?.line === line && isSameKind) return element
    element.dir = 'auto'
    element.dataset.key = String(line.key)
    element.className = line.kind === 'text' ? '' : 'block'
    const content = isText(line) ? contentOf(line.runs) : [blockOf(line)]
    const { childNodes } = element
    // Input methods go on where the page is left as they made it.
    const isThere =
      content.length === childNodes.length && content.every((one, at) => one.isEqualNode(childNodes[at] ?? null))
    if (!isThere) element.replaceChildren(...content)
    return element
  }
}

interface Former {
  readonly drawn: ReadonlyMap<number, Drawn>
  readonly boxes: ReadonlyMap<string, HTMLElement>
}

/** Gives an element its children; those that stay are not touched. */
function arrange(parent: HTMLElement, wanted: readonly Node[]): void {
  const stay = new Set(wanted)
  let at = parent.firstChild
  const skipGone = () => {
    while (at && !stay.has(at)) {
      const next: ChildNode | null = at.nextSibling
      at.remove()
      at = next
    }
  }
  for (const node of wanted) {
    skipGone()
    if (at === node) at = at.nextSibling
    else parent.insertBefore(node, at)
  }
  stay.clear()
  skipGone()
}

function nameOf(line: Line): string {
  const type = isText(line) ? typeOf(line) : undefined
  if (type === 'paragraph') return 'p'
  if (type === 'heading') return `h${(line.node as Values).level}`
  return type === 'quote' ? 'blockquote' : type === 'code' ? 'pre' : 'div'
}

const names: Readonly<Record<Mark, string>> = {
  ...{ bold: 'strong', italic: 'em', underline: 'u', strikethrough: 's', code: 'code' },
}

/** The runs of a line, and a break where the caret would have no line to stand on. */
function contentOf(runs: readonly Run[]): readonly Node[] {
  const nodes: Node[] = []
  let open: { readonly link: Values; readonly element: HTMLElement } | undefined
  for (const run of runs) {
    if (run.link && open?.link !== run.link) {
      open = { link: run.link, element: linkTo(String(run.link.url)) }
      nodes.push(open.element)
    }
    if (!run.link) open = undefined
    if (open) open.element.append(nodeOf(run))
    else nodes.push(nodeOf(run))
  }
  const needsBreak = runs.length === 0 || runs.at(-1)?.isUnknown || textOf(runs).endsWith('\n')
  return needsBreak ? [...nodes, document.createElement('br')] : nodes
}

function nodeOf(run: Run): Node {
  if (run.isUnknown) return atomOf(unknown(t('blocks.part', { type: typeName(run.node) })))
  let node: Node = document.createTextNode(run.text)
  for (const [mark, name] of Object.entries(names)) {
    if (!hasMark(run, mark as Mark)) continue
    const element = document.createElement(name)
    element.append(node)
    node = element
  }
  return node
}

function linkTo(url: string): HTMLElement {
  const element = document.createElement('a')
  element.title = url
  // Other addresses could be scripts.
  if (/^(https?:|mailto:|tel:|[/#?])/i.test(url)) {
    element.href = url
    element.target = '_blank'
    element.rel = 'noopener noreferrer'
  }
  return element
}

function atomOf(content: Node): HTMLElement {
  const atom = document.createElement('span')
  atom.dataset.atom = ''
  atom.contentEditable = 'false'
  atom.append(content)
  return atom
}

function unknown(text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = 'unknown'
  element.textContent = text
  return element
}

const typeName = (node: unknown): string => String((isRecord(node) ? node.type : undefined) ?? JSON.stringify(node))

function blockOf({ kind, node }: Line): Node {
  if (kind === 'unknown') return atomOf(unknown(t('blocks.unknown', { type: typeName(node) })))
  const { url, alternativeText, name, width, height } = (node as { image: Values }).image
  const image = document.createElement('img')
  image.src = String(url)
  image.alt = String(alternativeText ?? name ?? '')
  image.loading = 'lazy'
  image.draggable = false
  if (Number(width) > 0) image.width = Number(width)
  if (Number(height) > 0) image.height = Number(height)
  return atomOf(image)
}
