import { strict as assert } from 'node:assert'
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, describe, it, vi } from 'vitest'
import { createLog } from '../../../core/log.js'
import { Decoder, processorTime, startDecoder } from '../../../plugins/upload/images/decoder.js'
import { type ImageLimits, Images, type Job, type Picture } from '../../../plugins/upload/images/images.js'
import { isNightly } from '../../support/time.js'
import { picture, temporaryFolder } from './world.js'

const limits = { breakpoints: { small: 500 }, pixels: 1_000_000, seconds: 5, atOnce: 1 }
const png = { mime: 'image/png', ext: '.png' }
const plain = { sizeOptimization: false, responsiveDimensions: true, autoOrientation: false }
const optimized = { ...plain, sizeOptimization: true }

describe('pictures', () => {
  const folder = temporaryFolder()
  const lines: string[] = []
  const log = createLog('warn', { destination: { write: line => void lines.push(line) } })
  const images = new Images(limits, log)
  const opened = [images]
  afterAll(() => {
    for (const one of opened) one.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const file = (name: string, content: Buffer | string): string => {
    const place = path.join(folder, name)
    writeFileSync(place, content)
    return place
  }

  afterEach(() => void vi.useRealTimers())
  const shown = ({ width, height, formats }: Picture) => [width, height, formats.length]
  const whole = [600, 300, 2]

  const maxWait = (1 + 3) * limits.seconds * 1000
  /** Pictures whose decoders are real, and meet their fate when a job is sent to them. */
  const withDecoders = (
    fate: (child: ChildProcess, job: Job) => unknown,
    atOnce = 1,
    other: Partial<ImageLimits> = {},
  ) => {
    const started: ChildProcess[] = []
    const start: typeof startDecoder = (threads, isUrgent) => {
      const child = startDecoder(threads, isUrgent)
      started.push(child)
      const send = child.send.bind(child) as (job: Job, done: (error: Error | null) => void) => boolean
      child.send = ((job: Job, done: () => void) => {
        const sent = send(job, done)
        fate(child, job)
        return sent
      }) as typeof child.send
      return child
    }
    const images = new Images({ ...limits, atOnce, ...other }, log, start)
    opened.push(images)
    return { images, started }
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
    assert.equal((await images.treat(first, jpeg, optimized)).path, `${first}-optimized`)
    assert.equal((await images.treat(second, jpeg, optimized)).path, second)
  })

  it('are turned as the camera was held only where that is asked for', async () => {
    const held = await sharp(await picture(300, 100, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const jpeg = { mime: 'image/jpeg', ext: '.jpg' }
    const turned = await images.treat(file('held.jpg', held), jpeg, { ...plain, autoOrientation: true })
    assert.deepEqual([turned.width, turned.height], [100, 300])
    const kept = await images.treat(file('held2.jpg', held), jpeg, plain)
    assert.deepEqual([kept.width, kept.height], [300, 100])
    assert.equal((await sharp(kept.path).metadata()).orientation, 6)
  })

  it('lie in files that only the server reads until they are stored', async () => {
    const { path: original, formats } = await images.treat(file('o.png', await picture(600, 300)), png, {
      ...plain,
      autoOrientation: true,
    })
    for (const { path } of formats) assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.ok(original.length > 0)
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

  it('that arrive while an idle decoder is ended get a new one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const place = file('d.png', await picture(600, 300))
    await images.treat(place, png, plain)
    vi.advanceTimersByTime(5000)
    assert.deepEqual(shown(await images.treat(place, png, plain)), whole)
  })

  it('whose decoder is killed while it works are tried again in a new one', async () => {
    const { images, started } = withDecoders(child => started.length < 4 && child.kill('SIGKILL'))
    assert.deepEqual(shown(await images.treat(file('e.png', await picture(600, 300)), png, plain)), whole)
    assert.equal(started.length, 4)
  })

  it('are decoded behind all other work, and not so when they are tried again: a busy machine may be why', async () => {
    const ranks: number[] = []
    const { images } = withDecoders(child => {
      ranks.push(getPriority(child.pid) - getPriority())
      if (ranks.length === 1) child.kill('SIGKILL')
    })
    assert.deepEqual(shown(await images.treat(file('l.png', await picture(600, 300)), png, plain)), whole)
    assert.deepEqual(
      ranks.map(rank => rank > 0),
      [true, false],
    )
  })

  it('whose decoder is killed every time are refused, and not kept without their sizes', async () => {
    const { images, started } = withDecoders(child => child.kill('SIGKILL'))
    await assert.rejects(images.treat(file('f.png', await picture(600, 300)), png, plain), { status: 503 })
    assert.equal(started.length, 4)
  })

  it('that crash their decoder take no other with them, and are kept as they are', async () => {
    const { images } = withDecoders((child, { path }) => /bad/.test(path) && child.kill('SIGSEGV'), 4)
    const content = await picture(600, 300)
    const places = ['g1', 'g2', 'g3', 'bad'].map(name => file(`${name}.png`, content))
    const treated = await Promise.all(places.map(place => images.treat(place, png, plain)))
    assert.deepEqual(treated.map(shown), [whole, whole, whole, [null, null, 0]])
    assert.match(lines.at(-1) ?? '', /the decoder crashed each time/)
  })

  it('that take too long do not fail the others in work, and are tried once more', async () => {
    const slow = new Set<string>()
    const content = await picture(600, 300)
    const { images, started } = withDecoders((child, { path }) => {
      if (slow.size === 0) process.nextTick(() => vi.advanceTimersByTime(maxWait))
      slow.add(path)
      if (started.length === 1) child.kill('SIGSTOP')
    }, 2)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const places = ['h1', 'h2'].map(name => file(`${name}.png`, content))
    const treated = await Promise.all(places.map(place => images.treat(place, png, plain)))
    assert.deepEqual(treated.map(shown), [whole, whole])
    assert.equal(started.length, 3)
  })

  it('whose decoder does not get the processor in time are refused, and not kept without their sizes', async () => {
    const { images, started } = withDecoders(child => {
      child.kill('SIGSTOP')
      process.nextTick(() => vi.advanceTimersByTime(maxWait))
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await assert.rejects(images.treat(file('i.png', await picture(600, 300)), png, plain), { status: 503 })
    assert.equal(started.length, 2)
  })

  /** A busy machine takes long to write and to read a costly picture. */
  const patiently = { timeout: 120_000 }
  it.runIf(isNightly)(
    'that are late because their decoder did not have the processor are told to be so',
    patiently,
    async () => {
      const child = startDecoder(1)
      const decoder = new Decoder(child)
      const late = { ...limits, pixels: 10_000_000, seconds: 6 }
      const decode = (path: string) => decoder.ask({ path, options: optimized, limits: late }, 120_000)
      try {
        // The first picture makes the decoder load all that it needs.
        await decode(file('first.png', await picture(600, 300)))
        const costly = await sharp(await picture(3500, 2500))
          .avif({ effort: 0 })
          .toBuffer()
        const before = processorTime(child.pid)
        const answered = decode(file('costly.avif', costly))
        // The decoder is stopped in the middle of the picture; until then this process does nothing else.
        const moment = new Int32Array(new SharedArrayBuffer(4))
        for (let left = 60_000; left > 0 && processorTime(child.pid) - before < 100; left -= 1)
          Atomics.wait(moment, 0, 0, 1)
        child.kill('SIGSTOP')
        setTimeout(() => child.kill('SIGCONT'), late.seconds * 1000 + 500)
        const answer = await answered
        assert.ok('late' in answer && answer.late, JSON.stringify(answer))
        assert.ok(answer.late.worked < answer.late.allowed / 2, `it has worked for ${answer.late.worked} ms`)
      } finally {
        decoder.kill()
      }
    },
  )

  it('that are late are kept without formats where their decoder had the processor', async () => {
    const place = file('n.png', await picture(600, 300))
    const late = (worked: number) => `{
      is: 'picture', picture: { width: 600, height: 300, path: '${place}', formats: [] },
      trouble: 'timeout: 9% complete', late: { allowed: 5000, worked: ${worked} },
    }`
    const script = (worked: number) =>
      file(`${worked}.cjs`, `process.on('message', ({ id }) => process.send({ id, ...${late(worked)} }))`)
    const treat = (worked: number) => {
      const images = new Images(limits, log, () => fork(script(worked)))
      opened.push(images)
      return images.treat(place, png, plain)
    }
    assert.deepEqual(shown(await treat(2500)), [600, 300, 0])
    assert.match(lines.at(-1) ?? '', /timeout: 9% complete/)
    await assert.rejects(treat(2499), { status: 503 })
  })

  it.runIf(isNightly)(
    'are all measured while decoders are killed again and again',
    async () => {
      let sent = 0
      const { images, started } = withDecoders(child => {
        sent += 1
        if (sent % 3 === 0) child.kill('SIGKILL')
      }, 4)
      const content = await picture(600, 300)
      /** A picture that could not be processed is sent again, as clients do. */
      const treat = async (place: string, times = 5): Promise<Picture> => {
        try {
          return await images.treat(place, png, plain)
        } catch (error) {
          assert.equal((error as { status?: number }).status, 503)
          if (times === 0) throw error
          return treat(place, times - 1)
        }
      }
      const places = Array.from({ length: 8 }, (_, index) => file(`k${index}.png`, content))
      const treated = await Promise.all(places.map(place => treat(place)))
      assert.deepEqual(treated.map(shown), new Array(8).fill(whole))
      assert.ok(started.length >= 4, `${started.length} decoders`)
    },
    120_000,
  )

  it('in work when the server closes are refused, and start no decoder', async () => {
    const { images, started } = withDecoders(() => images.close())
    const treat = (name: string) => images.treat(file(name, 'any'), png, plain)
    await Promise.all(['j1', 'j2'].map(name => assert.rejects(treat(name), { status: 503 })))
    assert.equal(started.length, 1)
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
