import { strict as assert } from 'node:assert'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'vitest'
import type { Finding } from '../../../core/index.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Part, picture, startUploads } from './world.js'

const photo = await picture(600, 300)
const image = (name: string, content: Buffer | string = photo): Part => ['files', name, 'image/png', content]

onEveryEngine('what stele doctor finds about pictures', engine => {
  it('is which have no size though they could be read, and it measures them', async () => {
    const world = await startUploads(engine, { settings: { trusting: true, allow: ['*/*'] } })
    try {
      const look = async () => {
        const found: Finding[] = []
        const check = world.app.checks.find(({ name }) => name === 'pictures')
        await check?.run(finding => void found.push(finding))
        return found
      }
      const { body } = await world.form('/upload', [
        ...['a.png', 'b.png', 'kept.png', 'gone.png', 'cut.png'].map(name => image(name)),
        image('text.png', 'no picture'),
      ])
      assert.deepEqual(await look(), [])
      const files: { id: number; name: string; hash: string; width: number; height: number; formats: object }[] = body
      const of = (name: string) => {
        const file = files.find(file => file.name === name)
        assert.ok(file, name)
        return { ...file, place: path.join(world.folder, `${file.hash}.png`) }
      }
      const { store } = world.app
      const lost = ['a.png', 'b.png', 'gone.png', 'cut.png'].map(name => of(name).id)
      const { sql, bindings } = store
        .knex('files')
        .whereIn('id', lost)
        .update({ width: null, height: null, formats: null })
        .toSQL()
        .toNative()
      await store.transaction(async session => void (await session.run(sql, bindings)))
      rmSync(of('gone.png').place)
      writeFileSync(of('cut.png').place, photo.subarray(0, 60))

      const [finding, ...others] = await look()
      assert.deepEqual(others, [])
      assert.match(finding?.says ?? '', /without width, height and formats: 3$/)
      assert.deepEqual(
        finding?.examples?.map(text => Number(/\d+/.exec(text)?.[0])),
        ['a.png', 'b.png', 'cut.png'].map(name => of(name).id),
      )
      await assert.rejects(async () => finding?.fix?.run(), /1 of 3/)
      for (const name of ['a.png', 'b.png']) {
        const { body } = await world.get(`/upload/files/${of(name).id}`)
        const { width, height, formats } = of(name)
        assert.deepEqual([body.width, body.height, Object.keys(body.formats)], [width, height, Object.keys(formats)])
        for (const { hash } of Object.values<{ hash: string }>(body.formats))
          assert.ok(readFileSync(path.join(world.folder, `${hash}.png`)).length > 0)
        assert.ok((await world.fetch(body.url)).status === 200)
      }
      assert.deepEqual(
        (await look()).map(({ says }) => /\d+$/.exec(says)?.[0]),
        ['1'],
      )
      await world.settled()
    } finally {
      await world.close()
    }
  })
})
