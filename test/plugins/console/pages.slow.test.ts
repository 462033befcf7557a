import { afterAll, beforeAll, describe } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { pageContract } from '../../support/pages/page-contract.js'
import { world } from './world.js'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console; media-src 'self' blob:; worker-src 'self'"

describe('the page of the console', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp(world as Parameters<typeof createTestApp>[0])
  })
  afterAll(() => app?.close())

  /** Requests below /console are those of its own page. */
  const asPage = (asked: { readonly url: string; readonly headers?: object }) =>
    app.inject({ ...asked, headers: { 'sec-fetch-site': 'same-origin', ...asked.headers } })

  pageContract({
    app: () => ({ ...app, inject: asPage }) as TestApp,
    path: '/console',
    policy,
    most: { script: { plain: 250_000, packed: 80_000 }, styles: { plain: 40_000, packed: 10_000 } },
  })
})
