const days = new Map<number, string>()
const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
const dayLength = 86_400_000

/** Epoch milliseconds as ISO text. Most times of a page share a few days, so the day's text is cached. */
export function iso(time: number): string {
  const day = Math.floor(time / dayLength)
  let head = days.get(day)
  if (head === undefined) {
    if (days.size > 10_000) days.clear()
    head = new Date(day * dayLength).toISOString().slice(0, -13)
    days.set(day, head)
  }
  const rest = time - day * dayLength
  const seconds = Math.floor(rest / 1000)
  const milli = Math.floor(rest - seconds * 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${head}${two[hours]}:${two[minutes - hours * 60]}:${two[seconds - minutes * 60]}.${milli < 10 ? '00' : milli < 100 ? '0' : ''}${milli}Z`
}
