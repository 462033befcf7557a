import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BootError } from '../../../errors.js'
import type { Change } from '../../../layout/change/change.js'
import type { Io } from '../io.js'
import { changeJson } from './plan.js'

type Planned = ReturnType<typeof changeJson>

/** Refuses changes that are others than those of a file that `stele plan --json` wrote, as far as these are chosen. */
export function mustBePlanned(changes: readonly Change[], given: string, chosen: readonly string[], io: Io): void {
  const planned = changesIn(given, io).filter(({ group }) => chosen.includes(group))
  if (textOf(planned) !== textOf(changes.map(changeJson)))
    throw new BootError(
      `the pending changes are not those of ${given}: the database or the content types have changed since; nothing was done`,
      { kind: 'busy' },
    )
}

const textOf = (changes: readonly Planned[]): string =>
  JSON.stringify(changes.map(({ group, describe, statements, loses }) => [group, describe, statements, loses]))

function changesIn(given: string, { cwd }: Io): readonly Planned[] {
  const file = path.resolve(cwd, given)
  try {
    const { changes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly changes?: unknown }
    if (Array.isArray(changes)) return changes as readonly Planned[]
  } catch (cause) {
    throw new BootError(`--plan ${given} cannot be read: ${(cause as Error).message}`, { kind: 'usage', cause })
  }
  throw new BootError(`--plan ${given} has no changes; \`stele plan --json\` writes such a file`, { kind: 'usage' })
}
