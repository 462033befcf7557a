import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Jiti } from 'jiti'

export interface CompiledFile {
  readonly source: string
  /** CommonJS, with lines where the source has them. */
  readonly code: string
}

/**
 * A file of a project as CommonJS: TypeScript, and JavaScript with `import` and `export`, are compiled. Of a file that a
 * compiler would have written elsewhere (`below`), `__dirname` is that place.
 */
export function compiled(file: string, below: string | undefined, cache: string | undefined): CompiledFile {
  const source = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/^#!/, '//')
  const isTypeScript = /\.[cm]?ts$/.test(file)
  const code = isTypeScript || hasEsmSyntax(source) ? cached(source, { file, isTypeScript, cache }) : source
  return { source, code: code === source && below === undefined ? code : head(below) + code }
}

const esm =
  /^[ \t]*(?:import\s*(?:[\w$]+\s*(?:,|from)|[{*'"])|export\s+(?:default|const|let|var|function|async|class|[{*]))/m

/**
 * Tells a script that is an ES module, or imports what is only here; one that only looks like it is the same when it is
 * compiled.
 */
const hasEsmSyntax = (source: string): boolean => esm.test(source) || /\bimport\s*\(\s*['"`]@strapi\//.test(source)

/** Stands in the first line, so that the lines stay. `import()` of TypeScript is compiled to a call. */
function head(below: string | undefined): string {
  const place =
    below === undefined ? '' : `__filename=${JSON.stringify(below)};__dirname=${JSON.stringify(path.dirname(below))};`
  return `${place}const jitiImport=async of=>{try{return require(of)}catch(error){if(!/^ERR_(REQUIRE|MODULE_NOT_FOUND)/.test(error.code))throw error;return{__esModule:true,...await import(of)}}};`
}

let jiti: Jiti | undefined

/** The compiler is loaded only by projects that need it. */
function compiler(): Jiti {
  if (!jiti) {
    const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti')
    jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  }
  return jiti
}

/** Bumped where the same source is to be compiled otherwise. */
const version = 3

interface Compilation {
  readonly file: string
  readonly isTypeScript: boolean
  /** The folder in which results are kept. */
  readonly cache: string | undefined
}

/** Compiling takes a hundred times as long as reading what was compiled before. */
function cached(source: string, { file, isTypeScript, cache }: Compilation): string {
  if (cache === undefined) return transform(source, file, isTypeScript)
  const key = createHash('sha256').update(`${version}\n${isTypeScript}\n${source}`).digest('hex').slice(0, 40)
  const place = path.join(cache, `${key}.cjs`)
  try {
    return readFileSync(place, 'utf8')
  } catch {}
  const code = transform(source, file, isTypeScript)
  try {
    mkdirSync(cache, { recursive: true })
    writeFileSync(`${place}.${process.pid}`, code)
    renameSync(`${place}.${process.pid}`, place)
  } catch {
    // The folder of an app may be read only.
  }
  return code
}

function transform(source: string, filename: string, isTypeScript: boolean): string {
  const code = compiler().transform({ source, filename, ts: isTypeScript, retainLines: true, interopDefault: true })
  const [, report] = /^exports\.__JITI_ERROR__ = (\{.*\})$/s.exec(code) ?? []
  if (report === undefined) return code
  const { line, column, message } = JSON.parse(report) as { line: number; column: number; message: string }
  const reason =
    message
      .replace(/^[^:]*: /, '')
      .split(/\(\d{1,9}:\d{1,9}\)/, 1)[0]
      ?.trimEnd() ?? ''
  const error = new SyntaxError(reason)
  error.stack = `${filename}:${line}:${column + 1}\n\nSyntaxError: ${reason}`
  throw error
}
