import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'

const types = { note: { attributes: { text: { type: 'string' } } } }

describe('begin() of a service', () => {
  it('runs once, when every plugin has started and what is done once is done', async () => {
    const said: string[] = []
    const early = definePlugin({
      name: 'early',
      register: ({ entries }) => ({
        begin: async () => {
          said.push('begin')
          await entries('api::note.note').create({ text: 'a' })
        },
        refresh: () => void said.push('refresh'),
      }),
      once: [{ name: 'fill', run: async () => void said.push('once') }],
    })
    const late = definePlugin({ name: 'late', uses: [early], register: () => void said.push('late') })
    const app = await createTestApp({ types, plugins: [early, late] })
    assert.deepEqual(said, ['late', 'once', 'begin', 'refresh'])
    assert.equal((await app.inject('/api/notes')).json().data.length, 1)
    await app.close()
    assert.equal(said.filter(one => one === 'begin').length, 1)
  })

  it('stops the start with what it throws', async () => {
    const failing = definePlugin({
      name: 'failing',
      register: () => ({
        begin: () => {
          throw new Error('nothing to begin with')
        },
      }),
    })
    await assert.rejects(createTestApp({ types, plugins: [failing] }), /plugin failing.*nothing to begin with/)
  })
})
