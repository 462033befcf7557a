import type { Values } from './form/plain.js'

/** The names between braces in the address of a preview: `slug` in `https://example.com/{slug}`. */
export const placeholdersIn = (address: string): readonly string[] => [
  ...new Set([...address.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)),
]

/** The address with the values of an entry, undefined where one of them is empty. */
export function previewAddress(address: string, values: Values): string | undefined {
  const isEmpty = (name: string) => values[name] === null || values[name] === undefined || values[name] === ''
  if (placeholdersIn(address).some(isEmpty)) return undefined
  return address.replaceAll(/\{([^{}]*)\}/g, (_, name) => encodeURIComponent(String(values[name])))
}
