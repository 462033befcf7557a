import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { pageContract, partOf } from '../../support/pages/page-contract.js'
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
    views: ['list', 'entry'],
    most: { script: { plain: 250_000, packed: 80_500 }, styles: { plain: 40_000, packed: 10_000 } },
  })

  const sizesOf = async (part: string) => {
    const get = (url: string, headers = {}) => asPage({ url, headers })
    const [, script = ''] = /src="([^"]+\.js)"/.exec((await get('/console')).body) ?? []
    const url = await partOf(get, script, part)
    const sizeAs = async (coding: string) => (await get(url, { 'accept-encoding': coding })).rawPayload.length
    return [await sizeAs('identity'), await sizeAs('gzip')] as const
  }

  it('takes at most 60 kB for the editor of blocks, 13 kB packed, and only where there are blocks', async () => {
    const sizes = await sizesOf('blocks-view')
    assert.ok(sizes[0] <= 60_000 && sizes[1] <= 13_000, `${sizes} bytes`)
  })

  it('takes at most 60 kB for the preview of Markdown, 18 kB packed, and only where it is shown', async () => {
    const sizes = await sizesOf('preview')
    assert.ok(sizes[0] <= 60_000 && sizes[1] <= 18_000, `${sizes} bytes`)
  })
})
