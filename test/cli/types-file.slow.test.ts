import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, it, onTestFinished, vi } from 'vitest'
import { stele } from '../support/command.js'
import { folderOf, ownEnv, program } from '../support/terminal.js'

vi.setConfig({ testTimeout: 120_000 })

const noteFile = (attributes: object, more: object = {}) =>
  JSON.stringify({ collectionName: 'notes', info: { singularName: 'note', pluralName: 'notes' }, attributes, ...more })

const app = () =>
  folderOf({
    'package.json': '{"type":"module"}',
    'content-types/note.json': noteFile(
      { text: { type: 'string', required: true } },
      { options: { draftAndPublish: true } },
    ),
    'config/plugins.js': `export default { 'draft-and-publish': true }`,
    // The command looks at no database.
    'config/database.js': `export default { client: 'postgres', host: '203.0.113.1', name: 'x' }`,
  })

const types = (folder: string, ...args: string[]) => stele(['types', '--app', folder, ...args], { cwd: folder })

describe('stele types --ts', () => {
  it('prints the types where no file is named', async () => {
    const { status, stdout, stderr } = await types(app(), '--ts')
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /export interface Note \{\n {2}text: string\n {2}createdAt: string\n/)
    assert.match(stdout, /publicationState\?: 'live' \| 'preview'/)
  })

  it('writes a file, makes its folder, and leaves it alone while it is up to date', async () => {
    const folder = app()
    const wrote = await types(folder, '--ts', 'src/api/schema.ts')
    assert.deepEqual([wrote.status, wrote.stdout, wrote.stderr], [0, 'src/api/schema.ts written\n', ''])
    assert.equal(readFileSync(join(folder, 'src/api/schema.ts'), 'utf8'), (await types(folder, '--ts')).stdout)
    assert.equal((await types(folder, '--ts', 'src/api/schema.ts')).stdout, 'src/api/schema.ts is up to date\n')
  })

  it('has nothing of a plugin that is disabled', async () => {
    const folder = app()
    writeFileSync(join(folder, 'config/plugins.js'), 'export default {}')
    const { stdout } = await types(folder, '--ts')
    assert.match(stdout, /interface Note /)
    assert.doesNotMatch(stdout, /publi|\blocale\b|upload|auth/i)
  })

  it('checks whether a file is up to date, and writes nothing', async () => {
    const folder = app()
    const missing = await types(folder, '--ts', 'schema.ts', '--check')
    assert.deepEqual([missing.status, existsSync(join(folder, 'schema.ts'))], [1, false])
    await types(folder, '--ts', 'schema.ts')
    assert.equal((await types(folder, '--ts', 'schema.ts', '--check')).status, 0)
    writeFileSync(join(folder, 'content-types/note.json'), noteFile({ words: { type: 'text' } }))
    const old = await types(folder, '--ts', 'schema.ts', '--check')
    assert.deepEqual([old.status, old.stderr], [1, 'schema.ts is out of date: stele types --ts schema.ts writes it\n'])
  })

  it('says what is missing or too much', async () => {
    const folder = app()
    for (const [args, says] of [
      [['--check'], /--check needs a file: stele types --ts <file> --check/],
      [['--ts', '--watch'], /--watch needs a file/],
      [['--ts', 'schema.ts', '--check', '--watch'], /--check and --watch exclude each other/],
    ] as const) {
      const { status, stderr } = await types(folder, ...args)
      assert.equal(status, 64)
      assert.match(stderr, says)
    }
  })

  it('is refused where config/plugins turns its plugin off', async () => {
    const folder = app()
    writeFileSync(join(folder, 'config/plugins.js'), 'export default { typescript: false }')
    const { status, stderr } = await types(folder, '--ts', 'schema.ts')
    assert.equal(status, 78)
    assert.match(stderr, /^--ts is written by the plugin typescript, which config\/plugins turns off/)
    assert.equal((await types(folder, '--schemas', 'types')).status, 0)
  })

  it('has beside it the files that plugins of the app declare', async () => {
    const folder = app()
    mkdirSync(join(folder, 'plugins'))
    writeFileSync(
      join(folder, 'plugins/names.js'),
      `export const names = {
        name: 'names',
        commands: [{ file: 'names', describe: 'the uids of types', text: ({ types }) => [...types.types.keys()].sort().join() }],
      }`,
    )
    writeFileSync(join(folder, 'config/plugins.js'), `export default { names: { resolve: './plugins/names.js' } }`)
    assert.match((await types(folder, '--help')).stdout, /--names \[file\] +the uids of types/)
    const wrote = await types(folder, '--names', 'names.txt', '--ts', 'schema.ts')
    assert.deepEqual([wrote.stderr, wrote.stdout], ['', 'names.txt written\nschema.ts written\n'])
    assert.equal(readFileSync(join(folder, 'names.txt'), 'utf8'), 'admin::user,api::note.note')
    writeFileSync(join(folder, 'names.txt'), '')
    const old = await types(folder, '--names', 'names.txt', '--check')
    assert.deepEqual(
      [old.status, old.stderr],
      [1, 'names.txt is out of date: stele types --names names.txt writes it\n'],
    )
  })

  it('is in the help whatever the app has', async () => {
    const folder = app()
    writeFileSync(join(folder, 'config/plugins.js'), 'export default {')
    const { status, stdout } = await types(folder, '--help')
    assert.equal(status, 0)
    assert.match(stdout, /--ts \[file\]/)
    assert.match((await types(folder, '--ts')).stderr, /config\/plugins\.js/)
  })

  it('still lists the types without it', async () => {
    assert.match((await types(app())).stdout, /^uid .*\n.*api::note\.note/)
  })

  describe('with --schemas', () => {
    const likes = `export const likes = {
      name: 'likes',
      words: { options: { likes: { type: 'boolean' } }, pluginOptions: { most: { type: 'integer' } } },
    }`
    const withSchemas = async () => {
      const folder = app()
      mkdirSync(join(folder, 'plugins'))
      writeFileSync(join(folder, 'plugins/likes.js'), likes)
      writeFileSync(
        join(folder, 'config/plugins.js'),
        `export default { likes: { resolve: './plugins/likes.js' }, upload: true }`,
      )
      const { status, stdout, stderr } = await types(folder, '--schemas', 'types')
      assert.deepEqual([status, stderr], [0, ''])
      assert.equal(stdout, 'types/content-type.schema.json written\ntypes/component.schema.json written\n')
      const validate = (form: string) =>
        new Ajv({ strict: false }).compile(JSON.parse(readFileSync(join(folder, `types/${form}.schema.json`), 'utf8')))
      return { folder, isType: validate('content-type'), isComponent: validate('component') }
    }
    const typed = (attributes: object, more: object = {}) => JSON.parse(noteFile(attributes, more))

    it('writes JSON schemas that take what the server takes', async () => {
      const { isType, isComponent } = await withSchemas()
      const root = fileURLToPath(new URL('../../content-types', import.meta.url))
      const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json'))
      assert.ok(files.length > 5)
      for (const name of files) {
        const isValid = name.startsWith('components') ? isComponent : isType
        assert.ok(
          isValid(JSON.parse(readFileSync(join(root, name), 'utf8'))),
          `${name} ${JSON.stringify(isValid.errors)}`,
        )
      }
      assert.ok(isType(typed({}, { $schema: '../types/content-type.schema.json' })))
    })

    it('refuse what the server refuses, in the words of plugins as well', async () => {
      const { isType } = await withSchemas()
      const wrong = [
        typed({ text: { type: 'strng' } }),
        typed({ text: { required: true } }),
        typed({ text: { type: 'string', maxLength: 'long' } }),
        typed({ kind: { type: 'enumeration', enum: 'a' } }),
        typed({ 'my text': { type: 'string' } }),
        typed({}, { info: { singularName: 'note' } }),
        typed({}, { options: { draftAndPublish: 'yes' } }),
        typed({}, { options: { likes: 'many' } }),
        typed({}, { pluginOptions: { likes: { most: 'all' } } }),
        typed({}, { pluginOptions: { i18n: { localized: 'yes' } } }),
      ]
      for (const schema of wrong) assert.ok(!isType(schema), JSON.stringify(schema))
      assert.ok(isType(typed({}, { options: { likes: true }, pluginOptions: { likes: { most: 3 } } })))
    })

    it('checks whether they are up to date, and a type that names one is served', async () => {
      const { folder } = await withSchemas()
      assert.equal((await types(folder, '--schemas', 'types', '--check')).status, 0)
      writeFileSync(join(folder, 'types/component.schema.json'), '{}')
      const old = await types(folder, '--ts', '--schemas', 'types', '--check')
      assert.equal(old.status, 1)
      assert.equal(old.stderr, 'types/component.schema.json is out of date: stele types --schemas types writes it\n')
      const named = noteFile({ text: { type: 'string' } }, { $schema: '../types/content-type.schema.json' })
      writeFileSync(join(folder, 'content-types/note.json'), named)
      assert.equal((await types(folder)).status, 0)
    })
  })

  it('writes the file again whenever a content type or a setting changes, until it is told to end', async () => {
    const folder = app()
    const child = spawn(process.execPath, [program, 'types', '--app', folder, '--ts', 'schema.ts', '--watch'], {
      cwd: folder,
      env: { ...ownEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = wordsOf(child)
    await said(/watching /)
    writeFileSync(join(folder, 'content-types/note.json'), noteFile({ words: { type: 'text' } }))
    await said(/schema\.ts written[\s\S]*schema\.ts written/)
    assert.match(readFileSync(join(folder, 'schema.ts'), 'utf8'), /words: string \| null/)
    writeFileSync(join(folder, 'content-types/note.json'), '{ "attributes": ')
    await said(/note\.json/)
    writeFileSync(join(folder, 'content-types/note.json'), noteFile({ words: { type: 'text' } }))
    writeFileSync(join(folder, 'config/plugins.js'), 'export default { i18n: true }')
    writeFileSync(
      join(folder, 'content-types/note.json'),
      noteFile({ words: { type: 'text' } }, { pluginOptions: { i18n: { localized: true } } }),
    )
    await said(/(schema\.ts written[\s\S]*){3}/)
    assert.match(readFileSync(join(folder, 'schema.ts'), 'utf8'), /availableLocales: \{ id: number/)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'close'), [0, null])
  })
})

/** Waits for words of a process, on either stream. */
function wordsOf(child: ChildProcess): (words: RegExp) => Promise<void> {
  let all = ''
  const hear = (part: Buffer) => {
    all += part
    child.emit('words')
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const ended = once(child, 'close').then(() => true)
  return async words => {
    while (!words.test(all)) {
      const isOver = await Promise.race([once(child, 'words').then(() => false), ended])
      if (isOver && !words.test(all)) throw new Error(`it ended without ${words}: ${all}`)
    }
  }
}
