import { strict as assert } from 'node:assert'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { isNightly, processorTime } from '../support/time.js'

const root = new URL('../../', import.meta.url)
const rootFolder = fileURLToPath(root)
const pluginsFolder = fileURLToPath(new URL('plugins', root))
/** The folder of parts that pages of several plugins share. */
const shared = 'pages'

/** Every source file of a folder, by its path. */
function sources(folder: string): [file: string, text: string][] {
  const found = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
  return found
    .filter(entry => entry.isFile() && /\.(js|tsx?)$/.test(entry.name))
    .map(entry => `${entry.parentPath}/${entry.name}`)
    .map(file => [file, readFileSync(file, 'utf8')])
}

const imports = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, path = '']) => path)

const engineNames = readdirSync(new URL('core/engines', root), { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'server')
  .map(({ name }) => name)

const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** A name as a value, or as a key of what differs from one to the other. */
const quotedOrKey = (names: readonly string[]): string =>
  `(['"\`])(${names.join('|')})\\1|\\b(${names.join('|')})\\??:\\s`
const asKey = String.raw`\[[\w.]*(engine\.name|store\.engine|database\.client)\]`

/** The room of core that a file lies in: a folder of the kernel or of a wing; a file that lies in none is one of its own. */
const roomOf = (file: string): string =>
  (/\/core\/((?:(?:services|tools|foreign|kit)\/)?[^/]+)/.exec(file) as RegExpExecArray)[1]?.replace(
    /\.[jt]s$/,
    '',
  ) as string

/** The rooms, or files, on a way from one of them back to itself. */
function wayBack(start: string, reached: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const seen = new Set<string>()
  const search = (at: string, way: readonly string[]): string[] | undefined => {
    for (const next of reached.get(at) ?? []) {
      if (next === start) return [...way, next]
      if (seen.has(next)) continue
      seen.add(next)
      const found = search(next, [...way, next])
      if (found) return found
    }
    return undefined
  }
  return search(start, [start])
}

describe('the kernel', () => {
  const core = sources('core')
  it('is looked at at all', () => assert.ok(core.length > 50))

  it('imports nothing from plugins', () => {
    for (const [file, text] of core) for (const path of imports(text)) assert.doesNotMatch(path, /plugins\//, file)
  })
  it('has rooms of which none reaches itself, types included', () => {
    const reached = new Map<string, Set<string>>()
    for (const [file, text] of core)
      for (const target of imports(text).filter(path => path.startsWith('.'))) {
        const [from, to] = [roomOf(file), roomOf(resolve(dirname(file), target))]
        if (from !== to) reached.set(from, (reached.get(from) ?? new Set()).add(to))
      }
    assert.ok(reached.size > 15, 'the rooms are looked at')
    for (const room of reached.keys()) assert.deepEqual(wayBack(room, reached), undefined)
  })
  it('has files of which none reaches itself, types included', () => {
    const reached = new Map(
      core.map(([file, text]) => {
        const targets = imports(text).filter(path => path.startsWith('.'))
        return [resolve(file), new Set(targets.map(path => resolve(dirname(file), path.replace(/\.js$/, '.ts'))))]
      }),
    )
    for (const file of reached.keys()) assert.deepEqual(wayBack(file, reached), undefined)
  })
  it('is imported whole by the command line and the app for tests alone', () => {
    for (const [file, text] of core)
      if (!file.includes('/cli/') && !/\/(index|test-app)\.ts$/.test(file))
        for (const path of imports(text)) assert.doesNotMatch(path, /\/kernel\.js$/, file)
  })
  it('knows no word of any plugin', () => {
    // Parts of names, too; secrets that many know are called what they are.
    const words =
      /(?<!supported|Intl\.)locale(?!Compare)|localiz|publishedAt|publicationState|jwt(?!secret)|i18n|draftAndPublish|upload|role/i
    // Words of the protocol of S3 for an object that comes in parts.
    const ofS3 = /CompleteMultipartUpload|[uU]ploadId|\?uploads=/g
    for (const [file, text] of core)
      if (!file.includes('/cli/')) assert.doesNotMatch(text.replace(ofS3, ''), words, file)
  })
  it('imports no wing but engines and kit: the others are handed to it, by one file', () => {
    const wings = /^(services|tools|foreign)\//
    const inCore = (file: string) => relative(join(rootFolder, 'core'), file)
    const kernel = core.map(([file, text]) => [inCore(file), file, text] as const)
    const naming = kernel.filter(
      ([at, file, text]) =>
        !wings.test(at) && imports(text).some(path => wings.test(inCore(resolve(dirname(file), path)))),
    )
    // Plugins have the buckets from the kit.
    assert.deepEqual(naming.map(([at]) => at).sort(), ['plugin-kit.ts', 'wings.ts'])
  })
  it('names no other server but in the room that knows it, and as a dialect', () => {
    const named = /\/core\/(foreign\/|dialect\b)/
    const unnamed = core.filter(([file]) => !named.test(file))
    assert.ok(core.length - unnamed.length > 5, 'the room is there')
    for (const [file, text] of unnamed) {
      // As a secret it is weak, like other words that are easily guessed.
      const rest = file.endsWith('/weakness.ts') ? text.replace(' strapi strapisecret', '') : text
      assert.doesNotMatch(rest.replaceAll('`strapi4` dialect', 'dialect'), /strapi/i, file)
    }
  })
  it('asks no database for its name: what follows from it is in the facts of the engine', () => {
    const exempt = /\/core\/(engines|config|tools\/cli)\/|\/core\/test-app\.ts$/
    for (const [file, text] of [...core, ...sources('plugins')])
      if (!exempt.test(file))
        assert.doesNotMatch(codeOf(text), new RegExp(`${quotedOrKey(engineNames)}|${asKey}`), file)
  })
  it('has an engine in a folder of its own and two rows: how it is opened, and what it is called', () => {
    const rows = ['core/config/engines.ts', 'core/engines/open.ts']
    for (const name of engineNames) {
      const found: string[] = []
      for (const [file, text] of core) {
        const isChosen = /\/core\/tools\/cli\/|\/core\/test-app\.ts$/.test(file)
        if (!isChosen && !file.includes(`/core/engines/${name}/`))
          for (const line of codeOf(text).split('\n'))
            if (new RegExp(`${quotedOrKey([name])}|/${name}/`).test(line) && !/\busualEngine\b/.test(line))
              found.push(relative(rootFolder, file))
      }
      assert.deepEqual(found.sort(), rows, name)
    }
  })
  it('ends no process and keeps nothing global, the command line excepted', () => {
    for (const [file, text] of core)
      if (!file.includes('/cli/')) assert.doesNotMatch(text, /process\.(exit|on)\b|globalThis|process\.exitCode/, file)
  })
  it('runs no text as code', () => {
    // A browser is opened with an address of the server, and no shell reads it.
    for (const [file, text] of core)
      if (!file.endsWith('/cli/serving/open-page.ts'))
        assert.doesNotMatch(text, /\beval\(|new Function\(|child_process|node:vm|execSync/, file)
  })
})

describe('plugins', () => {
  it('import the kernel by its public face only', () => {
    for (const [file, text] of sources('plugins'))
      for (const path of imports(text))
        if (path.includes('core/')) assert.match(path, /\/core\/(index|plugin-kit)\.js$/, `${file} imports ${path}`)
  })
  it('import each other as plugins only, and say so', () => {
    for (const [file, text] of sources('plugins')) {
      const [, own = ''] = /plugins\/([^/]+)\//.exec(file) ?? []
      for (const path of imports(text)) {
        const other = path.startsWith('.') ? relative(pluginsFolder, resolve(dirname(file), path)) : own
        const [folder = ''] = other.split(sep)
        if (folder === '..' || folder === own || folder === shared) continue
        assert.match(other, /^[^/]+\/index\.js$/, `${file} imports ${path}`)
        const index = readFileSync(join(pluginsFolder, own, 'index.ts'), 'utf8')
        assert.match(index, /^ {2}(needs|uses): \[/m, `${file} imports ${path}`)
      }
    }
  })
  it('share the parts of their pages, which import no plugin', () => {
    const parts = sources(`plugins/${shared}`)
    assert.ok(parts.length > 3, 'they are looked at')
    assert.ok(!existsSync(join(pluginsFolder, shared, 'index.ts')), 'they are no plugin')
    for (const [file, text] of parts)
      for (const path of imports(text).filter(path => path.startsWith('.'))) {
        const target = relative(rootFolder, resolve(dirname(file), path))
        assert.match(target, /^(plugins\/pages\/|core\/)/, `${file} imports ${path}`)
      }
  })
})

describe('an app for a test', () => {
  const types = { note: { attributes: { text: { type: 'string' } } } }

  it.runIf(isNightly)(
    'costs its test about as much as a few hundred requests',
    async () => {
      // The first app loads modules; the cost that counts is that of each of hundreds of tests. No request is sent twice,
      // or the number of cached ones would decide; both are measured by turns, as the machine may be slow for a while.
      const app = await createTestApp({ types })
      let asked = 0
      const requests = async () => {
        for (const end = asked + 300; asked < end; asked += 1) await app.inject(`/api/notes?filters[text]=${asked}`)
      }
      const opening = async () => (await createTestApp({ types })).close()
      const [opened, served]: [number[], number[]] = [[], []]
      for (let turn = 0; turn < 5; turn += 1) {
        opened.push(await processorTime(opening))
        served.push(await processorTime(requests))
      }
      assert.ok(Math.min(...opened) < Math.min(...served), `${opened} ms to open, ${served} ms for 300 requests`)
      await app.close()
      // Processor time is measured, which may take long to get.
    },
    180_000,
  )

  it('stands next to another one and shares nothing with it', async () => {
    const [one, two] = await Promise.all([
      createTestApp({ types }),
      createTestApp({ types: { note: { attributes: { size: { type: 'integer' } } } } }),
    ])
    await one.entries('api::note.note').create({ text: 'a' })
    assert.equal((await one.inject('/api/notes')).json().meta.pagination.total, 1)
    assert.equal((await two.inject('/api/notes')).json().meta.pagination.total, 0)
    assert.equal((await two.inject('/api/notes?filters[text]=a')).statusCode, 400)
    assert.equal((await one.inject('/api/notes?filters[size]=1')).statusCode, 400)
    await one.close()
    assert.equal((await two.inject('/api/notes')).statusCode, 200)
    await two.close()
  })

  it('leaves no listener on the process, and closes twice as once', async () => {
    const listeners = () => process.eventNames().map(name => process.listenerCount(name as NodeJS.Signals))
    const before = listeners()
    const app = await createTestApp({ types })
    await Promise.all([app.close(), app.close()])
    await app.close()
    assert.deepEqual(listeners(), before)
  })
})
