import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { hashOf, LongHash } from '../../core/http/responses/hash.js'
import { LongText, listed } from '../../core/loop/long-text.js'
import { TimeSlice } from '../../core/loop/time-slice.js'

const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 7919) % 251))
const lengths = [100, 16_383, 16_384, 40_000, 300_000]

describe('what a response is recognised by', () => {
  it.each(lengths)('is another one where one bit of %i bytes is', length => {
    const bytes = bytesOf(length)
    const tags = new Set([hashOf(bytes)])
    const places = Array.from({ length: 16 }, (_, at) => Math.floor((at * (length - 1)) / 15))
    for (const place of places)
      for (const bit of [1, 128]) {
        bytes[place] = (bytes[place] as number) ^ bit
        tags.add(hashOf(bytes))
        bytes[place] = (bytes[place] as number) ^ bit
      }
    assert.equal(tags.size, 1 + 2 * places.length)
    assert.equal(hashOf(bytes), hashOf(bytesOf(length)))
  })

  it('is another one where zeros are added, or two halves have changed places', () => {
    const half = bytesOf(20_000)
    const other = Buffer.alloc(20_000)
    const all = [[half, other], [other, half], [half, other, Buffer.alloc(1)], [half, other, Buffer.alloc(16)], [half]]
    assert.equal(new Set(all.map(parts => hashOf(Buffer.concat(parts)))).size, all.length)
  })

  it('does not depend on the pieces in which it comes, nor on whether it is text', () => {
    const text = 'naïve 雪 🎿 '.repeat(30_000)
    const bytes = Buffer.from(text)
    for (const size of [65_536, 65_537, 1]) {
      const pieces = new LongHash()
      const end = size === 1 ? 20_000 : bytes.length
      for (let from = 0; from < end; from += size) pieces.add(bytes.subarray(from, Math.min(from + size, end)))
      assert.equal(pieces.end(), hashOf(bytes.subarray(0, end)))
    }
    for (const part of [text, text.slice(0, 9000), text.slice(0, 10)])
      assert.equal(hashOf(part), hashOf(Buffer.from(part)))
  })
})

describe('a list as it is sent', () => {
  const frame = { head: '{"data":[', tail: '],"meta":{"of":"雪"}}' }
  it.each([
    ['no items', []],
    ['a few short ones', ['1', '"ä"', '"雪"']],
    ['one', [JSON.stringify('é'.repeat(5000))]],
    ['items of all kinds of characters', ['a', 'é', '雪', '🎿'].map(sign => JSON.stringify(`${sign}"\n`.repeat(900)))],
    ['an empty one among others', ['', 'x'.repeat(3000), '']],
    [
      'so many that it comes in pieces',
      Array.from({ length: 500 }, (_, at) => JSON.stringify(`${at} 🎿é`.repeat(100))),
    ],
  ])('has %s with commas between them, inside of its frame', async (_, items) => {
    const body = await listed(items, frame, new TimeSlice())
    const bytes = body instanceof LongText ? body.toBuffer() : Buffer.from(body)
    assert.equal(bytes.toString(), frame.head + items.join(',') + frame.tail)
  })
})
