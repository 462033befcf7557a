import { strict as assert } from 'node:assert'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { kindOf } from '../../../plugins/upload/kind.js'
import { newHash, plainName } from '../../../plugins/upload/names.js'
import { queue } from '../../../plugins/upload/queue.js'
import { picture, temporaryFolder } from './world.js'

const png = await picture(5, 5)
const gif = await picture(5, 5, 'gif')
const zip = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64')
const pdf = Buffer.from('%PDF-1.4\n%\u00e2\u00e3\n1 0 obj', 'latin1')
const bytes = Buffer.from([0, 1, 2, 3, 250, 251, 252])
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

describe('the kind of a file', () => {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const sent = (content: Buffer | string, name: string, mime: string | undefined) => {
    const file = path.join(folder, 'file')
    writeFileSync(file, content)
    const whole = Buffer.from(content)
    return { path: file, name, mime, bytes: whole.length, head: whole.subarray(0, 4096) }
  }
  const kind = async (content: Buffer | string, name: string, mime: string | undefined, trusting: boolean) => {
    try {
      const found = await kindOf(sent(content, name, mime), { allow: ['*/*'], trusting })
      return `${found.mime} ${found.ext}`.trim()
    } catch (error) {
      return (error as Error).name
    }
  }

  type Row = readonly [
    says: string,
    content: Buffer | string,
    name: string,
    mime: string | undefined,
    kind: string,
    trusting?: string,
  ]
  const wrong = 'ValidationError'
  const rows: readonly Row[] = [
    ['a picture is what it is', png, 'a.png', 'image/png', 'image/png .png'],
    [
      'one that goes on behind its beginning',
      Buffer.concat([gif, Buffer.alloc(5000)]),
      'a',
      undefined,
      'image/gif .gif',
    ],
    ['a letter case is kept', png, 'a.PNG', 'image/png', 'image/png .PNG'],
    ['a name without extension gets one', png, 'a', 'image/png', 'image/png .png'],
    ['content decides where nothing is said', gif, 'a', undefined, 'image/gif .gif'],
    ['content decides among pictures', gif, 'a.png', 'image/png', 'image/gif .gif'],
    ['a type that is sent counts for less than the name', png, 'a.png', 'text/html', 'image/png .png'],
    ['text is text', 'hello', 'a.txt', 'text/plain', 'text/plain .txt'],
    ['text without a name for it', 'hello', 'a', undefined, 'text/plain .txt'],
    ['a table is text of its own kind', 'a,b\n', 'a.csv', 'text/csv', 'text/csv .csv'],
    ['text that begins with markup stays text', '<html>', 'a.md', 'text/markdown', 'text/markdown .md'],
    ['markup without a name for it is markup', '<html>', 'a', undefined, 'text/html .html'],
    ['markup in two bytes a letter is found', utf16('<script>alert(1)</script>'), 'a', undefined, 'text/html .html'],
    [
      'a drawing',
      '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE svg>\n<svg/>',
      'a.svg',
      'image/svg+xml',
      'image/svg+xml .svg',
    ],
    ['a drawing under the name of a picture', '<svg/>', 'a.png', 'image/png', wrong, wrong],
    ['markup under the name of a picture', '<html>', 'a.png', 'image/png', wrong, wrong],
    ['markup under the name of a drawing', '<html>', 'a.svg', 'image/svg+xml', wrong, wrong],
    ['text under the name of a picture', 'hello', 'a.png', 'image/png', wrong, 'image/png .png'],
    ['bytes under the name of a text', bytes, 'a.txt', 'text/plain', wrong, 'text/plain .txt'],
    ['bytes under the name of a film', bytes, 'a.mp4', 'video/mp4', wrong, 'video/mp4 .mp4'],
    ['a document under the name of a picture', pdf, 'a.png', 'image/png', wrong, 'application/pdf .pdf'],
    [
      'an archive that is a document',
      zip,
      'a.docx',
      undefined,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document .docx',
    ],
    ['an extension that nobody knows', bytes, 'a.xyz9', 'text/html', 'application/octet-stream .xyz9'],
    ['an extension that is none', 'hello', 'a.b c', 'text/plain', 'text/plain .txt'],
    ['bytes of no kind', bytes, 'a', undefined, 'application/octet-stream'],
  ]
  for (const [says, content, name, mime, strict, trusting = strict] of rows)
    it(says, async () => {
      assert.deepEqual(
        [await kind(content, name, mime, false), await kind(content, name, mime, true)],
        [strict, trusting],
      )
    })

  it('is refused where it is not on the list', async () => {
    const taken = (allow: string[]) => kindOf(sent(png, 'a.png', 'image/png'), { allow, trusting: false })
    for (const allow of [['image/*'], ['*/*'], ['text/plain', 'image/png'], ['image/p*']]) assert.ok(await taken(allow))
    for (const allow of [[], ['image/jpeg'], ['image'], ['video/*']])
      await assert.rejects(taken(allow), { status: 400 })
  })
})

describe('names', () => {
  for (const [name, hash] of [
    ['photo.jpg', /^photo_[0-9a-f]{10}$/],
    ['Üñï cödé (1).jpg', /^Ueni_coede_1_[0-9a-f]{10}$/],
    ['東京.jpg', /^file_[0-9a-f]{10}$/],
    ['a.b.c.jpg', /^a_b_c_[0-9a-f]{10}$/],
    ['..', /^file_[0-9a-f]{10}$/],
    [`${'x'.repeat(500)}.jpg`, /^x{100}_[0-9a-f]{10}$/],
  ] as const)
    it(`${name.slice(0, 30)} is spelt in ASCII, and told apart by chance`, () => {
      assert.match(newHash(name), hash)
      assert.notEqual(newHash(name), newHash(name))
    })

  it('lose folders, control characters and what turns the direction of writing', () => {
    assert.equal(plainName('C:\\x\\a.txt'), 'a.txt')
    assert.equal(plainName('../../a\u0000b\u202ec.txt'), 'abc.txt')
    assert.equal(plainName(''), 'file')
  })
})

describe('a queue', () => {
  it('runs so many at once, in order, and goes on after one that fails', async () => {
    const inTurn = queue(2)
    const events: string[] = []
    const ends: (() => void)[] = []
    const work = (name: string) =>
      inTurn(async () => {
        events.push(name)
        await new Promise<void>(resolve => ends.push(resolve))
        if (name === 'b') throw new Error('no')
      })
    const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(work))
    for (const running of [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c', 'd'],
    ]) {
      assert.deepEqual(events, running)
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    ends.shift()?.()
    assert.deepEqual(
      (await all).map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
  })
})
