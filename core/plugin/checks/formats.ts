import type { Format, HeaderTest } from '../../content/format.js'
import { BootError } from '../../errors.js'
import type { EnabledPlugin } from '../enabled.js'
import { isAsync, nameOf } from './kinds.js'

/** Refuses formats that would fail with the first response, and those that no request could choose. */
export function checkFormats({ spec: { name, formats = {} } }: EnabledPlugin): void {
  for (const [key, format] of Object.entries(formats)) {
    const problem = formatProblem(format)
    if (problem !== undefined) throw new BootError(`plugin ${name}: the format "${key}" has ${problem}`)
  }
}

function formatProblem(format: Format | undefined): string | undefined {
  const { shape, entry, error, idText, mediaType } = format ?? ({} as Partial<Format>)
  for (const part of ['one', 'many'] as const)
    if (typeof format?.[part] !== 'function') return `${nameOf(format?.[part])} for "${part}"; expected a function`
  if (entry !== 'nested' && entry !== 'plain') return `${nameOf(entry)} for "entry"; expected "nested" or "plain"`
  if (error !== undefined && typeof error !== 'function') return `${nameOf(error)} for "error"; expected a function`
  if (idText !== undefined && typeof idText !== 'string')
    return `${nameOf(idText)} for "idText"; expected the name of a property`
  if (mediaType !== undefined && !/^[\w.+-]+\/[\w.+-]*json(; *[\w-]+=[\w.-]+)*$/.test(String(mediaType)))
    return `${nameOf(mediaType)} for "mediaType"; expected one of JSON, such as application/vnd.api+json`
  for (const part of ['one', 'many', 'error'] as const)
    if (isAsync(format?.[part])) return `an async function for "${part}"; expected one that returns its result at once`
    else if (
      shape !== undefined &&
      typeof shape?.[part] !== 'function' &&
      (part !== 'error' || shape?.error !== undefined)
    )
      return `${nameOf(shape?.[part])} for "shape.${part}"; expected a function`
  return headerProblem('wants', format?.wants) ?? servesProblem(format)
}

function servesProblem({ serves }: Partial<Format> = {}): string | undefined {
  if (serves === undefined) return undefined
  if (typeof serves?.test !== 'function') return `${nameOf(serves?.test)} for "serves.test"; expected a function`
  return headerProblem('serves.unless', serves.unless)
}

function headerProblem(part: string, said: HeaderTest | undefined): string | undefined {
  if (said === undefined) return undefined
  if (typeof said?.header !== 'string' || !/^[\w-]+$/.test(said.header))
    return `${nameOf(said?.header)} for "${part}.header"; expected the name of a header`
  return typeof said.test === 'function' ? undefined : `${nameOf(said.test)} for "${part}.test"; expected a function`
}
