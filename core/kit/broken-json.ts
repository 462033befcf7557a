const token =
  /[ \t\n\r]*([{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const unfinished = /[ \t\n\r]*(?:"[ !#-[\]-\uffff]*(?:\\.[ !#-[\]-\uffff]*)*\\?)?$/y
const space = /[ \t\n\r]*/y

/** Finds the character at which a text stops being JSON: the message of the engine does not always say. */
export function brokenAt(text: string): number {
  const closers: string[] = []
  let expected = value
  for (let at = 0; ; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)?.[1]
    const kind = found === undefined ? '' : '{}[],:"'.includes(found.charAt(0)) ? found.charAt(0) : '0'
    if (kind === '' || !expected.includes(kind)) {
      unfinished.lastIndex = at
      if (unfinished.test(text)) return text.length
      space.lastIndex = at
      space.test(text)
      return space.lastIndex
    }
    expected = following(kind, expected, closers)
  }
}

/** First characters of a value; `0` stands for numbers and words. */
const value = '{["0'

/** The characters that may follow a piece of JSON, by its first character. */
function following(kind: string, expected: string, closers: string[]): string {
  const isName = kind === '"' && (expected === '"' || expected === '"}')
  if (isName) return ':'
  if (kind === ':') return value
  if (kind === ',') return closers.at(-1) === '}' ? '"' : value
  if (kind === '{' || kind === '[') {
    closers.push(kind === '{' ? '}' : ']')
    return kind === '{' ? '"}' : `${value}]`
  }
  if (kind === '}' || kind === ']') closers.pop()
  return closers.length === 0 ? '' : `,${closers.at(-1)}`
}
