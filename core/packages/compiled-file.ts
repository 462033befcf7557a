import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { constants, Script } from 'node:vm'

/** One file that the build made of many, in the form that V8 compiled it to before. */
export class CompiledFile {
  /** Tells its text from others: V8 looks only at the length of a text, so the name of what it has compiled says of which it is. */
  readonly #compiled: string
  readonly #filename: string
  readonly #script: Script

  constructor(name: string, print: string) {
    this.#filename = fileOf(`${name}.cjs`)
    this.#compiled = fileOf(`${name}.${print}.v8`)
    // The text is ASCII alone, for which this is the encoding that needs no look at it.
    this.#script = new Script(read(this.#filename).toString('latin1'), {
      filename: this.#filename,
      cachedData: this.#compiledBefore(),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
  }

  #compiledBefore(): Buffer | undefined {
    try {
      return read(this.#compiled)
    } catch {
      return undefined
    }
  }

  /** What it exports; `own` is more that it finds in its `module`. */
  run(require: NodeJS.Require, own: object = {}): unknown {
    const module = { ...own, exports: {} }
    this.#script.runInThisContext()(module.exports, require, module, this.#filename, import.meta.dirname)
    return module.exports
  }

  /**
   * Keeps what V8 has compiled of it, unless that came from an earlier process. V8's options have to be those with which a
   * process begins. Where the folder cannot be written, every start compiles the file again.
   */
  keep(): void {
    if (this.#script.cachedDataRejected === false) return
    // Processes in several containers may share the folder, and have the same number.
    const written = this.#compiled.replace(/v8$/, `${randomUUID()}.v8`)
    try {
      // V8 takes what it finds there as it is: after a power cut it has to be whole, or missing.
      writeFileSync(written, this.#script.createCachedData(), { flush: true })
      renameSync(written, this.#compiled)
    } catch {
      rmSync(written, { force: true })
    }
  }
}

/** Memory that a process has not used before takes longer than the reading: all files are read into the same. */
let space: Buffer | undefined

/** What is in a file, until the next one is read. */
function read(file: string): Buffer {
  const opened = openSync(file, 'r')
  try {
    const { size } = fstatSync(opened)
    if (!space || space.length < size) {
      space = Buffer.allocUnsafeSlow(size)
      setImmediate(() => {
        space = undefined
      })
    }
    if (readSync(opened, space, 0, size, 0) < size) throw new Error(`${file} was written while it was read`)
    return space.subarray(0, size)
  } finally {
    closeSync(opened)
  }
}

export const fileOf = (name: string): string => path.join(import.meta.dirname, name)

/** Modules that are loaded first may watch or change how others are loaded, as instrumentations do. */
export function areWatched(): boolean {
  if (process.env.STELE_PACKAGES === 'installed') return true
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS?.split(/\s+/) ?? [])]
  return given.some(option => /^(-r|--(require|import|loader|experimental-loader)(=|$))/.test(option))
}
