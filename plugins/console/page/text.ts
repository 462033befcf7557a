import { signal } from '@preact/signals'
import { directionOf, languageAmong } from '../model/language.js'
import { type Texts, type TextValues, textIn } from '../model/text.js'
import type en from './texts/en.json'
import first from './texts/en.json?first'

export type TextKey = keyof typeof en

/** True for the name of a text: of a word that a plugin declares there may be none. */
export const isTextKey = (key: string): key is TextKey => Object.hasOwn(english, key)

/** English is part of the first script, but for the texts of some views. Each other language is a script of its own, and one is loaded. */
const loaders = import.meta.glob<Texts>(['./texts/*.json', '!./texts/en.json'], { import: 'default' })
const others = new Map(Object.entries(loaders).map(([path, load]) => [path.replace(/^.*\/|\.json$/g, ''), load]))

/** The codes of the languages that the page has. */
export const languages: readonly string[] = ['en', ...others.keys()]

let english: Texts = first
const spoken = signal<{ readonly language: string; readonly texts: Texts }>({ language: 'en', texts: english })
let wanted = 'en'

/** The language of the page, for its texts, dates and numbers. */
export const language = (): string => spoken.value.language

/** A sentence of the page. */
export const t = (key: TextKey, values?: TextValues): string => textIn(spoken.value.texts, language(), key, values)

/** Takes up the language that an account prefers, or else the first of the browser that the page has. */
export async function speak(preferred: string | null = null): Promise<void> {
  const chosen = languageAmong(languages, [preferred, ...navigator.languages]) ?? 'en'
  wanted = chosen
  // The page stays in its language if the texts of another cannot be loaded.
  const texts = await (others.get(chosen)?.() ?? Promise.resolve(english)).catch(() => undefined)
  if (texts === undefined || wanted !== chosen) return
  if (chosen !== spoken.peek().language) spoken.value = { language: chosen, texts }
  const { documentElement } = document
  documentElement.lang = chosen
  documentElement.dir = directionOf(chosen)
}

/** Loads the rest of the English texts, which some views need. */
export async function loadRest(): Promise<void> {
  const { default: later } = await import('./texts/en.json?later')
  english = { ...first, ...later }
  if (spoken.peek().language === 'en') spoken.value = { language: 'en', texts: english }
}
