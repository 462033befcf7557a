import fs from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Coverage of compiled code by the processes that tests started, as each of them left it when it ended. */
export class Started {
  #root
  /** For each compiled file, which of its characters were run by any of them. */
  #run = new Map()

  constructor(root, folder) {
    this.#root = root
    const compiled = pathToFileURL(path.join(root, 'dist/core/')).href
    const reports = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    for (const name of reports)
      for (const { url, functions } of scriptsOf(path.join(folder, name)))
        if (url.startsWith(compiled) && url.endsWith('.js')) this.#add(new URL(url).pathname, functions)
  }

  /** Functions come from the outermost to the innermost, as do the parts of each: the last word on a character counts. */
  #add(file, functions) {
    if (!this.#run.has(file)) this.#run.set(file, new Uint8Array(fs.readFileSync(file, 'utf8').length))
    const all = this.#run.get(file)
    const own = new Uint8Array(all.length)
    const ranges = functions.flatMap(one => one.ranges)
    ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
    for (const { startOffset, endOffset, count } of ranges) own.fill(count > 0 ? 1 : 0, startOffset, endOffset)
    for (let k = 0; k < all.length; k += 1) all[k] |= own[k]
  }

  /** The lines of a source that were run, counted from 1. */
  linesOf(source) {
    const file = path.join(this.#root, 'dist', source.replace(/\.ts$/, '.js'))
    const run = this.#run.get(file)
    const lines = new Set()
    if (!run) return lines
    const map = new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')))
    let at = 0
    for (const [row, text] of fs.readFileSync(file, 'utf8').split('\n').entries()) {
      for (let column = 0; column < text.length; column += 1) {
        const { generatedColumn, generatedLine, originalLine } = run[at + column] ? map.findEntry(row, column) : {}
        if (generatedLine === row && generatedColumn === column) lines.add(originalLine + 1)
      }
      at += text.length + 1
    }
    return lines
  }
}

/** A process that was killed while it wrote has left nothing that counts. */
function scriptsOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).result
  } catch {
    return []
  }
}
