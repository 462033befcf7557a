import { strict as assert } from 'node:assert'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, it } from 'vitest'
import { createLog } from '../../../core/log.js'
import { Images } from '../../../plugins/upload/images.js'
import { picture, temporaryFolder } from './world.js'

const limits = { breakpoints: { small: 500 }, pixels: 1_000_000, seconds: 5, atOnce: 1 }
const png = { mime: 'image/png', ext: '.png' }
const plain = { sizeOptimization: false, responsiveDimensions: true, autoOrientation: false }

describe('pictures', () => {
  const folder = temporaryFolder()
  const lines: string[] = []
  const log = createLog('warn', { destination: { write: line => void lines.push(line) } })
  const images = new Images(limits, log)
  afterAll(() => {
    images.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const file = (name: string, content: Buffer | string): string => {
    const place = path.join(folder, name)
    writeFileSync(place, content)
    return place
  }

  it('get the formats that are smaller than they are', async () => {
    const { width, height, formats } = await images.treat(file('a.png', await picture(600, 300)), png, plain)
    assert.deepEqual([width, height], [600, 300])
    assert.deepEqual(
      formats.map(({ name, width, height }) => [name, width, height]),
      [
        ['thumbnail', 245, 123],
        ['small', 500, 250],
      ],
    )
  })

  it('are written again where that makes them smaller, and left alone where it does not', async () => {
    const noise = Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, index) => (index * 7919) % 251))
    const large = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer()
    const small = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
      .jpeg({ quality: 20 })
      .toBuffer()
    const jpeg = { mime: 'image/jpeg', ext: '.jpg' }
    const first = file('large.jpg', large)
    const second = file('small.jpg', small)
    const options = { ...plain, sizeOptimization: true }
    assert.equal((await images.treat(first, jpeg, options)).path, `${first}-optimized`)
    assert.equal((await images.treat(second, jpeg, options)).path, second)
  })

  it('are turned as the camera was held only where that is asked for', async () => {
    const held = await sharp(await picture(300, 100, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const jpeg = { mime: 'image/jpeg', ext: '.jpg' }
    const turned = await images.treat(file('held.jpg', held), jpeg, { ...plain, autoOrientation: true })
    assert.deepEqual([turned.width, turned.height], [100, 300])
    const kept = await images.treat(file('held2.jpg', held), jpeg, plain)
    assert.deepEqual([kept.width, kept.height, kept.path.endsWith('held2.jpg')], [300, 100, true])
  })

  it('with more pixels than allowed are refused', async () => {
    await assert.rejects(images.treat(file('b.png', await picture(1001, 1000)), png, plain), {
      status: 400,
      message: /1000000 pixels/,
    })
  })

  it('that cannot be read are kept, and the log says so', async () => {
    const place = file('c.png', 'no picture')
    assert.deepEqual(await images.treat(place, png, plain), { width: null, height: null, path: place, formats: [] })
    assert.match(lines.at(-1) ?? '', /kept without all of its formats/)
  })

  it('whose decoder ends in the middle are kept, and the next one gets a new decoder', async () => {
    const place = file('d.png', await picture(600, 300))
    const treated = images.treat(place, png, plain)
    images.close()
    assert.deepEqual(await treated, { width: null, height: null, path: place, formats: [] })
    assert.equal((await images.treat(place, png, plain)).formats.length, 2)
  })

  it('drawn as SVG are measured and not drawn', async () => {
    const svg = { mime: 'image/svg+xml', ext: '.svg' }
    const sizeOf = async (content: string) => {
      const { width, height, formats } = await images.treat(file('e.svg', content), svg, plain)
      return [width, height, formats.length]
    }
    assert.deepEqual(await sizeOf('<svg width="30" height="20px">'), [30, 20, 0])
    assert.deepEqual(
      await sizeOf('<?xml version="1.0"?><!-- <svg width="9"> --><svg viewBox="0 0 64 32.4"/>').then(([, , n]) => n),
      0,
    )
    assert.deepEqual(await sizeOf('<svg viewBox="0 0 64 32.4"/>'), [64, 32, 0])
    assert.deepEqual(await sizeOf('<svg width="100%" height="1e9"/>'), [null, null, 0])
    assert.deepEqual(await sizeOf('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg width="&a;" height="2"/>'), [null, 2, 0])
  })
})
