/** A text without the sign that ends it, however often it stands there: an expression would try every place at which it begins. */
export function withoutEnd(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end -= 1
  return text.slice(0, end)
}
