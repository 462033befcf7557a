import type { Page } from 'playwright-core'
import { until } from '../../../support/pages/watched-page.js'

/** Does something with the drafts that the browser of a page keeps, if it has kept any. */
export const draftsDo = (work: string): string => `
  indexedDB.databases().then(all => all.every(({ name }) => name !== 'stele-console') ? [] : new Promise((resolve, reject) => {
    const open = indexedDB.open('stele-console')
    open.onerror = () => reject(open.error)
    open.onsuccess = () => {
      const done = open.result.transaction('drafts', 'readwrite').objectStore('drafts').${work}
      done.onsuccess = () => {
        open.result.close()
        resolve(done.result)
      }
    }
  }))`

/** Hides the page, which has the browser keep what is not saved, and waits until it has kept it. */
export async function hideUntilKept(page: Page): Promise<void> {
  const begun = Date.now()
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await until(page, `${draftsDo('getAll()')}.then(all => all.some(({ at }) => at >= ${begun}))`)
}
