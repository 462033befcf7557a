/** A value as error messages show it: short, quoted, and the same for every type. */
export function print(value: unknown): string {
  const simple = printSimple(value)
  if (simple !== undefined) return clip(simple)
  const text = JSON.stringify(
    value,
    function (this: Record<string, unknown>, key, inner) {
      return printSimple(this[key]) ?? inner
    },
    2,
  )
  return clip(text ?? String(value))
}

function printSimple(value: unknown): string | undefined {
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || value === undefined)
    return String(value)
  if (typeof value === 'string') return `"${value}"`
  return undefined
}

const clip = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}...` : text)
