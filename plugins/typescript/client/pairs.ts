/** A short name takes less of a minified client. */
export const encode = encodeURIComponent as (text: unknown) => string

/** `filters[author][name][$eq]=Ada`: a query as the server reads it. Brackets cannot say an empty list; JSON text can. */
export const pairs = (value: object, name = ''): string[] =>
  Object.entries(value).flatMap(([key, inner]) => {
    const part = encode(key).replace('%24', '$')
    const place = name ? `${name}[${part}]` : part
    const isObject = Object(inner) === inner
    const text = isObject ? JSON.stringify(inner) : (inner ?? '')
    return isObject && !text.includes('[]') ? pairs(inner, place) : `${place}=${encode(text)}`
  })
