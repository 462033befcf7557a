import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { OpenProject, ProjectFolder } from '../../../strapi4/project.js'
import { startBrowser } from '../../../support/browser.js'
import { engines } from '../../../support/engines.js'
import { openPage, type View } from '../../../support/pages/watched-page.js'
import { type Server, startOn, type World } from '../../../support/server.js'
import { command } from '../../admin/world.js'
import { copyWithConsole, made, openProject } from '../project.js'

export type Person = keyof typeof made.accounts

type Work = (page: Page) => Promise<void>
export type PageView = Partial<View & { path: string }>

interface Opening {
  readonly origin: string
  /** Opens the page, and looks afterwards whether it has done what no page may. */
  opened(work: Work, view?: PageView): Promise<void>
}

export interface ServedConsole extends Opening {
  readonly project: () => OpenProject
  /** The file of its database. */
  readonly database: () => string
  /** Opens the page and signs in as one of the people of the recording. */
  signedIn(who: Person, work: Work, view?: PageView): Promise<void>
}

/** Serves a project of Strapi 4.26 with its editors to a browser of its own while the tests of a block run. */
export function servedConsole(settings: Parameters<typeof copyWithConsole>[0] = {}): ServedConsole {
  let folder: ProjectFolder
  let project: OpenProject
  const pages = opening(async () => {
    folder = copyWithConsole(settings)
    project = await openProject(folder, { HOST: '127.0.0.1', PORT: '0' })
    return project.app
  })
  afterAll(async () => {
    await project?.close()
    folder?.remove()
  })
  return {
    get origin() {
      return pages.origin
    },
    opened: pages.opened,
    project: () => project,
    database: () => folder.database,
    signedIn: (who, work, view) =>
      pages.opened(
        signedInAs(page => signIn(page, who), work),
        view,
      ),
  }
}

export type Role = 'Super Admin' | 'Editor' | 'Author'

export interface ServedWorld extends Opening {
  readonly server: () => Server
  /** Opens the page and signs in as an account with a role. */
  signedIn(role: Role, work: Work, view?: PageView): Promise<void>
}

const worldPassword = 'eleven elephants'
const mailOf = (role: Role): string => `${role.replace(' ', '').toLowerCase()}@example.test`

/** Serves an app of its own to a browser: for what a project of Strapi cannot have. */
export function servedWorld(world: World): ServedWorld {
  const sqlite = engines.find(({ name }) => name === 'sqlite')
  let fresh: Awaited<ReturnType<NonNullable<typeof sqlite>['fresh']>>
  let server: Server
  const pages = opening(async () => {
    assert.ok(sqlite)
    fresh = await sqlite.fresh()
    server = await startOn(fresh.database, {
      ...world,
      config: { ...world.config, server: { host: '127.0.0.1', port: 0 } },
    })
    for (const role of ['Super Admin', 'Editor', 'Author'] as const)
      await command(server.app, 'admin create', [mailOf(role)], { password: worldPassword, role, firstname: role })
    return server.app
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })
  return {
    get origin() {
      return pages.origin
    },
    opened: pages.opened,
    server: () => server,
    signedIn: (role, work, view) =>
      pages.opened(
        signedInAs(page => fillSignIn(page, mailOf(role), worldPassword), work),
        view,
      ),
  }
}

/** Opens pages of an app, which is there while the tests of a block run. */
function opening(start: () => Promise<{ listen(): Promise<{ readonly port: number }> }>): Opening {
  let browser: Browser
  let origin = ''
  beforeAll(async () => {
    const { port } = await (await start()).listen()
    origin = `http://127.0.0.1:${port}`
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())
  return {
    get origin() {
      return origin
    },
    async opened(work, { path = '/console', ...view } = {}) {
      const { page, wrongs } = await openPage(browser, origin + path, { width: 1440, height: 900, ...view })
      try {
        await work(page)
        assert.deepEqual(wrongs, [])
      } finally {
        await page.context().close()
      }
    },
  }
}

const signedInAs =
  (enter: Work, work: Work): Work =>
  async page => {
    await enter(page)
    await page.getByRole('button', { name: /^Account: / }).waitFor()
    await work(page)
  }

/** Signs in without the page, which may be in any language, and tells the status. */
export const signInBy = (page: Page, role: Role): Promise<number> =>
  page.evaluate<number, string>(
    async body => {
      const headers = { 'content-type': 'application/json', 'x-console': '1' }
      return (await fetch('/console/session', { method: 'POST', headers, body })).status
    },
    JSON.stringify({ email: mailOf(role), password: worldPassword }),
  )

/** Fills in the sign-in, with the password that the account has in Strapi. */
export const signIn = (page: Page, who: Person, password = made.accounts[who]?.password ?? ''): Promise<void> =>
  fillSignIn(page, made.accounts[who]?.email ?? '', password)

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
