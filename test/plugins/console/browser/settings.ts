import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { accessibilityOf, assertReachable } from '../../../support/pages/accessibility.js'
import { looks } from '../../../support/pages/served.js'
import { assertFits } from '../../../support/pages/watched-page.js'
import type { Person, ServedConsole } from './served.js'

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** A message in the status region. */
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor()

/** The row of a table whose first cell has a text. */
export const rowOf = (page: Page, table: string, text: string | RegExp) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: text }) })

/** Opens a section in all looks; `views` are its parts, one after another. */
export async function assertWithoutBarriers(
  served: ServedConsole,
  who: Person,
  path: string,
  views: (page: Page, look: (place: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const { scheme, width } of looks)
    await served.signedIn(
      who,
      async page => {
        const found: string[] = []
        await views(page, async place => {
          found.push(...(await accessibilityOf(page)).map(line => `${scheme} ${width} ${place}: ${line}`))
          await assertFits(page)
        })
        assert.deepEqual(found, [])
        if (width > 720 && scheme === 'light') await assertReachable(page, 10)
      },
      { path, scheme, width },
    )
}
