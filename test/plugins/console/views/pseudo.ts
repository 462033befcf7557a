import type { Texts } from '../../../../plugins/console/model/text.js'
import { english } from './walk.js'

/** A text with each word longer by 40 %, as other languages need; names of values stay. */
export const longer = (text: string): string =>
  text.replaceAll(/\{\w+\}|\p{L}+/gu, word =>
    word.startsWith('{') ? word : word + 'o'.repeat(Math.ceil(word.length * 0.4)),
  )

/** A language that is English with longer words. */
export const pseudo: Texts = Object.fromEntries(
  Object.entries(english).map(([key, text]) => [key, typeof text === 'string' ? longer(text) : longerForms(text)]),
)

function longerForms(text: Exclude<Texts[string], string>) {
  const entries = Object.entries(text).map(([form, one]) => [form, longer(one)])
  return { ...Object.fromEntries(entries), other: longer(text.other) }
}
