import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe } from 'vitest'
import { type AttackedServer, attacks } from './attacked.js'

const open = async (server: AttackedServer): Promise<Socket> => {
  const { hostname, port } = new URL(server.known.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
/** Sends bytes as they are, and gives what comes back until the server closes or has been silent for so long. */
async function raw(server: AttackedServer, text: string | Buffer, silence = 300): Promise<string> {
  const socket = await open(server)
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.setTimeout(silence, () => socket.destroy())
  socket.write(text)
  await once(socket, 'close')
  server.requests += 1
  return answer
}
/** Waits until all connections are gone, while they go on as told and others are served. */
async function closedByServer(server: AttackedServer, sockets: readonly Socket[], goOn: (socket: Socket) => void) {
  const going = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) goOn(socket)
  }, 100)
  const deadline = performance.now() + 40_000
  while (sockets.some(({ destroyed }) => !destroyed) && performance.now() < deadline) {
    assert.equal((await server.get('visitor', '/api/tags/1')).status, 200)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  clearInterval(going)
  const left = sockets.filter(({ destroyed }) => !destroyed)
  for (const socket of left) socket.destroy()
  assert.equal(left.length, 0)
}

const statuses = (answer: string): string[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
const head = 'Host: x\r\nContent-Type: application/json\r\n'
const inner = 'GET /api/tags HTTP/1.1\r\nHost: x\r\n\r\n'

describe('on the wire', () => {
  const { attack } = attacks('on the wire', {
    // A machine that is busy for a second must not make a client of this test a slow one.
    server: { headersTimeout: 2000, requestTimeout: 3000, keepAliveTimeout: 300 },
  })

  const messages: readonly (readonly [says: string, text: string])[] = [
    [
      'both lengths',
      `POST /api/messages HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['two lengths', `POST /api/messages HTTP/1.1\r\n${head}Content-Length: 0\r\nContent-Length: 40\r\n\r\n${inner}`],
    ['a list of lengths', `POST /api/messages HTTP/1.1\r\n${head}Content-Length: 0, 40\r\n\r\n${inner}`],
    ['a length with a sign', `POST /api/messages HTTP/1.1\r\n${head}Content-Length: +2\r\n\r\n{}${inner}`],
    ['a negative length', `POST /api/messages HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n${inner}`],
    ['a length in hex', `POST /api/messages HTTP/1.1\r\n${head}Content-Length: 0x2\r\n\r\n{}${inner}`],
    ['an odd encoding', `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    [
      'an encoding twice',
      `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inner}`,
    ],
    [
      'an encoding behind a tab',
      `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding:\tchunked, identity\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['a blank before the colon', `POST /api/messages HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\n\r\n{}${inner}`],
    ['a folded header', `GET /api/tags HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n`],
    ['line feeds alone', `POST /api/messages HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}${inner}`],
    ['a null byte in a header', `GET /api/tags HTTP/1.1\r\nHost: x\r\nX-A: b\u0000c\r\n\r\n`],
    [
      'a bad size of a chunk',
      `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a huge size of a chunk',
      `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
    ],
    [
      'an extension of a chunk',
      `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
    ['no version', `GET /api/tags\r\n\r\n`],
    ['another version', `GET /api/tags HTTP/9.9\r\nHost: x\r\n\r\n`],
    ['an unknown method', `STEAL /api/tags HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['no host', `GET /api/tags HTTP/1.1\r\n\r\n`],
    ['headers without end', `GET /api/tags HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5000)}`],
    ['a path of 100,000 letters', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['bytes that are no HTTP', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ]
  for (const [says, text] of messages)
    attack(`a message with ${says} is one request at most, and smuggles none`, async server => {
      const before = await server.ask('tables')
      const answer = await raw(server, text)
      const answers = statuses(answer)
      assert.ok(answers.length <= 1, answer)
      assert.ok(
        answers.every(status => status < '500' && status !== '200') || /folded|no host|no version/.test(says),
        answer,
      )
      assert.deepEqual(await server.ask('tables'), before)
    })

  attack('a broken message does not get in front of the answer to the one before it', async server => {
    for (const broken of ['garbage\r\n\r\n', 'GET / HTTP/1.1\r\nX : y\r\n\r\n', '\u0000\u0001\u0002']) {
      const answer = await raw(server, `GET /api/articles?populate=* HTTP/1.1\r\nHost: x\r\n\r\n${broken}`)
      assert.ok(['', '200', '200,400'].includes(statuses(answer).join()), answer.slice(0, 200))
    }
  })

  attack('several requests in one packet get their answers in their order', async server => {
    const paths = ['/api/articles?populate=*', '/api/tags', '/api/nosuch', '/api/authors', '/api/tags/1']
    const sent = paths.map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')
    assert.deepEqual(statuses(await raw(server, sent, 1000)), ['200', '200', '404', '200', '200'])
  })

  attack('nothing that a client sends becomes a header of the answer', async server => {
    for (const text of ['a%0d%0aX-Injected:%201', 'a%0aX-Injected:1', 'a%E5%98%8D%E5%98%8AX-Injected:1']) {
      for (const path of [
        `/api/articles?filters[title]=${text}`,
        `/api/${text}`,
        `/uploads/${text}`,
        `/api/connect/${text}`,
      ]) {
        const headers = { 'x-request-id': 'a b', origin: 'http://x.test/%0d%0aX-Injected:1' }
        const answer = await server.send('visitor', 'GET', path, { headers })
        assert.equal(answer.headers['x-injected'], undefined)
        assert.doesNotMatch(String(answer.headers['x-request-id']), /[^\w.:-]/)
      }
    }
  })

  attack('every answer tells browsers to take it as data', async server => {
    for (const path of ['/api/tags', '/api/nosuch', '/api/memos', '/', '/_health/ready', '/api/articles?filters=x']) {
      const { headers, text } = await server.get('visitor', path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, path)
      assert.equal(headers['x-powered-by'], undefined)
      if (text !== '') assert.match(String(headers['content-type']), /^application\/json/, path)
    }
  })

  attack('a thousand requests in one packet keep nobody waiting', async server => {
    const socket = await open(server)
    const question = 'GET /api/articles?populate=* HTTP/1.1\r\nHost: x\r\n\r\n'
    let answered = 0
    socket.on('data', chunk => {
      answered += statuses(chunk.toString('latin1')).length
    })
    socket.write(question.repeat(1000))
    for (let times = 0; answered < 300 && times < 200; times += 1)
      await server.wait().then(wait => assert.ok(wait <= server.maxWait))
    socket.destroy()
    assert.ok(answered > 0)
  })

  const unread: readonly (readonly [
    says: string,
    clients: number,
    times: number,
    path: (server: AttackedServer) => Promise<string>,
  ])[] = [
    ['page after page', 5, 1000, async () => '/api/articles?populate=*'],
    [
      'a large file',
      50,
      1,
      async server => {
        // It is put in its place: on a busy machine its upload could last longer than this server lets any request last.
        const uploads = join(server.known.folder, 'uploads')
        await mkdir(uploads, { recursive: true })
        await writeFile(join(uploads, 'large.txt'), Buffer.alloc(20_000_000, 'x'))
        assert.equal((await server.send('visitor', 'HEAD', '/uploads/large.txt')).status, 200)
        return '/uploads/large.txt'
      },
    ],
  ]
  for (const [says, clients, times, pathOf] of unread)
    attack(`${clients} clients that ask for ${says} and never read it are sent away`, async server => {
      const path = await pathOf(server)
      const sockets = await Promise.all(Array.from({ length: clients }, () => open(server)))
      for (const socket of sockets) {
        socket.pause()
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times))
      }
      // A client that does not read notices the end only when it sends again; and sending is no reading.
      await closedByServer(server, sockets, socket => socket.write('\r\n'))
    })

  /** Connections that send a little now and then, or nothing: each must be closed by the server in time. */
  const slow: readonly (readonly [says: string, first: string, drip: string])[] = [
    ['the headers a letter at a time', 'GET /api/tags HTTP/1.1\r\nHost: x\r\nX-A: ', 'a'],
    ['a header now and then', 'GET /api/tags HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n'],
    ['nothing at all', '', ''],
    [
      'a body a letter at a time',
      `POST /api/messages HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n{"data":{"text":"`,
      'a',
    ],
    ['a chunk at a time', `POST /api/messages HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
    [
      'a form a letter at a time',
      'POST /api/messages HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"text":"',
      'a',
    ],
    ['what it never reads the answer of', 'garbage\r\n\r\n', ''],
  ]
  for (const [says, first, drip] of slow)
    attack(`fifty clients that send ${says} are sent away`, async server => {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => open(server)))
      for (const socket of sockets) {
        // The server alone may end it: this end stays open whatever happens.
        socket.allowHalfOpen = true
        socket.resume()
        socket.write(first)
      }
      // A client notices only by sending again that the server has stopped listening after its last response.
      await closedByServer(server, sockets, socket => socket.write(socket.readableEnded ? 'x' : drip))
    })
})
