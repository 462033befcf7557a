type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Entries of REST as the flat shape has them: nothing is around them, and their ids are among their attributes. */
export function flatOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flatOf)
  if (!isValues(value)) return value
  if (isValues(value.attributes)) return flatOf({ id: value.id, ...value.attributes })
  const names = Object.keys(value)
  // A relation has its data and nothing else.
  if (names.length === 1 && names[0] === 'data') return flatOf(value.data)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, flatOf(inner)]))
}

/** Entries of REST or GraphQL in one form: names of types are left out, ids have one name, and fields that fragments call by another name have their own. */
export function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf)
  if (!isValues(value)) return value
  // Entries have a meta in REST only, such as the locales that there are.
  const isEntry = 'attributes' in value
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('__') && !(isEntry && name === 'meta'))
  // An entry of which nothing but the id is asked for.
  const shown = entries.filter(([name, inner]) => name !== 'attributes' || Object.keys(Object(inner)).length > 0)
  const plain = shown.map(([name, inner]) => {
    if (name === 'id' || name === 'documentId') return ['id', String(inner)]
    return [name.replace(/_\d+$/, ''), plainOf(inner)]
  })
  return Object.fromEntries(plain.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)))
}

/** The first place where values of REST and GraphQL differ; undefined where none is. */
export function differenceOf(one: unknown, other: unknown, path = ''): string | undefined {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.map((item, index) => differenceOf(item, other[index], `${path}[${index}]`)).find(Boolean)
  if (isValues(one) && isValues(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return names.map(name => differenceOf(one[name], other[name], `${path}.${name}`)).find(Boolean)
  }
  // REST has null for no files, GraphQL an empty list.
  if (Object.is(one, other) || (one === null && Array.isArray(other) && other.length === 0)) return undefined
  if (typeof one === 'string' && wordsOf(one).includes(String(other))) return undefined
  return `${path}: ${JSON.stringify(one)?.slice(0, 200)} is not ${JSON.stringify(other)?.slice(0, 200)}`
}

/** The values of GraphQL for a text of REST: numbers of many digits, the names of enums, and timestamps are others there. */
function wordsOf(text: string): readonly string[] {
  const isTime = /^\d{12,13}$/.test(text)
  return [text, text.replaceAll(/\W+/g, '_'), ...(isTime ? [new Date(Number(text)).toISOString()] : [])]
}
