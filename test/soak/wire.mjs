import net from 'node:net'

/** A kept connection with at most one open request; prepared bytes go out, and the whole response comes back. */
export class Wire {
  #socket
  #parts = []
  #arrived = 0
  #answer
  /** True if a response has arrived on it. */
  isUsed = false
  /** The one who waits for the answer. */
  #waiting

  /** `closed` is told of a connection that cannot be used again, and whether somebody still waited for an answer on it. */
  constructor(port, { opened, closed }) {
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => opened(this))
    this.#socket.on('data', data => this.#take(data))
    // Errors are reported by `close`, which always follows.
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      const waiting = this.#waiting
      this.#waiting = undefined
      closed(this, waiting)
    })
  }

  /** `waiting.answered` is called with status, head, body and whether the connection may be used again. */
  ask(bytes, waiting) {
    this.#waiting = waiting
    this.#socket.write(bytes)
  }

  end() {
    this.#socket.destroy()
  }

  #take(data) {
    this.isUsed = true
    this.#parts.push(data)
    this.#arrived += data.length
    if (!this.#answer || this.#parts.length > 1) this.#answer ??= begun(whole(this.#parts))
    if (!this.#answer || this.#arrived < this.#answer.size) return
    const { status, head, bodyAt, size } = this.#answer
    const body = whole(this.#parts).subarray(bodyAt, size)
    const waiting = this.#waiting
    this.#parts = []
    this.#arrived = 0
    this.#answer = undefined
    this.#waiting = undefined
    // A server gives up connections on which nothing was asked for long, and says so.
    if (!waiting) return this.end()
    waiting.answered(this, { status, head, body, isLast: /\r\nconnection: close/i.test(head) })
  }
}

const whole = parts => (parts.length === 1 ? parts[0] : Buffer.concat(parts))

/** The head of a response, or undefined until it has arrived in full. */
function begun(data) {
  const end = data.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = data.latin1Slice(0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (!length && status !== 204 && status !== 304) throw new Error(`an answer without a length: ${head}`)
  return { status, head, bodyAt: end + 4, size: end + 4 + Number(length?.[1] ?? 0) }
}
