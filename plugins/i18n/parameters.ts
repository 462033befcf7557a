import { InvalidParameter, type Param } from '../../core/index.js'
import { asList, readTruth } from '../../core/plugin-kit.js'

/** Codes of locales, or `all`; `any` stands for code that names no locale. */
export type RequestedLocales = readonly string[] | 'all' | 'any'

const text = { type: 'string' }
const list = { type: 'array', items: text }

/** `locale=fr`, `locale[]=fr&locale[]=de`, `locale[$eq]=fr`, `locale[$in][]=fr`, `locale=all`. */
export const locale: Param<RequestedLocales | undefined> = {
  describe: 'the code of a locale, a list of codes, or all; the default locale otherwise',
  byCode: 'any',
  several: true,
  schema: { anyOf: [text, list, { type: 'object', properties: { $eq: text, $in: list } }] },
  read(raw, { path }) {
    if (raw === 'all') return 'all'
    const { $eq, $in, ...rest } = Object(raw) as { $eq?: unknown; $in?: unknown }
    const isFilter = Object.keys(rest).length === 0 && ($eq === undefined) !== ($in === undefined)
    return readCodes(isFilter ? ($eq ?? $in) : raw, path)
  },
}

/** The requested fallback: a chain of its own, the configured one (true), or none (false). */
export type RequestedFallback = readonly string[] | boolean

/** `fallback=de,en`, `fallback[]=de&fallback[]=en`, `fallback=true`, `fallback=false`. */
export const fallback: Param<RequestedFallback | undefined> = {
  describe:
    'where to look for entries that the locale lacks: codes in order, true for the configured ones, false for none',
  actions: ['find', 'findOne'],
  byCode: false,
  schema: { anyOf: [{ type: 'boolean' }, text, list] },
  read(raw, { path }) {
    const truth = readTruth(raw)
    if (truth !== undefined) return truth
    return readCodes(typeof raw === 'string' ? raw.split(',').map(code => code.trim()) : raw, path)
  },
}

function readCodes(raw: unknown, path: readonly string[]): readonly string[] {
  const codes = typeof raw === 'string' ? [raw] : asList(raw)
  if (codes?.every(code => typeof code === 'string')) return codes
  throw new InvalidParameter(path, 'takes the code of a locale, or a list of codes')
}
