import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { AppOutline } from '../../core/index.js'
import { type About, type Piece, piecesOf, type Version } from './document.js'

/** A document as it is sent. */
export interface Written {
  readonly text: Buffer
  readonly tag: string
}

/** Pieces that are made before others have their turn: a few paths or schemas. */
const atOnce = 8

/** Writes the document; requests are served meanwhile. */
export async function writeDocument(app: AppOutline, about: About, version: Version): Promise<Written> {
  const tree = new Tree()
  let pieces = 0
  for (const piece of piecesOf(app, about, version)) {
    tree.add(piece)
    pieces += 1
    if (pieces % atOnce === 0) await setImmediate()
  }
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  for (const chunk of tree.chunks()) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    hash.update(bytes)
    if (chunks.length % (atOnce * 8) === 0) await setImmediate()
  }
  return { text: Buffer.concat(chunks), tag: `"${hash.digest('base64url').slice(0, 27)}"` }
}

/** The document as texts of its members: it is never one object that has to be written in one go. */
class Tree {
  readonly #members = new Map<string, string | Tree>()

  add([part, name, value]: Piece): void {
    const [first, ...rest] = part
    if (first === undefined) this.#members.set(name, JSON.stringify(value))
    else {
      const known = this.#members.get(first)
      const below = known instanceof Tree ? known : new Tree()
      this.#members.set(first, below)
      below.add([rest, name, value])
    }
  }

  *chunks(): Generator<string> {
    yield '{'
    let isFirst = true
    for (const [name, value] of this.#members) {
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      isFirst = false
      if (typeof value === 'string') yield value
      else yield* value.chunks()
    }
    yield '}'
  }
}
