import type { Page } from 'playwright-core'
import { until } from '../../../support/pages/watched-page.js'

/** Waits until the bar of a form says a text. */
export const status = (page: Page, text: string): Promise<void> =>
  page.getByRole('status', { name: 'Changes' }).getByText(text).waitFor()

export const isSaved = (page: Page): Promise<void> => status(page, 'All changes are saved')

/** The control of a text or a number by its label. */
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

/** The titles of the entries in a relation, or of files. */
export const titlesIn = (page: Page, label: string): Promise<string[]> =>
  page.getByRole('list', { name: label, exact: true }).getByRole('link').allTextContents()

/** Waits for the form of an entry. */
export const formOf = (page: Page, name: string): Promise<void> => page.getByRole('form', { name }).waitFor()

/** Files of a form are shown by a part of the page that is loaded later. */
export async function formWithFiles(page: Page, name: string, label: string): Promise<void> {
  await formOf(page, name)
  await page.getByRole('button', { name: `Choose for ${label}` }).waitFor()
}

/** Types into a box that finds entries, and takes the first one. */
export async function addTo(page: Page, label: string, text: string): Promise<void> {
  const box = page.getByRole('combobox', { name: `${label}: add` })
  await box.fill(text)
  await page
    .getByRole('listbox', { name: `Entries for ${label}` })
    .getByRole('option', { selected: true })
    .waitFor()
  await box.press('Enter')
}

/** Changes an entry as another program does, in the name of the same editor. */
export const change = (page: Page, path: string, data: object): Promise<number> =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'Content-Type': 'application/json' }
      const { status } = await fetch(`/console/api${path}`, { method: 'PUT', headers, body: body as string })
      return status
    },
    [path, JSON.stringify({ data })],
  )

/** Hides a page, which then has the browser keep what is not saved, and waits until it has kept this many changes. */
export async function hide(page: Page, kept: number): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await until(
    page,
    `new Promise((resolve, reject) => {
      const open = indexedDB.open('stele-console')
      open.onerror = () => reject(open.error)
      open.onsuccess = () => {
        const count = open.result.transaction('drafts').objectStore('drafts').count()
        count.onsuccess = () => {
          open.result.close()
          resolve(count.result === ${kept})
        }
      }
    })`,
  )
}
