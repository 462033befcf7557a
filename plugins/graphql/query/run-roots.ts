import type { CallerContent, RouteCall } from '../../../core/index.js'
import { type AnyRoot, isOwn } from './bound.js'
import type { RootResult } from './roots.js'
import { isRead } from './run-root.js'

type RunsRoot = (index: number, call: RouteCall) => Promise<RootResult>

/** Mutations run one after the other. */
export async function runInTurn(roots: readonly AnyRoot[], run: RunsRoot, call: RouteCall): Promise<RootResult[]> {
  const results: RootResult[] = []
  for (const index of roots.keys()) results.push(await run(index, call))
  return results
}

/** Several roots that read entries show one state of the database, and may be read twice for that; others run once. */
export async function readRoots(roots: readonly AnyRoot[], run: RunsRoot, call: RouteCall): Promise<RootResult[]> {
  const isShared = (root: AnyRoot) => !isOwn(root) && isRead(root)
  if (roots.filter(isShared).length < 2) return Promise.all(roots.map((_, index) => run(index, call)))
  const others = roots.map((root, index) => (isShared(root) ? undefined : run(index, call)))
  const shared = call.content.snapshot(content => {
    const by = calledWith(call, content)
    return Promise.all(others.map((other, index) => other ?? run(index, by)))
  })
  const [results] = await Promise.all([shared, ...others])
  return results
}

/** The call with other content: a copy would parse the query of its URL. */
const calledWith = (call: RouteCall, content: CallerContent): RouteCall =>
  Object.create(call, { content: { value: content, enumerable: true } })
