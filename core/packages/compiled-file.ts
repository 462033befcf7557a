import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
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
    this.#script = new Script(Module.wrap(readFileSync(this.#filename, 'utf8')), {
      filename: this.#filename,
      cachedData: this.#compiledBefore(),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
  }

  #compiledBefore(): Buffer | undefined {
    try {
      return readFileSync(this.#compiled)
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

export const fileOf = (name: string): string => path.join(import.meta.dirname, name)

/** Modules that are loaded first may watch or change how others are loaded, as instrumentations do. */
export function areWatched(): boolean {
  if (process.env.STELE_PACKAGES === 'installed') return true
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS?.split(/\s+/) ?? [])]
  return given.some(option => /^(-r|--(require|import|loader|experimental-loader)(=|$))/.test(option))
}
