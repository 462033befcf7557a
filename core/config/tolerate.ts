import { sentenceOf } from '../ajv.js'
import { wordsFor } from './check.js'
import type { ConfigFile } from './files.js'
import { type ChangedValue, fitTo } from './fit-to.js'
import { schemaOf } from './schemas.js'

/** The files of a project that another server starts with, as far as this one can use them. */
export interface ToleratedFiles {
  readonly files: ReadonlyMap<string, ConfigFile>
  /** A sentence about each setting that is ignored or read otherwise. */
  readonly notices: readonly string[]
}

/**
 * Leaves out the settings that have no meaning here. The database is the exception: a start with another one than the
 * file means would look as if everything were gone.
 */
export function tolerate(files: ReadonlyMap<string, ConfigFile>): ToleratedFiles {
  const notices: string[] = []
  const read = [...files].map(([name, file]): [string, ConfigFile] => {
    const schema = schemaOf(name, file.value)
    if (!schema || file.value === undefined) return [name, file]
    const { value, changed } = fitTo(file.value, schema, 'finite')
    if (name === 'database' && changed.some(isLeftOut)) return [name, file]
    const words = wordsFor(name, file)
    for (const one of changed.filter(isTold)) notices.push(`${sentenceOf(one.error, words)}; ${consequence(one)}`)
    return [name, { ...file, value }]
  })
  return { files: new Map(read), notices }
}

const isLeftOut = ({ used }: ChangedValue): boolean => used === undefined

/** A number that is written as text means the number. */
const isTold = ({ used }: ChangedValue): boolean => used === undefined || typeof used === 'boolean'

const consequence = ({ used }: ChangedValue): string =>
  used === undefined ? 'it is ignored' : `it counts as ${String(used)}`
