import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Texts } from '../../../../plugins/console/model/text.js'
import { type Stop, stops, type Walker } from './stops.js'

export const english: Texts = JSON.parse(
  readFileSync(new URL('../../../../plugins/console/page/texts/en.json', import.meta.url), 'utf8'),
)

/** The texts of a page by their keys. */
export const textsOf =
  (texts: Texts): Walker['t'] =>
  (key, values = {}) =>
    String(texts[key]).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))

/** Opens all that the console shows, one after another. */
export async function walk(
  page: Page,
  origin: string,
  texts: Texts,
  look: (stop: Stop) => Promise<void>,
  which: readonly Stop[] = stops,
): Promise<void> {
  const walker = { page, t: textsOf(texts) }
  for (const stop of which) {
    if (stop.path !== undefined) await page.goto(`${origin}/console${stop.path}`)
    try {
      await stop.open(walker)
    } catch (error) {
      throw new Error(`${stop.name} does not open`, { cause: error })
    }
    await look(stop)
  }
}
