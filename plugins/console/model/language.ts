/** The first of the wanted languages that is known: by its code, or by the start of it, as `de` is for `de-AT`. */
export function languageAmong(known: readonly string[], wanted: readonly (string | null)[]): string | undefined {
  for (const code of wanted) {
    if (code === null) continue
    const found =
      known.find(one => one.toLowerCase() === code.toLowerCase()) ?? known.find(one => startOf(one) === startOf(code))
    if (found !== undefined) return found
  }
  return undefined
}

/** The language of a code without its script and its region; Strapi and browsers write `-`, others `_`. */
const startOf = (code: string): string => code.toLowerCase().split(/[-_]/)[0] as string

/** The languages that are written from right to left, by their ISO 639 codes. */
const leftward = ['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']

export const directionOf = (language: string): 'ltr' | 'rtl' => (leftward.includes(startOf(language)) ? 'rtl' : 'ltr')

/** A language by its name in itself, as a list of languages has it: `Deutsch`, `Français`. */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  const [first = '', ...rest] = name
  return first.toLocaleUpperCase(language) + rest.join('')
}
