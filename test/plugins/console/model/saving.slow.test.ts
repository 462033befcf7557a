import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { TestApp } from '../../../../core/index.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import { Sent } from '../../../../plugins/console/model/form/sent.js'
import { settle } from '../../../../plugins/console/model/merge/saved.js'
import type { FreshDatabase } from '../../../support/engines.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { Dice } from '../../explorer/random.js'
import { Typist, told } from './typist.js'
import { type apps, Client, type DialectName, open } from './world.js'

onEveryEngine('random forms', engine => {
  // Six times on each engine; other engines than SQLite differ in the form of some values alone.
  const states = engine.name === 'sqlite' ? 84 : 10
  for (const name of ['sample', 'project', 'every type'] as const satisfies (keyof typeof apps)[])
    for (const dialect of ['spec', 'strapi4'] as const satisfies DialectName[])
      describe(`of ${name} in ${dialect}`, () => {
        let fresh: FreshDatabase
        let app: TestApp
        let client: Client
        let uids: string[]
        const ids = new Map<string, number[]>()
        const dice = new Dice(11)
        const typist = new Typist(dice, ids)
        beforeAll(async () => {
          fresh = await engine.fresh()
          app = await open(name, dialect, fresh.database)
          client = new Client(app)
          uids = [...app.types.types.keys()].filter(uid => uid.startsWith('api::') && client.kinds.type(uid)?.path)
          await files()
        })
        afterAll(async () => {
          await app?.close()
          await fresh?.drop()
        })

        /** Rows of files, without the files. */
        async function files() {
          const made: number[] = []
          for (const file of ['a', 'b', 'c', 'd', 'e']) {
            const entry = { name: `${file}.jpg`, hash: file, ext: '.jpg', mime: 'image/jpeg', size: 1, url: `/${file}` }
            const { id } = await app.entries('plugin::upload.file').create({ ...entry, provider: 'local' })
            made.push(Number(id))
          }
          ids.set('plugin::upload.file', made)
        }

        it('fill in new entries, which are stored as they were typed', async () => {
          for (const uid of uids) {
            const type = client.type(uid)
            for (let index = 0; index < (type.kind === 'singleType' ? 1 : 6); index += 1) {
              const form = new Form(client.kinds, type, undefined)
              typist.fill(form)
              const stored = await client.saved(form)
              assert.deepEqual(told(client.kinds, stored), told(client.kinds, form.root.plain()), uid)
              ids.set(uid, [...(ids.get(uid) ?? []), stored.id as number])
            }
          }
        })

        async function isStored(form: Form, expected: unknown, body: object) {
          const again = await client.open(form.type.uid, form.root.id as number)
          assert.deepEqual(told(client.kinds, again.root.plain()), expected, JSON.stringify(body))
        }

        it('change entries to what was typed, and send nothing else', async () => {
          let changed = 0
          for (let index = 0; changed < states && index < 3 * states; index += 1) {
            const uid = dice.one(uids)
            const form = await client.open(uid, dice.one(ids.get(uid) ?? []))
            assert.deepEqual(form.body(), {}, 'a form that was only opened has nothing to send')
            assert.equal(form.changes.value, 0)
            typist.change(form, dice.one([0.1, 0.3, 0.6]))
            const touched = [...form.root.nodes].filter(([, { changes }]) => changes.value > 0).map(([name]) => name)
            const body = form.body()
            assert.deepEqual(Object.keys(body), touched)
            if (touched.length === 0) continue
            changed += 1
            const expected = told(client.kinds, form.root.plain())
            const sent = new Sent(form)
            settle(form, sent, await client.saved(form))
            assert.deepEqual([form.body(), form.changes.value], [{}, 0], 'a saved form has nothing to send')
            assert.deepEqual(told(client.kinds, form.root.plain()), expected, JSON.stringify(body))
            await isStored(form, expected, body)
            if (form.history.last.value === undefined) continue
            // What was saved is taken back, and saved.
            while (form.history.undo());
            const former = told(client.kinds, form.root.plain())
            const back = form.body()
            settle(form, new Sent(form), await client.saved(form))
            await isStored(form, former, back)
          }
          assert.equal(changed, states)
        })
      })
})
