import { strict as assert } from 'node:assert'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../../core/index.js'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { Form } from '../../../../../plugins/console/model/form/form.js'
import { Kinds } from '../../../../../plugins/console/model/form/kinds.js'
import { isRecord, type PlainItem, type Related, refOf } from '../../../../../plugins/console/model/form/plain.js'
import type { LinkInfo, TypeMeta } from '../../../../../plugins/console/model/meta.js'
import { draftAndPublish } from '../../../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../../../plugins/i18n/index.js'
import { upload } from '../../../../../plugins/upload/index.js'
import { startBrowser } from '../../../../support/browser.js'
import { inBrowser } from '../../../../support/pages/served.js'
import { openPage } from '../../../../support/pages/watched-page.js'
import { isNightly } from '../../../../support/time.js'
import { Dice } from '../../../explorer/random.js'
import { Typist, told } from '../../model/typist.js'
import { apps, Client } from '../../model/world.js'
import { signIn } from '../../world.js'
import { isSaved } from '../form.js'
import { Scribe, sayable } from './scribe.js'

/** States in each of the apps and dialects: some with every run, 504 at night. */
const states = isNightly ? 84 : 4

/** Changes forms to what the page can be brought to: it finds entries by titles that no other one has. */
class PageTypist extends Typist {
  readonly titles = new Map<string, string>()

  override related(link: LinkInfo, self: string): Related | undefined {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const found = super.related(link, self)
      const title = found && this.titles.get(refOf(found))
      if (title && [...this.titles.values()].filter(one => one === title).length === 1) return found
    }
    return undefined
  }
}

for (const name of ['sample', 'project', 'every type'] as const)
  for (const dialect of ['spec', 'strapi4'] as const)
    describe(`random states of ${name} in ${dialect}, typed into the page`, {
      ...inBrowser,
      timeout: 1_800_000,
    }, () => {
      let app: TestApp
      let browser: Browser
      let page: Page
      let client: Client
      let scribe: Scribe
      let wrongs: string[]
      const ids = new Map<string, number[]>()
      const dice = new Dice(17)
      const typist = new PageTypist(dice, ids)

      beforeAll(async () => {
        app = await createTestApp({
          ...apps[name],
          plugins: [upload, draftAndPublish, i18n, [admin, { ratelimit: { enabled: false } }], contentConsole],
          config: { server: { host: '127.0.0.1', port: 0 }, api: { rest: { dialect } } },
        })
        const editor = await signIn(app, 'Super Admin', 'ada@example.test')
        const meta = await editor.meta()
        const inConsole = {
          inject: (request: { url: string }) => app.inject({ ...request, url: meta.app.api + request.url }),
        }
        client = new Client(inConsole as never, new Kinds(meta), {
          'sec-fetch-site': 'same-origin',
          cookie: editor.cookie,
        })
        await fill()
        const { port } = await app.listen()
        browser = await startBrowser()
        ;({ page, wrongs } = await openPage(browser, `http://127.0.0.1:${port}/console`, { width: 1440, height: 900 }))
        await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.test')
        await page.getByLabel('Password').fill('eleven elephants')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
        scribe = new Scribe(page, client.kinds, entry => typist.titles.get(refOf(entry)) ?? '')
      })
      afterAll(async () => {
        await browser?.close()
        await app?.close()
      })

      /** Entries of each type to begin with, and rows of files without the files. */
      async function fill(): Promise<void> {
        for (const file of ['a', 'b', 'c', 'd', 'e']) {
          const entry = { name: `${file}.jpg`, hash: file, ext: '.jpg', mime: 'image/jpeg', size: 1, url: `/${file}` }
          const made = await app.entries('plugin::upload.file').create({ ...entry, provider: 'local' })
          know('plugin::upload.file', Number(made.id), entry.name)
        }
        for (const uid of app.types.types.keys()) {
          const type = uid.startsWith('api::') ? client.kinds.type(uid) : undefined
          for (let count = type?.kind === 'singleType' ? 1 : 3; type?.path !== undefined && count > 0; count -= 1) {
            const form = new Form(client.kinds, type, undefined)
            typist.fill(form)
            remember(type, await client.saved(form))
          }
        }
      }

      function know(uid: string, id: number, title: string): void {
        if (!ids.get(uid)?.includes(id)) ids.set(uid, [...(ids.get(uid) ?? []), id])
        typist.titles.set(refOf({ uid, id }), title)
      }

      function remember({ uid, layout }: TypeMeta, { id, values }: PlainItem): void {
        const main = values[layout.settings.mainField]
        const title = main?.kind === 'typed' ? String(main.typed ?? '').trim() : ''
        know(uid, Number(id), title.split('\n')[0] ?? '')
      }

      /** Goes to another form, as a link does. */
      async function go(to: string): Promise<void> {
        await page.evaluate(`
          document.querySelector('form.entry-form')?.setAttribute('data-left', '')
          history.pushState(null, '', '${to}')
          dispatchEvent(new PopStateEvent('popstate'))`)
        await page.locator('form.entry-form:not([data-left])').waitFor()
      }

      /** Saves, and gives what was sent and the id of the entry. */
      async function save({ type, root }: Form): Promise<{ sent: Record<string, unknown>; id: number }> {
        const isSave = (request: Request) =>
          ['PUT', 'POST'].includes(request.method()) && !new URL(request.url()).pathname.endsWith('/uid')
        const asked = page.waitForRequest(isSave)
        await page.keyboard.press('Control+s')
        const request = await asked
        const response = await request.response()
        const body = (await response?.json()) as { data: { id: number } }
        assert.equal(response?.status(), 200, `${type.uid} ${root.id} ${request.postData()} ${JSON.stringify(body)}`)
        await isSaved(page)
        const { data } = request.postDataJSON() as { data: Record<string, unknown> }
        return { sent: data, id: body.data.id }
      }

      it(`are stored as they were typed, and nothing else is sent: ${states}`, async () => {
        const types = [...ids.keys()].flatMap(uid => (uid.startsWith('api::') ? (client.kinds.type(uid) ?? []) : []))
        for (let typed = 0; typed < states; ) {
          const type = dice.one(types)
          const isNew = type.kind === 'collectionType' && dice.chance(0.25)
          const id = dice.one(ids.get(type.uid) ?? [])
          const form = isNew ? new Form(client.kinds, type, undefined) : await client.open(type.uid, id)
          if (isNew) typist.fill(form)
          else typist.change(form, dice.one([0.1, 0.3, 0.6]))
          sayable(form.root)
          if (form.changes.peek() === 0) continue
          typed += 1
          const own = type.kind === 'singleType' ? `s/${type.singular}` : `c/${type.singular}/${isNew ? 'new' : id}`
          await go(`/console/${own}`)
          await scribe.copy(form)
          const body = form.body()
          const expected = told(client.kinds, form.root.plain())
          const { sent, id: savedAs } = await save(form)
          const { locale: _, ...data } = sent
          assert.deepEqual(withoutLinks(isNew ? data : sent), withoutLinks(body), `${type.uid} ${savedAs}`)
          const { plain } = await client.read(type.uid, savedAs)
          assert.deepEqual(told(client.kinds, plain), expected, `${type.uid} ${savedAs}: ${JSON.stringify(sent)}`)
          remember(type, plain)
        }
        assert.deepEqual(wrongs, [])
      })
    })

/** What is sent, without how links are said: one change may be said in several ways. */
function withoutLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLinks)
  if (!isRecord(value)) return value
  if ('connect' in value || 'disconnect' in value) return 'links'
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutLinks(one)]))
}
