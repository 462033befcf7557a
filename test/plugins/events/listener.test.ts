import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { it } from 'vitest'
import { Listener } from '../../../plugins/events/feed/listener.js'
import type { Feed } from '../../../plugins/events/index.js'

it('a feed ends once, however often it is ended before the client has read it', async () => {
  const feed = { position: 0 } as Feed
  const texts = { opening: 'begun ', beat: () => 'beat ', closing: 'over', async *of() {} }
  const listener = new Listener(feed, texts, 0)
  listener.beat()
  listener.end()
  listener.beat()
  listener.end()
  assert.equal(await text(listener.stream), 'begun beat over')
})
