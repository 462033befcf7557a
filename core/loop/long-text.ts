import type { TimeSlice } from './time-slice.js'

/** Characters of a text that is better written, hashed and sent in pieces. */
const long = 256 * 1024
/** Characters of a text that is as well left whole: put together before it becomes bytes, and sent in one piece with its headers. */
export const shortText = 2 * 1024
const piece = 64 * 1024

/** A text in bytes that would keep others waiting if it were handled at once. */
export class LongText {
  readonly chunks: readonly Buffer[]
  readonly byteLength: number

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks
    this.byteLength = chunks.reduce((sum, { length }) => sum + length, 0)
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.chunks)
  }

  toString(): string {
    return this.toBuffer().toString()
  }
}

export interface TextFrame {
  readonly head: string
  readonly tail: string
}

/** Items with commas between them, inside their frame. */
export async function listed(items: readonly string[], { head, tail }: TextFrame, slice: TimeSlice): Promise<Body> {
  const length = items.reduce((sum, { length }) => sum + length, 0)
  if (length < shortText) return head + items.join(',') + tail
  if (length < long) return bytesOf(items, { head, tail })
  const chunks: Buffer[] = []
  let text = head
  for (const [index, item] of items.entries()) {
    text += index === 0 ? item : `,${item}`
    if (text.length < piece) continue
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from)
      chunks.push(Buffer.from(text.slice(from, to)))
      from = to
      if (slice.isOver) await slice.yield()
    }
    text = ''
  }
  chunks.push(Buffer.from(text + tail))
  return new LongText(chunks)
}

/** Each item is turned into bytes where it belongs: to copy them into one text before that takes as long again. */
function bytesOf(items: readonly string[], { head, tail }: TextFrame): Buffer {
  const frame = Buffer.byteLength(head) + Buffer.byteLength(tail)
  const bytes = Buffer.allocUnsafe(items.reduce((sum, item) => sum + 1 + Buffer.byteLength(item), frame - 1))
  let end = bytes.write(head)
  for (const [index, item] of items.entries()) {
    if (index > 0) end = bytes.writeUInt8(comma, end)
    end += bytes.write(item, end)
  }
  bytes.write(tail, end)
  return bytes
}
const comma = 44

/** Two halves of one character stay together. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(from + piece, text.length)
  const last = text.charCodeAt(to - 1)
  return last >= 0xd800 && last <= 0xdbff && to < text.length ? to + 1 : to
}

/** The body of a response, ready to be sent. */
export type Body = string | Buffer | LongText
