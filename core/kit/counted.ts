/** `1,234`: done by hand, as every start would load the tables of all languages for it. */
export function grouped(count: number): string {
  let text = String(count)
  for (let end = text.length - 3; end > 0; end -= 3) text = `${text.slice(0, end)},${text.slice(end)}`
  return text
}

/** `1 row`, `1,234 rows` */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : plural}`
