import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The languages that a project's files are written in. */
export interface Language {
  /** A project with a `tsconfig.json` runs what the compiler makes of it: the files that it leaves aside are not loaded. */
  readonly isTypeScript: boolean
  readonly extensions: readonly string[]
  /** The folder that the compiler writes to, in a project of TypeScript. */
  readonly compiledTo: string | undefined
}

export function languageOf(appDir: string): Language {
  const file = path.join(appDir, 'tsconfig.json')
  if (!existsSync(file)) return { isTypeScript: false, extensions: ['.js'], compiledTo: undefined }
  const options = optionsIn(file)
  return {
    isTypeScript: true,
    extensions: options.allowJs === true ? ['.ts', '.js'] : ['.ts'],
    compiledTo: path.resolve(appDir, typeof options.outDir === 'string' ? options.outDir : 'dist'),
  }
}

interface TsConfig {
  readonly extends?: unknown
  readonly compilerOptions?: Readonly<Record<string, unknown>>
}

/** The options of a file and of those in the project that it extends. */
function optionsIn(file: string, depth = 0): Readonly<Record<string, unknown>> {
  const { extends: base, compilerOptions } = read(file)
  const bases = [base].flat().filter(one => typeof one === 'string' && one.startsWith('.')) as string[]
  const inherited =
    depth > 5 ? [] : bases.map(one => optionsIn(withExtension(path.resolve(path.dirname(file), one)), depth + 1))
  return Object.assign({}, ...inherited, compilerOptions)
}

const withExtension = (file: string): string => (file.endsWith('.json') ? file : `${file}.json`)

/** JSON with comments, and with commas before the end of lists. */
function read(file: string): TsConfig {
  try {
    const text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/("(?:[^"\\]|\\.)*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (_, quoted: string | undefined) => quoted ?? '')
      .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted: string | undefined) => quoted ?? '')
    return JSON.parse(text) as TsConfig
  } catch {
    return {}
  }
}
