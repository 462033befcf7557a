import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { OpenProject, ProjectFolder } from '../../../strapi4/project.js'
import { startBrowser } from '../../../support/browser.js'
import { openPage, type View } from '../../../support/pages/watched-page.js'
import { copyWithConsole, made, openProject } from '../project.js'

export type Person = keyof typeof made.accounts

export interface ServedConsole {
  readonly origin: string
  readonly project: () => OpenProject
  /** The file of its database. */
  readonly database: () => string
  /** Opens the page, and looks afterwards whether it has done what no page may. */
  opened(work: (page: Page) => Promise<void>, view?: Partial<View & { path: string }>): Promise<void>
  /** Opens the page and signs in as one of the people of the recording. */
  signedIn(who: Person, work: (page: Page) => Promise<void>, view?: Partial<View & { path: string }>): Promise<void>
}

/** Serves a project of Strapi 4.26 with its editors to a browser of its own while the tests of a block run. */
export function servedConsole(settings: Parameters<typeof copyWithConsole>[0] = {}): ServedConsole {
  let folder: ProjectFolder
  let project: OpenProject
  let browser: Browser
  let origin = ''
  beforeAll(async () => {
    folder = copyWithConsole(settings)
    project = await openProject(folder, { HOST: '127.0.0.1', PORT: '0' })
    const { port } = await project.app.listen()
    origin = `http://127.0.0.1:${port}`
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await project?.close()
    folder?.remove()
  })
  const opened: ServedConsole['opened'] = async (work, { path = '/console', ...view } = {}) => {
    const { page, wrongs } = await openPage(browser, origin + path, { width: 1440, height: 900, ...view })
    try {
      await work(page)
      assert.deepEqual(wrongs, [])
    } finally {
      await page.context().close()
    }
  }
  return {
    get origin() {
      return origin
    },
    project: () => project,
    database: () => folder.database,
    opened,
    signedIn: (who, work, view) =>
      opened(async page => {
        await signIn(page, who)
        await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
        await work(page)
      }, view),
  }
}

/** Fills in the sign-in, with the password that the account has in Strapi. */
export async function signIn(page: Page, who: Person, password = made.accounts[who]?.password ?? ''): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(made.accounts[who]?.email ?? '')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
