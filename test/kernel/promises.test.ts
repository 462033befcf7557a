import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { createTestApp } from '../../core/index.js'

const root = new URL('../../', import.meta.url)
const pluginsFolder = fileURLToPath(new URL('plugins', root))

/** Every source file of a folder, by its path. */
function sources(folder: string): [file: string, text: string][] {
  const found = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
  return found
    .filter(entry => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map(entry => `${entry.parentPath}/${entry.name}`)
    .map(file => [file, readFileSync(file, 'utf8')])
}

const imports = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, path = '']) => path)

describe('the kernel', () => {
  const core = sources('core')
  it('is looked at at all', () => assert.ok(core.length > 50))

  it('imports nothing from plugins', () => {
    for (const [file, text] of core) for (const path of imports(text)) assert.doesNotMatch(path, /plugins\//, file)
  })
  it('knows no word of any plugin', () => {
    const words =
      /\b(locale|locales|localizations|publishedAt|publicationState|jwt|i18n|draftAndPublish|upload|role)\b/i
    for (const [file, text] of core) if (!file.includes('/cli/')) assert.doesNotMatch(text, words, file)
  })
  it('ends no process and keeps nothing global, the command line excepted', () => {
    for (const [file, text] of core)
      if (!file.includes('/cli/')) assert.doesNotMatch(text, /process\.(exit|on)\b|globalThis|process\.exitCode/, file)
  })
  it('runs no text as code', () => {
    for (const [file, text] of core)
      assert.doesNotMatch(text, /\beval\(|new Function\(|child_process|node:vm|execSync/, file)
  })
})

describe('plugins', () => {
  it('import the kernel by its public face only', () => {
    for (const [file, text] of sources('plugins'))
      for (const path of imports(text))
        if (path.includes('core/')) assert.match(path, /\/core\/index\.js$/, `${file} imports ${path}`)
  })
  it('import each other as plugins only, and say so', () => {
    for (const [file, text] of sources('plugins')) {
      const [, own = ''] = /plugins\/([^/]+)\//.exec(file) ?? []
      for (const path of imports(text)) {
        const other = path.startsWith('.') ? relative(pluginsFolder, resolve(dirname(file), path)) : own
        if (other.startsWith('..') || other.split(sep)[0] === own) continue
        assert.match(other, /^[^/]+\/index\.js$/, `${file} imports ${path}`)
        const index = readFileSync(join(pluginsFolder, own, 'index.ts'), 'utf8')
        assert.match(index, /^ {2}(needs|uses): \[/m, `${file} imports ${path}`)
      }
    }
  })
})

describe('an app for a test', () => {
  const types = { note: { attributes: { text: { type: 'string' } } } }

  it('starts in milliseconds', async () => {
    // The first one loads modules; what counts is what each of hundreds of tests pays.
    await (await createTestApp({ types })).close()
    const times: number[] = []
    for (let index = 0; index < 5; index += 1) {
      // Processor time: a busy machine makes nothing slower than it is.
      const begun = process.cpuUsage()
      const app = await createTestApp({ types })
      const { user, system } = process.cpuUsage(begun)
      times.push((user + system) / 1000)
      await app.close()
    }
    assert.ok(Math.min(...times) < 150, `${times.map(Math.round)} ms`)
  })

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
