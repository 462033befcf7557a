const grouped = new Intl.NumberFormat('en')

/** `1 row`, `1,234 rows` */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped.format(count)} ${count === 1 ? noun : plural}`
