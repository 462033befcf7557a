// A load generator that costs little next to the servers: prepared bytes over keep-alive sockets, one open request a
// connection. It reads one job as JSON from standard input and answers with one JSON line.
import net from 'node:net'
import { text } from 'node:stream/consumers'

const job = JSON.parse(await text(process.stdin))
const { port, connections, seconds, maxRequests } = job
const requests = job.requests.map(prepare)
let number = job.firstNumber
let turn = job.firstNumber
const latencies = []
const outcome = { errors: 0, bytes: 0, firstError: undefined }

function prepare({ method, path, body, headers = {} }) {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = (path, body = '') =>
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${own.join('')}${
      body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    }\r\n${body}`
  if (!`${path}${body}`.includes('{n}')) {
    const bytes = Buffer.from(text(path, body))
    return () => bytes
  }
  return n => text(path.replace('{n}', n), body?.replace('{n}', n))
}

function nextRequest() {
  const make = requests[turn++ % requests.length]
  return make(number++)
}

/** Length of the response that `data` begins; undefined until its head has arrived in full. */
function measure(data) {
  const end = data.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = data.latin1Slice(0, end)
  const length = /content-length: *(\d+)/i.exec(head)
  if (!length) throw new Error(`an answer without content-length: ${head}`)
  return { ok: head[9] === '2', size: end + 4 + Number(length[1]) }
}

function connect() {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

let sent = 0
let stopAt = 0

function drive(socket) {
  return new Promise((resolve, reject) => {
    let began = 0
    let parts = []
    let arrived = 0
    let answer
    const ask = () => {
      if (performance.now() >= stopAt || sent >= maxRequests) return resolve(socket.destroy())
      sent += 1
      began = performance.now()
      socket.write(nextRequest())
    }
    socket.on('data', data => {
      parts.push(data)
      arrived += data.length
      answer ??= measure(parts.length === 1 ? data : Buffer.concat(parts))
      if (!answer || arrived < answer.size) return
      latencies.push(performance.now() - began)
      outcome.bytes += arrived
      if (!answer.ok) {
        outcome.errors += 1
        outcome.firstError ??= Buffer.concat(parts).toString().slice(0, 400)
      }
      parts = []
      arrived = 0
      answer = undefined
      ask()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    ask()
  })
}

const sockets = await Promise.all(Array.from({ length: connections }, connect))
// Node accepts one connection a loop turn: without the pause the last ones would look slow.
await new Promise(resolve => setTimeout(resolve, 50))
const cpu = process.cpuUsage()
const began = performance.now()
stopAt = began + seconds * 1000
await Promise.all(sockets.map(drive))
const elapsed = (performance.now() - began) / 1000
const used = process.cpuUsage(cpu)
latencies.sort((a, b) => a - b)
const percentile = p => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * p))]
console.log(
  JSON.stringify({
    requests: latencies.length,
    seconds: elapsed,
    p50: percentile(0.5),
    p99: percentile(0.99),
    busy: (used.user + used.system) / 1e6 / elapsed,
    ...outcome,
  }),
)
