import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { ofQuery } from '../query/tree.js'
import type { Registry } from '../schema/registry.js'

/** Texts that a language sorts: the database has to know each, and is asked only where there are some. */
export async function prepareLanguages(engine: Engine, { types }: Pick<Registry, 'types'>): Promise<void> {
  const sorted = [...types.values()].flatMap(({ source, fields }) =>
    [...fields.values()].flatMap(({ name, collation: tag }) => (tag === undefined ? [] : [{ source, name, tag }])),
  )
  if (sorted.length === 0) return
  const knows = await engine.languages()
  const unknown = sorted.filter(({ tag }) => tag !== ofQuery && !knows(tag))
  if (unknown.length === 0) return
  const lines = unknown.map(
    ({ source, name, tag }) =>
      `${source}: attribute "${name}": collation "${tag}" is no language that the database can sort by; write its code, such as "de" or "sv", or "${ofQuery}"`,
  )
  throw new BootError(lines.join('\n'))
}
