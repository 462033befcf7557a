import type { Form } from '../../../model/form/form.js'
import type { Item, Node } from '../../../model/form/item.js'
import type { Problem } from '../../../model/form/problems.js'
import type { ValueProblem } from '../../../model/form/typed.js'
import { t } from '../../text.js'

/** A problem as the page shows it: it stands until what it is about is changed. */
export interface ShownProblem {
  readonly path: readonly string[]
  readonly node: Node
  readonly text: string
  /** The content of the field at that time. */
  readonly seen: unknown
}

/** The content of a field; the reader subscribes to it. */
export const contentOf = (node: Node): unknown => (node.kind === 'items' ? node.items.value : node.value.value)

export const isStanding = ({ node, seen }: ShownProblem): boolean => contentOf(node) === seen

export function shownProblem({ path, node, ...problem }: Problem): ShownProblem {
  const seen = node.kind === 'items' ? node.items.peek() : node.value.peek()
  return { path, node, text: problemText(problem), seen }
}

export function problemText({ code, params = {} }: ValueProblem): string {
  if (code === 'refused') return String(params.message)
  if (code === 'json' && params.line !== undefined) return t('problem.jsonLine', params)
  return t(`problem.${code}`, { ...params, count: Number(params.max ?? params.min ?? 0) })
}

/** The values that the server has refused, with their places in the form. */
export const refusalsOf = ({ root }: Form): readonly ShownProblem[] => refusedIn(root, [])

function refusedIn(item: Item, path: readonly string[]): ShownProblem[] {
  return [...item.nodes].flatMap(([name, node]) => {
    const at = [...path, name]
    const message = messageAt(node)
    const own = message === undefined ? [] : [shownProblem({ path: at, node, code: 'refused', params: { message } })]
    if (node.kind !== 'items') return own
    return [...own, ...node.items.peek().flatMap(inner => refusedIn(inner, [...at, inner.key]))]
  })
}

function messageAt(node: Node): string | undefined {
  if (node.kind !== 'cell') return node.refused.peek()
  const problem = node.problem.peek()
  return problem?.code === 'refused' ? String(problem.params?.message) : undefined
}

/** The items on a path, from the entry to the one that holds the field. */
export function itemsOn({ root }: Form, path: readonly string[]): readonly Item[] {
  const items = [root]
  for (let step = 0; step + 2 < path.length; step += 2) {
    const next = items
      .at(-1)
      ?.list(path[step] ?? '')
      ?.items.peek()
      .find(({ key }) => key === path[step + 1])
    if (next) items.push(next)
  }
  return items
}

/** The id of the control of a field; ids that others refer to have no spaces. */
export const fieldId = (item: Item, name: string): string => `field-${item.key.replaceAll(/\W/g, '-')}-${name}`
