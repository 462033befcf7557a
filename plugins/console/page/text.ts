import { type TextValues, textIn } from '../model/text.js'
import en from './texts/en.json'

export type TextKey = keyof typeof en

/** The language of the page, for its texts, dates and numbers. */
export const language = 'en'

/** A sentence of the page. */
export const t = (key: TextKey, values?: TextValues): string => textIn(en, language, key, values)
