/** A query in the form of `POST /articles/query`, equal to the brackets of a query string. */
export interface Query {
  readonly [parameter: string]: unknown
}

/** `fields[0]=title&filters[author][name][$eq]=x`: only signs that a URL cannot hold are encoded. */
export function queryText(query: Query): string {
  return Object.entries(query)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&')
}

/** An address with a query, if there is one. */
export function withQuery(path: string, query: Query): string {
  const text = queryText(query)
  return text === '' ? path : `${path}?${text}`
}

function pairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pairs(`${name}[${index}]`, item))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${encoded(key)}]`, inner))
  return [`${name}=${encoded(String(value))}`]
}

/** Encodes a text, except for legible and harmless signs. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(/%(3A|2C|24|40|2F)/g, found =>
    decodeURIComponent(found),
  )
