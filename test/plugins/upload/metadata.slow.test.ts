import { strict as assert } from 'node:assert'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, it, vi } from 'vitest'
import { createLog } from '../../../core/log.js'
import { type ImageOptions, Images } from '../../../plugins/upload/images/images.js'
import { withoutMetadata } from '../../../plugins/upload/images/metadata/metadata.js'
import { anyEngine, type Part, serveUploads, temporaryFolder } from './world.js'

// Writing AVIF takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** A little wider than a thumbnail, which is the largest format that is made of each: larger ones only take longer. */
const size = { width: 260, height: 130 }

const secret = 'Whereabouts'
const exif = {
  IFD0: { Make: secret, Copyright: secret, ImageDescription: secret, Orientation: '6' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1', GPSAreaInformation: secret },
}
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">${secret}</rdf:Description></rdf:RDF></x:xmpmeta>`

type Name = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff'
const names: readonly Name[] = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff']
const noise = Buffer.from(
  Array.from({ length: size.width * size.height * 3 }, (_, index) => (index * 7919 + (index >> 7)) % 251),
)

const segment = (marker: number, text: string): Buffer => {
  const content = Buffer.from(text, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** A chunk of PNG whose checksum nobody looks at. */
const chunk = (name: string, text: string): Buffer => {
  const content = Buffer.alloc(text.length + 12)
  content.writeUInt32BE(text.length)
  content.write(name + text, 4, 'latin1')
  return content
}

const blocks = (text: string): Buffer =>
  Buffer.concat([Buffer.from([text.length]), Buffer.from(text), Buffer.from([0])])

/** Notes that the library does not write, where the format has room for them. */
function annotated(name: Name, content: Buffer): Buffer {
  const within = (at: number, ...parts: Buffer[]) =>
    Buffer.concat([content.subarray(0, at), ...parts, content.subarray(at)])
  switch (name) {
    case 'jpeg':
      return Buffer.concat([
        within(2, segment(0xed, `Photoshop 3.0\0${secret}`), segment(0xfe, secret), segment(0xe2, `MPF\0${secret}`)),
        content,
      ])
    case 'png':
      return within(33, chunk('tEXt', `Author\0${secret}`), chunk('caBX', secret))
    case 'gif': {
      const at = 13 + ((content[10] ?? 0) & 0x80 ? 3 << (((content[10] ?? 0) & 7) + 1) : 0)
      const foreign = Buffer.concat([Buffer.from([0x21, 0xff]), blocks('XMP DataXMP').subarray(0, -1), blocks(secret)])
      return within(at, Buffer.from([0x21, 0xfe]), blocks(secret), foreign)
    }
    default:
      return content
  }
}

const written = new Map<Name, Promise<Buffer>>()

/** The same picture in each format, written once. */
function noted(name: Name): Promise<Buffer> {
  const known = written.get(name) ?? write(name)
  written.set(name, known)
  return known
}

async function write(name: Name): Promise<Buffer> {
  const raw = { raw: { ...size, channels: 3 } } as const
  const written = await sharp(noise, raw)
    .withExif(exif)
    .withXmp(xmp)
    .withIccProfile('p3')
    .toFormat(name, name === 'avif' ? { effort: 0 } : {})
    .toBuffer()
  // The library sets the orientation of what it writes itself.
  const turned = written.indexOf(Buffer.from('12010300010000000100', 'hex'))
  if (turned >= 0) written[turned + 8] = 6
  return annotated(name, written)
}

const pixelsOf = (content: Buffer): Promise<Buffer> => sharp(content).raw().toBuffer()

describe('what cameras and programs note in pictures', () => {
  for (const name of names)
    it(`is taken out of ${name}, and pixels, profile and orientation stay`, async () => {
      const content = await noted(name)
      const before = await sharp(content).metadata()
      if (!['tiff', 'avif'].includes(name)) assert.ok(content.includes(secret), 'there is something to take out')
      const stripped = withoutMetadata(content, before.orientation ?? 1)
      assert.ok(stripped)
      const after = await sharp(stripped).metadata()
      assert.ok(!stripped.includes(secret))
      assert.equal(after.xmp, undefined)
      assert.equal(after.iptc, undefined)
      assert.ok((after.exif?.length ?? 0) < 40, 'only the orientation is left')
      assert.equal(after.orientation, before.orientation)
      assert.deepEqual(after.icc, before.icc)
      assert.deepEqual(await pixelsOf(stripped), await pixelsOf(content))
      assert.equal(withoutMetadata(stripped, before.orientation ?? 1), stripped, 'a second time changes nothing')
    })

  it('does not take the animation out', async () => {
    for (const name of ['gif', 'webp'] as const) {
      const frames = [noise, noise.map(byte => 255 - byte)]
      const raw = { width: size.width, height: 2 * size.height, channels: 3 as const, pageHeight: size.height }
      const content = await sharp(Buffer.concat(frames), { raw }).withXmp(xmp).toFormat(name, { loop: 3 }).toBuffer()
      const { pages, loop } = await sharp(withoutMetadata(content, 1) as Buffer).metadata()
      assert.deepEqual([pages, loop], [2, 3], name)
    }
  })

  it('is not looked for in other formats, and pictures that are malformed are told', () => {
    assert.equal(withoutMetadata(Buffer.from('plain text'), 1), undefined)
    assert.equal(withoutMetadata(Buffer.alloc(0), 1), undefined)
    for (const start of ['ffd8ffe10001', '49492a00ffffffff', '474946383961', '0000000c6674797061766966'])
      assert.throws(
        () => withoutMetadata(Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(19, 7)]), 1),
        /malformed/,
      )
  })

  it('makes no malformed picture fail in another way', async () => {
    for (const name of names) {
      const content = await noted(name)
      for (let turn = 0; turn < 400; turn += 1) {
        const damaged = Buffer.from(content.subarray(0, turn % 2 === 0 ? content.length : (turn * 37) % content.length))
        for (let at = turn * 3; at < Math.min(damaged.length, 4000); at += 97 + turn) damaged[at] = (at * turn) % 256
        try {
          withoutMetadata(damaged, 6)
        } catch (error) {
          assert.match((error as Error).message, /malformed/, `${name} ${turn}: ${(error as Error).stack}`)
        }
      }
    }
  })
})

describe('uploads', () => {
  const folder = temporaryFolder()
  const limits = { breakpoints: { small: 200 }, pixels: 1_000_000, seconds: 20, atOnce: 1 }
  const images = new Images(limits, createLog('silent'))
  afterAll(() => {
    images.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const settings: ImageOptions[] = [
    { sizeOptimization: false, responsiveDimensions: true, autoOrientation: false },
    { sizeOptimization: true, responsiveDimensions: true, autoOrientation: false },
    { sizeOptimization: false, responsiveDimensions: true, autoOrientation: true },
  ]

  for (const name of names)
    it(`of ${name} keep no notes in the original and its formats, whatever the settings`, async () => {
      for (const [index, options] of settings.entries()) {
        const place = path.join(folder, `${name}-${index}`)
        const content = await noted(name)
        writeFileSync(place, content)
        const picture = await images.treat(place, { mime: `image/${name}`, ext: `.${name}` }, options)
        assert.equal(picture.width === size.width || picture.width === size.height, true)
        for (const one of [picture, ...picture.formats]) {
          const { exif, xmp, iptc, orientation = 1 } = await sharp(one.path).metadata()
          assert.ok(!readFileSync(one.path).includes(secret), `${name} ${index} ${one.path}`)
          assert.deepEqual([xmp, iptc, (exif?.length ?? 0) < 40], [undefined, undefined, true])
          const isTurned = (await sharp(content).metadata()).orientation === 6 && !options.autoOrientation
          if (one === picture) assert.equal(orientation, isTurned ? 6 : 1, `${name} ${index}`)
        }
      }
    })

  it('that no decoder can read keep none either', async () => {
    const place = path.join(folder, 'broken.jpg')
    const broken = Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      segment(0xe1, `Exif\0\0${secret}`),
      Buffer.from('ffd9', 'hex'),
    ])
    writeFileSync(place, broken)
    const picture = await images.treat(place, { mime: 'image/jpeg', ext: '.jpg' }, settings[0] as ImageOptions)
    assert.ok(!readFileSync(picture.path).includes(secret))
  })
})

describe('responses about files', () => {
  const world = serveUploads(anyEngine)
  it('tell no path of the client or the server, and no version', async () => {
    const content = await noted('jpeg')
    const image = (name: string, content: Buffer | string): Part => ['files', name, 'image/jpeg', content]
    const answers = [
      await world.form('/upload', [image('C:\\\\Users\\\\zelda\\\\holiday.jpg', content)]),
      await world.form('/upload', [image('../../home/zelda/holiday.jpg', content)]),
      await world.form('/upload', [image('../../home/zelda/broken.jpg', 'no picture')]),
      await world.form('/upload', [['file', '../x/zelda.jpg', 'image/jpeg', content]]),
      await world.form('/articles', [['files.nope', 'C:\\\\zelda\\\\x.jpg', 'image/jpeg', content]]),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400, 400, 400],
    )
    const file: { name: string; url: string } = answers[0]?.body[0]
    answers.push(await world.fetch(file.url), await world.fetch('/uploads/nope.jpg'), await world.get('/nope'))
    assert.equal(file.name, 'holiday.jpg')
    for (const { text, headers } of answers) {
      assert.doesNotMatch(text, /zelda|\.incoming|Users|\.\.\//)
      assert.ok(!text.includes(world.folder))
      assert.equal(headers.server, undefined)
      assert.equal(headers['x-powered-by'], undefined)
    }
    await world.settled()
  })
})
