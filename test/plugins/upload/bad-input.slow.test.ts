import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import net from 'node:net'
import { PassThrough } from 'node:stream'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, it, vi } from 'vitest'
import { readParts } from '../../../plugins/upload/forms/multipart.js'
import { refused } from '../../support/contract.js'
import { anyEngine, encode, type Part, picture, serveUploads, startUploads, temporaryFolder } from './world.js'

describe('bad input', () => {
  const world = serveUploads(anyEngine)
  const file = (name: string, mime: string, content: Buffer | string): Part => ['files', name, mime, content]
  const unharmed = async () => {
    await world.settled()
    assert.equal((await world.form('/upload', [file('fine.txt', 'text/plain', 'fine')])).status, 200)
  }
  const nothingKept = async (send: () => Promise<unknown>) => {
    const before = [world.stored(), await world.count('files')]
    await send()
    assert.deepEqual([world.stored(), await world.count('files')], before)
    await unharmed()
  }

  it('a body without a boundary is refused', () =>
    nothingKept(async () => {
      for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=""'])
        refused(await world.raw('/upload', Buffer.from('--x\r\n\r\n'), { 'content-type': type }), { status: 400 })
    }))

  it('more parts than allowed are refused, files and fields alike', () =>
    nothingKept(async () => {
      const fields = Array.from({ length: 3000 }, (_, index): Part => [`field${index}`, 'x'])
      const files = Array.from({ length: 3000 }, (_, index) => file(`${index}.txt`, 'text/plain', 'x'))
      for (const parts of [fields, files])
        refused(await world.form('/upload', parts), {
          status: 413,
          name: 'PayloadTooLargeError',
          message: /1000 parts/,
        })
    }))

  it('headers without end are refused while they come', () =>
    nothingKept(async () => {
      const port = await world.port()
      const heads = ['--x\r\nContent-Disposition: form-data; name="', '--x\r\nA: b\r\nC: ', 'no part at all']
      for (const head of heads) {
        const body = head + 'a'.repeat(2_000_000)
        const type = 'Content-Type: multipart/form-data; boundary=x\r\nConnection: close'
        const answer = await raw(port, [
          `POST /api/upload HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 100000000\r\n\r\n${body}`,
        ])
        assert.match(answer, /^HTTP\/1\.1 400 .*headers that are too long/s)
      }
    }))

  it('fields that are too large are refused', () =>
    nothingKept(async () => {
      refused(await world.form('/upload', [['fileInfo', 'x'.repeat(3_000_000)]]), { status: 413 })
    }))

  it('a body that ends too early is refused', () =>
    nothingKept(async () => {
      const { body, type } = encode([file('a.txt', 'text/plain', 'x'.repeat(1000))])
      for (const length of [10, 100, 500, body.length - 10])
        refused(await world.raw('/upload', body.subarray(0, length), { 'content-type': type }), { status: 400 })
    }))

  const encodings = ['7bit', '8bit', 'binary', 'base64', 'utf-8', 'quoted-printable', 'x-nonsense']
  for (const encoding of encodings)
    it(`a field and a file in the transfer encoding ${encoding} end no process`, async () => {
      for (const extra of ['', '; filename="a.txt"\r\nContent-Type: text/plain', '; filename="a.txt"']) {
        const head = `--x\r\nContent-Disposition: form-data; name="files"${extra}\r\nContent-Transfer-Encoding: ${encoding}`
        const body = Buffer.from(`${head}\r\n\r\naGVsbG8=\r\n--x--\r\n`)
        const { status } = await world.raw('/upload', body, { 'content-type': 'multipart/form-data; boundary=x' })
        assert.ok(status === 200 || status === 400, String(status))
      }
      await unharmed()
    })

  it('names of parts that mean something to JavaScript are refused', () =>
    nothingKept(async () => {
      for (const name of ['__proto__', '']) refused(await world.form('/upload', [[name, 'x']]), { status: 400 })
      const answer = await world.form('/upload', [
        ['constructor', 'x'],
        ['toString', 'x'],
        ['hasOwnProperty', 'x'],
      ])
      refused(answer, { status: 400, message: 'Files are empty' })
    }))

  const names = [
    '../../../etc/passwd.txt',
    '..\\..\\windows\\system.txt',
    '/etc/cron.d/x.txt',
    'a/../../b.txt',
    '....//....//x.txt',
    '%2e%2e%2fx.txt',
    'x.txt\u0000.png',
    '.htaccess',
    '..',
    'con.txt',
    'x.php.txt',
    `${'a'.repeat(5000)}.txt`,
    '‮gpj.txt',
    '<script>alert(1)</script>.txt',
  ]
  for (const name of names)
    it(`the name ${JSON.stringify(name.slice(0, 40))} names a file in the folder and nowhere else`, async () => {
      const before = world.stored()
      const { status, body } = await world.form('/upload', [file(name, 'text/plain', 'x')])
      if (status !== 200) return assert.equal(status, 400)
      const added = world.stored().filter(one => !before.includes(one))
      assert.deepEqual(added, [body[0].hash + body[0].ext])
      assert.match(added[0] ?? '', /^[A-Za-z0-9_]{1,120}(\.[A-Za-z0-9]{1,12})?$/)
      assert.doesNotMatch(body[0].name, /[/\\\p{Cc}\u202e]/u)
    })

  it('a file over the limit is refused while it comes', async () => {
    const small = await startUploads(anyEngine, { settings: { sizeLimit: 100_000 } })
    try {
      const answer = await small.form('/upload', [file('a.txt', 'text/plain', 'x'.repeat(100_001))])
      refused(answer, { status: 413, name: 'PayloadTooLargeError' })
      assert.equal((await small.form('/upload', [file('a.txt', 'text/plain', 'x'.repeat(100_000))])).status, 200)
      await small.settled()
    } finally {
      await small.close()
    }
  })

  it('a body over the limit is refused by its length, and where it tells none while it comes', async () => {
    const small = await startUploads(anyEngine, { config: { server: { body: { multipart: 50_000 } } } })
    try {
      const files = [1, 2, 3].map(index => file(`${index}.txt`, 'text/plain', 'x'.repeat(20_000)))
      refused(await small.form('/upload', files), { status: 413 })
      const port = await small.port()
      const { body, type } = encode(files)
      const answer = await raw(port, [
        `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
        `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`,
      ])
      assert.match(answer, /^HTTP\/1\.1 413/)
      await small.settled()
    } finally {
      await small.close()
    }
  })

  it('a client that goes away in the middle leaves nothing', async () => {
    const port = await world.port()
    const { body, type } = encode([file('a.txt', 'text/plain', 'x'.repeat(100_000))])
    const socket = net.connect(port, '127.0.0.1')
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, 70_000))
    await vi.waitFor(() => assert.equal(world.arriving().length, 1), { timeout: 5000 })
    socket.destroy()
    await vi.waitFor(() => assert.equal(world.arriving().length, 0), { timeout: 5000 })
    await unharmed()
  })

  it('a picture that unpacks to too much is refused before it is unpacked', () =>
    nothingKept(async () => {
      const begun = process.memoryUsage().rss
      refused(await world.form('/upload', [file('bomb.png', 'image/png', bomb(60_000, 60_000))]), {
        status: 400,
        message: /pixels/,
      })
      refused(await world.form('/upload', [file('wide.png', 'image/png', bomb(2_000_000, 1000))]), {
        status: 400,
        message: /pixels/,
      })
      assert.ok(process.memoryUsage().rss - begun < 100 * 2 ** 20)
    }))

  it('a picture that is broken is a file without formats', async () => {
    const whole = await picture(600, 400)
    const { status, body } = await world.form('/upload', [
      file('half.png', 'image/png', whole.subarray(0, whole.length / 2)),
    ])
    assert.equal(status, 200)
    assert.equal(body[0].formats?.thumbnail, undefined)
  })

  const lies: readonly (readonly [name: string, mime: string, content: string])[] = [
    ['x.png', 'image/png', '<html><script>alert(1)</script></html>'],
    ['x.png', 'image/png', '<!-- x --><!DOCTYPE html><p>'],
    ['x.jpg', 'image/jpeg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['x.svg', 'image/svg+xml', '<html><body>'],
    ['x.png', 'image/png', 'just text'],
    ['x.pdf', 'application/pdf', 'MZ not a pdf'],
    ['x.mp4', 'video/mp4', '<script>alert(1)</script>'],
    ['x.html', 'text/html', '<html>'],
    ['x.html', 'image/png', '<html>'],
    ['x.xml', 'image/png', '<?xml version="1.0"?><a/>'],
    ['x', 'text/html', '<html>'],
    ['x', 'image/png', '<html>'],
    ['x.exe', 'application/octet-stream', 'MZ\u0000\u0001'],
    ['x.js', 'text/javascript', 'alert(1)'],
    ['x.xhtml', 'application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ]
  for (const [name, mime, content] of lies)
    it(`${name} sent as ${mime} is refused when it holds ${JSON.stringify(content.slice(0, 30))}`, () =>
      nothingKept(async () => {
        refused(await world.form('/upload', [file(name, mime, content)]), { status: 400, name: 'ValidationError' })
      }))

  it('a picture under the name of another kind is kept under its own', async () => {
    const { body } = await world.form('/upload', [file('photo.jpg', 'image/jpeg', await picture(20, 20, 'png'))])
    assert.deepEqual([body[0].mime, body[0].ext], ['image/png', '.png'])
  })

  it('whatever bytes come, the response is a refusal in the form of all errors', async () => {
    const pieces = fc.oneof(
      fc.constantFrom('--x\r\n', '--x--\r\n', '\r\n\r\n', '\r\n', '--', 'x', ': ', ';', '"', '\0'),
      fc.constantFrom(
        'Content-Disposition: form-data; name="files"; filename="a.txt"',
        'Content-Disposition: form-data; name="fileInfo"',
        'Content-Type: image/png',
        'Content-Transfer-Encoding: base64',
      ),
      fc.string({ maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 25 }), async list => {
        const { status } = await world.raw('/upload', Buffer.from(list.join('')), {
          'content-type': 'multipart/form-data; boundary=x',
        })
        assert.ok([200, 400, 413].includes(status), `${status} for ${JSON.stringify(list)}`)
      }),
      { numRuns: 400 },
    )
    await unharmed()
  })

  it('random bytes of every length are refused', async () => {
    for (let length = 0; length < 3000; length += 97)
      refused(await world.raw('/upload', randomBytes(length), { 'content-type': 'multipart/form-data; boundary=x' }), {
        status: 400,
      })
    await unharmed()
  })
})

/** A PNG whose head promises more than its body, which is small, could hold. */
function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(1_000_000))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(name), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

function crc(data: Buffer): number {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

function raw(port: number, texts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', data => {
      answer += data
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', error => (answer === '' ? reject(error) : resolve(answer)))
    for (const text of texts) socket.write(Buffer.from(text, 'latin1'))
  })
}

describe('a client that hangs up before its form is looked at', () => {
  it('is noticed, and leaves nothing', async () => {
    const staging = temporaryFolder()
    const headers = { 'content-type': 'multipart/form-data; boundary=half' }
    const req = Object.assign(new PassThrough(), { headers })
    req.destroy()
    const gone = { req, method: 'POST', is: () => 'multipart/form-data' } as never
    const limits = { body: 1000, file: 1000, fields: 1000, parts: 10 }
    await assert.rejects(readParts(gone, staging, limits), /The body ended too early/)
    assert.deepEqual(readdirSync(staging), [])
    rmSync(staging, { recursive: true })
  })
})
