import type { Bag, Loose } from '../../types.js'

/** Plain letters and digits, in small letters, with a sign between words. */
const slug = (name: Loose, separator: string): string =>
  String(name)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, separator)
    .replace(separator === '' ? /^$/ : new RegExp(`^\\${separator}+|\\${separator}+$`, 'g'), '')

export const nameToSlug = (name: Loose, options: { separator?: string } = {}): string =>
  slug(name, options.separator ?? '-')
export const nameToCollectionName = (name: Loose): string => slug(name, '_')
export const toRegressedEnumValue = (value: Loose): string => slug(value, '_')

export const isCamelCase = (value: Loose): boolean => /^[a-z][a-zA-Z0-9]+$/.test(value)
export const isKebabCase = (value: Loose): boolean => /^([a-z][a-z0-9]*)(-[a-z0-9]+)*$/.test(value)
export const startsWithANumber = (value: Loose): boolean => /^[0-9]/.test(value)
export const stringIncludes = (list: readonly Loose[], value: Loose): boolean =>
  list.map(String).includes(String(value))
export const stringEquals = (a: Loose, b: Loose): boolean => String(a) === String(b)

/** A text with signs escaped that mean something in a pattern. */
export const escapeQuery = (query: string, signs: string, by = '\\'): string =>
  query
    .split('')
    .map(sign => (signs.includes(sign) ? `${by}${sign}` : sign))
    .join('')

export const getCommonBeginning = (...texts: readonly string[]): string => {
  const [first = '', ...rest] = texts
  let end = 0
  while (end < first.length && rest.every(text => text[end] === first[end])) end += 1
  return first.slice(0, end)
}

/** The folders that several paths have in common. */
export const getCommonPath = (...paths: readonly string[]): string => {
  const [first = '', ...rest] = paths
  const parts = first.split('/').filter(part => part !== '')
  const others = rest.map(path => path.split('/').filter(part => part !== ''))
  const end = parts.findIndex((part, index) => others.some(other => other[index] !== part))
  return (end < 0 ? parts : parts.slice(0, end)).join('/')
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Texts with `<%= name %>` in them, for letters. */
export const template = {
  /** An expression that matches the named variables alone, so that a text can use no other. */
  createStrictInterpolationRegExp: (names: readonly string[], flags?: string): RegExp =>
    new RegExp(`<%=\\s*(${names.map(escaped).join('|')})\\s*%>`, flags),
  createLooseInterpolationRegExp: (flags?: string): RegExp => new RegExp('<%=([\\s\\S]+?)%>', flags),
}

/** A time of 14 digits, to the second. */
export const generateTimestampCode = (date: Date = new Date()): string =>
  date.toISOString().replace(/\D/g, '').slice(0, 14)

/** The paths of all values in nested objects. */
export const keysDeep = (value: Bag, path: readonly string[] = []): string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? [path.join('.')]
    : Object.entries(value).flatMap(([key, inner]) => keysDeep(inner, [...path, key]))

/** Texts joined by a sign that stands once between two. */
export const joinBy = (sign: string, ...texts: readonly string[]): string =>
  texts.reduce((text, next) => {
    const trimmed = next.startsWith(sign) ? next.slice(sign.length) : next
    return text === '' ? trimmed : text.endsWith(sign) ? text + trimmed : text + sign + trimmed
  }, '')

/** Nested objects without the keys whose values are undefined. */
export const removeUndefined = (value: Loose): Loose => {
  if (Array.isArray(value)) return value.map(removeUndefined)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value as Bag).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, removeUndefined(inner)]],
    ),
  )
}
