import { isRecord, isSame, type Values } from '../form/plain.js'

/** A piece of text that looks alike, or a part that is not known here, which counts as one character. */
export interface Run {
  readonly text: string
  /** The node that it is stored as, without its text; the whole node of an unknown part. */
  readonly node: unknown
  /** The link that it stands in, without its children: one object for one link. */
  readonly link?: Values
  readonly isUnknown?: true
}

export const marks = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const
export type Mark = (typeof marks)[number]

/** The character in place of a part that is no text. */
export const atom = '\ufffc'

const plain: Values = { type: 'text' }
export const runOf = (text: string, node: unknown = plain, link?: Values): Run => ({
  text,
  node,
  ...(link && { link }),
})

/** The runs of the children of a block. */
export const runsOf = (children: readonly unknown[]): readonly Run[] =>
  joined(children.flatMap(child => readRuns(child)))

function readRuns(child: unknown, link?: Values): readonly Run[] {
  if (isRecord(child) && child.type === 'text' && typeof child.text === 'string') {
    const { text, ...node } = child
    return [runOf(text, node, link)]
  }
  if (
    !link &&
    isRecord(child) &&
    child.type === 'link' &&
    typeof child.url === 'string' &&
    Array.isArray(child.children)
  ) {
    const { children, ...node } = child
    const runs = (children as readonly unknown[]).flatMap(inner => readRuns(inner, node))
    // A link without a text would be lost.
    if (runs.some(({ text }) => text !== '')) return runs
  }
  return [{ ...runOf(atom, child, link), isUnknown: true }]
}

/** The children of a block with these runs. */
export function childrenOf(runs: readonly Run[]): readonly unknown[] {
  const children: unknown[] = []
  let open: { readonly link: Values; readonly children: unknown[] } | undefined
  for (const { text, node, link, isUnknown } of runs) {
    if (link && open?.link !== link) {
      open = { link, children: [] }
      children.push({ ...link, children: open.children })
    }
    if (!link) open = undefined
    const into = link && open ? open.children : children
    into.push(isUnknown ? node : { ...(node as Values), text })
  }
  return children.length > 0 ? children : [{ type: 'text', text: '' }]
}

const areAlike = (one: Run, other: Run): boolean =>
  !one.isUnknown && !other.isUnknown && one.link === other.link && isSame(one.node, other.node)

/** Runs in their shortest form: none is empty, and neighbours differ. */
export function joined(runs: readonly Run[]): readonly Run[] {
  const found: Run[] = []
  for (const run of runs) {
    const last = found.at(-1)
    if (run.text === '') continue
    if (last && areAlike(last, run)) found[found.length - 1] = { ...last, text: last.text + run.text }
    else found.push(run)
  }
  return found
}

export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')
export const lengthOf = (runs: readonly Run[]): number => runs.reduce((sum, { text }) => sum + text.length, 0)

export function slice(runs: readonly Run[], from: number, to = Number.POSITIVE_INFINITY): readonly Run[] {
  let begin = 0
  return runs.flatMap(run => {
    const start = begin
    begin += run.text.length
    const text = run.text.slice(Math.max(0, from - start), Math.max(0, to - start))
    return text === '' ? [] : text === run.text ? [run] : [{ ...run, text }]
  })
}

/** The runs with a part of them replaced. */
export const spliced = (runs: readonly Run[], from: number, to: number, put: readonly Run[]): readonly Run[] =>
  joined([...slice(runs, 0, from), ...put, ...slice(runs, to)])

/** Changes the runs between two places. */
export const mapped = (runs: readonly Run[], from: number, to: number, change: (run: Run) => Run): readonly Run[] =>
  spliced(runs, from, to, slice(runs, from, to).map(change))

export const hasMark = ({ node }: Run, mark: Mark): boolean => isRecord(node) && node[mark] === true

export function withMark(run: Run, mark: Mark, isOn: boolean): Run {
  if (run.isUnknown || !isRecord(run.node) || hasMark(run, mark) === isOn) return run
  const { [mark]: _, ...node } = run.node
  return { ...run, node: isOn ? { ...node, [mark]: true } : node }
}

export function withLink({ link: _, ...run }: Run, link: Values | undefined): Run {
  return link ? { ...run, link } : run
}

/** The look of text that is typed at a place: that of the text before it; inside of a link only between two parts of it. */
export function lookAt(runs: readonly Run[], at: number): Run {
  const [before] = slice(runs, at - 1, at)
  const [after] = slice(runs, at, at + 1)
  const near = [before, after].find(run => run && !run.isUnknown) ?? runOf('')
  const link = before?.link === after?.link ? before?.link : undefined
  return withLink({ ...near, text: '' }, link)
}
