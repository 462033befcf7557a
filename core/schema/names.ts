const words = /[A-Z]{2,}(?=[A-Z][a-z]+|[^A-Za-z]|$)|[A-Z]?[a-z]+|[A-Z]|\d+/g

/** Column and table names as the layout writes them: words and numbers apart, in lower case. */
export function snakeCase(name: string): string {
  const parts = name.match(words)
  return parts ? parts.join('_').toLowerCase() : name.toLowerCase()
}
