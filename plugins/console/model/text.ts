/** Sentences of the page by their names. A text with a number has a form for each kind of number of its language. */
export type Texts = Readonly<Record<string, string | PluralText>>
type PluralText = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>
export type TextValues = Readonly<Record<string, string | number>>

/** A text in a language, with values in place of their names: `{count}` also chooses among its forms. */
export function textIn(texts: Texts, language: string, key: string, values: TextValues = {}): string {
  const found = texts[key]
  if (found === undefined) return key
  const text = typeof found === 'string' ? found : formOf(found, language, Number(values.count))
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? value.toLocaleString(language) : value
  })
}

const formOf = (forms: PluralText, language: string, count: number): string =>
  forms[new Intl.PluralRules(language).select(count)] ?? forms.other
