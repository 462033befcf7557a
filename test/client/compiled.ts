import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiler = join(root, 'node_modules/typescript/bin/tsc')

export interface Compilation {
  /** Errors of the compiler, a line each. */
  readonly errors: readonly string[]
  /** Counts of types and instantiations by the compiler: the same on every machine, unlike the time that it took. */
  readonly types: number
  readonly instantiations: number
  /** The declarations of the files, by their names. */
  readonly declarations: Readonly<Record<string, string>>
}

/**
 * Compiles files as an app in a browser would: strict, without the types of Node.js. `stele/client` is the source of
 * this repository. One thread counts alike on machines with more or fewer processors.
 */
export async function compiled(files: Readonly<Record<string, string>>): Promise<Compilation> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-types-'))
  try {
    const config = {
      compilerOptions: {
        ...{ target: 'es2023', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] },
        ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
        ...{ noUnusedLocals: true, declaration: true, emitDeclarationOnly: true, outDir: 'out', rootDir: '/' },
        paths: { 'stele/client': [join(root, 'plugins/typescript/client/index.ts')] },
      },
      files: Object.keys(files),
    }
    const written = { ...files, 'package.json': '{"type":"module"}', 'tsconfig.json': JSON.stringify(config) }
    for (const [name, content] of Object.entries(written)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    const { stdout: output } = spawn(
      process.execPath,
      [compiler, '-p', folder, '--singleThreaded', '--extendedDiagnostics', '--pretty', 'false'],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const stdout = await text(output)
    const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(stdout)?.[1])
    return {
      errors: stdout.split('\n').filter(line => /error TS/.test(line) || /^ {2}\S/.test(line)),
      types: figure('Types'),
      instantiations: figure('Instantiations'),
      declarations: declarationsIn(join(folder, 'out', folder)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const declarationsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.d.ts'))
      .map(name => [name, readFileSync(join(folder, name), 'utf8')]),
  )
