import { BootError } from '../../errors.js'
import { blockSize, checksumOf } from './tar.js'

/** An archive that is damaged, that is none, or that does not fit the app. */
export class RefusedArchive extends BootError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, kind: 'data' })
  }
}

/** A file of an archive. Content that is not read is skipped. */
export interface Member {
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Buffer>
}

/** More than any name or number needs. */
const longestRecords = 64 * 1024

/** The files of a tar archive, in its order, in constant memory. Anything but plain files is refused. */
export async function* membersOf(source: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  const bytes = new Bytes(source)
  try {
    yield* membersIn(bytes)
    await bytes.nothingMore()
  } finally {
    await bytes.close()
  }
}

async function* membersIn(bytes: Bytes): AsyncGenerator<Member> {
  let said = new Map<string, string>()
  for (;;) {
    const block = await bytes.take(blockSize)
    if (isEmpty(block)) return
    const { name, size, kind } = readHeader(block)
    if (kind === 'x') {
      if (size > longestRecords) throw damaged('it says more about a member than there can be')
      said = readRecords(await bytes.take(size))
      await bytes.take(fillingOf(size))
      continue
    }
    if (kind !== '0' && kind !== '\0') throw new RefusedArchive(`the archive holds ${name}, which is no plain file`)
    const whole = Number(said.get('size') ?? size)
    if (!Number.isSafeInteger(whole) || whole < 0) throw damaged('a member has no size')
    const content = bytes.part(whole)
    yield { name: said.get('path') ?? name, size: whole, content }
    for await (const _ of content);
    await bytes.take(fillingOf(whole))
    said = new Map()
  }
}

const damaged = (reason: string): RefusedArchive => new RefusedArchive(`the archive is damaged: ${reason}`)

function readHeader(block: Buffer): { name: string; size: number; kind: string } {
  const text = (from: number, length: number) => {
    const part = block.toString('latin1', from, from + length)
    const end = part.indexOf('\0')
    return end < 0 ? part : part.slice(0, end)
  }
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== checksumOf(block))
    throw damaged('there is no member where one should begin')
  const prefix = text(345, 155)
  const size = text(124, 12).trim()
  if (!/^[0-7]+$/.test(size)) throw damaged('a member has no size')
  return {
    name: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    size: Number.parseInt(size, 8),
    kind: block.toString('latin1', 156, 157),
  }
}

function readRecords(bytes: Buffer): Map<string, string> {
  const said = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 10), 10)
    const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString('utf8', at, at + length)) ?? []
    if (key === undefined || value === undefined) throw damaged('what it says about a member cannot be read')
    said.set(key, value)
    at += length
  }
  return said
}

const fillingOf = (size: number): number => (blockSize - (size % blockSize)) % blockSize
const isEmpty = (bytes: Buffer): boolean => bytes.every(byte => byte === 0)

/** A stream of bytes, taken in the sizes that are wanted. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.part(size)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** The next `size` bytes, as they come; a second reader continues after the first one. */
  part(size: number): AsyncIterable<Buffer> {
    let missing = size
    const next = async (): Promise<IteratorResult<Buffer, undefined>> => {
      if (missing === 0) return { done: true, value: undefined }
      if (this.#rest.length === 0) await this.#more()
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      return { done: false, value: part }
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }

  async nothingMore(): Promise<void> {
    for (;;) {
      if (!isEmpty(this.#rest)) throw damaged('something stands behind its end')
      const { done, value } = await this.#source.next()
      if (done) return
      this.#rest = value
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done) throw new RefusedArchive('the archive was cut: it ends before its end')
    this.#rest = value
  }
}
