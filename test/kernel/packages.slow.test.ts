import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, it } from 'vitest'
import { bundled } from '../../core/packages/bundle.js'
import { type Contents, installedIn } from '../../core/packages/installed.js'
import { folderOf } from '../support/terminal.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = path.join(root, 'dist/core/packages')

/** A folder with these packages, by their folders, in these versions. */
const withPackages = (packages: Record<string, string>): string =>
  folderOf(
    Object.fromEntries(
      Object.entries(packages).map(([folder, version]) => [`${folder}/package.json`, JSON.stringify({ version })]),
    ),
  )

describe('a package of the bundle is installed', () => {
  const contents: Contents = {
    print: '',
    needs: { one: 0, two: 1, three: 3 },
    packages: [
      { version: '1.0.0', needs: { deep: 2 } },
      { version: '2.0.0', needs: {} },
      { version: '0.1.0', needs: { one: 0 } },
      { version: '3.0.0', needs: { one: 0 } },
    ],
  }
  const whole = {
    'node_modules/one': '1.0.0',
    'node_modules/two': '2.0.0',
    'node_modules/three': '3.0.0',
    'node_modules/deep': '0.1.0',
  }
  const installed = (folder: string) => Object.keys(contents.needs).filter(installedIn(folder, contents))

  it('where it and what it needs have these versions, packages that need each other included', () =>
    assert.deepEqual(installed(withPackages(whole)), ['one', 'two', 'three']))

  it('not where it has another version, or is missing', () => {
    assert.deepEqual(installed(withPackages({ ...whole, 'node_modules/two': '2.0.1' })), ['one', 'three'])
    const { 'node_modules/two': _, ...rest } = whole
    assert.deepEqual(installed(withPackages(rest)), ['one', 'three'])
  })

  it('not where what it needs has another version, or is missing', () => {
    assert.deepEqual(installed(withPackages({ ...whole, 'node_modules/deep': '0.1.1' })), ['two'])
    const { 'node_modules/deep': _, ...rest } = whole
    assert.deepEqual(installed(withPackages(rest)), ['two'])
  })

  it('not where it finds another version of what it needs in its own folder', () =>
    assert.deepEqual(installed(withPackages({ ...whole, 'node_modules/one/node_modules/deep': '0.2.0' })), ['two']))

  it('in the version of its own file, not one that is nested in there, however it is written', () => {
    const file = { scripts: { version: '2.0.0' }, nested: { version: '2.0.0' }, version: '2.0.1' }
    for (const space of ['', ' ', '  ', '\t']) {
      const folder = withPackages(whole)
      const write = (content: object) =>
        writeFileSync(path.join(folder, 'node_modules/two/package.json'), JSON.stringify(content, null, space))
      write(file)
      assert.deepEqual(installed(folder), ['one', 'three'])
      write({ ...file, version: '2.0.0' })
      assert.deepEqual(installed(folder), ['one', 'two', 'three'])
    }
  })

  it('where it lies further up, as for a server that is a dependency itself', () =>
    assert.deepEqual(installed(path.join(withPackages(whole), 'node_modules/stele')), ['one', 'two', 'three']))

  it('where it is a link, and what it needs lies beside what it leads to', () => {
    const store = withPackages({ 'one/node_modules/one': '1.0.0', 'one/node_modules/deep': '0.1.0' })
    const folder = withPackages({ 'node_modules/two': '2.0.0', 'node_modules/deep': '9.0.0' })
    symlinkSync(path.join(store, 'one/node_modules/one'), path.join(folder, 'node_modules/one'))
    assert.deepEqual(installed(folder), ['one', 'two'])
  })
})

describe('the packages that every start needs', () => {
  /** The files of packages that are loaded one by one, and what `print` gives, when a program loads the packages. */
  function loaded(folder: string, options: { args?: string[]; env?: Record<string, string>; print?: string } = {}) {
    const url = pathToFileURL(path.join(folder, 'dist/core/packages/bundle.js')).href
    const program = `
      import { createRequire } from 'node:module'
      const { bundled, keepCompiled, load } = await import(${JSON.stringify(url)})
      const packages = Object.fromEntries(bundled.map(name => [name, load(name)]))
      const files = Object.keys(createRequire(import.meta.url).cache).filter(file => file.includes('node_modules'))
      console.log(JSON.stringify({ files, printed: ${options.print ?? '0'} }))`
    const script = path.join(folderOf({ 'load.mjs': program }), 'load.mjs')
    const env = { ...process.env, NODE_OPTIONS: '', ...options.env }
    const text = execFileSync(process.execPath, [...(options.args ?? []), script], { encoding: 'utf8', env })
    const { files, printed } = JSON.parse(text) as { files: string[]; printed: unknown }
    const names = files.map(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '')
    return { names: new Set(names), printed }
  }

  /** Without what V8 compiled, which servers of other tests may write at this moment. */
  function copyInto(folder: string): void {
    const names = readdirSync(built).filter(name => !name.endsWith('.v8'))
    for (const file of [
      ...names.map(name => `dist/core/packages/${name}`),
      'dist/core/kit/own-folder.js',
      'package.json',
    ])
      cpSync(path.join(root, file), path.join(folder, file))
  }

  it('come from one file', () => {
    const { names } = loaded(root)
    for (const name of [...bundled, 'lodash']) assert.ok(!names.has(name), name)
  })

  const first = path.join(root, 'node_modules/vary/index.js')
  const preloads: [string, Parameters<typeof loaded>[1]][] = [
    ['--require', { args: ['--require', first] }],
    ['-r', { args: ['-r', first] }],
    ['--import=', { args: [`--import=${pathToFileURL(first).href}`] }],
    ['STELE_PACKAGES', { env: { STELE_PACKAGES: 'installed' } }],
    ['NODE_OPTIONS', { env: { NODE_OPTIONS: `--max-old-space-size=900 --require ${first}` } }],
  ]
  for (const [says, options] of preloads)
    it(`come from their own files under ${says}, so that others can watch them`, () => {
      const { names } = loaded(root, options)
      for (const name of [...bundled, 'lodash']) assert.ok(names.has(name), name)
    })

  it('come from the file under other options of V8 as well', () =>
    assert.ok(!loaded(root, { args: ['--max-old-space-size=900'] }).names.has('koa')))

  it('come from their own files where another version is installed: an override takes effect', () => {
    const folder = folderOf({
      'node_modules/qs/package.json': '{ "version": "6.99.0" }',
      'node_modules/qs/index.js': 'exports.parse = () => "overridden"',
    })
    copyInto(folder)
    mkdirSync(path.join(folder, 'node_modules/@koa'))
    for (const name of bundled)
      if (name !== 'qs') symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name))
    const { names, printed } = loaded(folder, { print: "[packages.qs.parse('a=1'), new packages.koa().proxy]" })
    assert.deepEqual(printed, ['overridden', false])
    assert.deepEqual([names.has('qs'), names.has('koa'), names.has('knex')], [true, false, false])
  })

  describe('are kept as V8 compiled them', () => {
    const folder = folderOf({})
    copyInto(folder)
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    const place = path.join(folder, 'dist/core/packages')
    const compiled = () => readdirSync(place).filter(name => name.endsWith('.v8'))
    const keep = () => {
      const { names } = loaded(folder, { print: 'keepCompiled()' })
      assert.ok(!names.has('koa'))
      const [name = '', ...others] = compiled()
      assert.deepEqual(others, [])
      const file = path.join(place, name)
      return { file, written: statSync(file, { bigint: true }).ino }
    }

    it('by the first start of an installation, and used by the next one', () => {
      const { file, written } = keep()
      assert.ok(statSync(file).size > 500_000)
      assert.equal(keep().written, written)
    })

    it('again where another version of V8 did it, or nothing can be made of it', () => {
      const { file } = keep()
      writeFileSync(file, 'of another version')
      assert.equal(keep().file, file)
      assert.ok(statSync(file).size > 500_000)
    })

    it('not where that cannot be: it starts all the same', () => {
      const { file } = keep()
      rmSync(file)
      mkdirSync(file)
      assert.equal(keep().file, file)
      assert.ok(statSync(file).isDirectory())
      rmSync(file, { recursive: true })
    })

    it('under a name that says of which text they are', () => {
      const print = createHash('sha256')
        .update(readFileSync(path.join(place, 'bundle.cjs')))
        .digest('hex')
      assert.equal(path.basename(keep().file), `bundle.${print.slice(0, 12)}.v8`)
    })
  })

  it('leave drivers and optional additions to the installed packages, and contain all the rest', () => {
    const text = readFileSync(path.join(built, 'bundle.cjs'), 'utf8')
    const others = new Set([...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name))
    // Code that ajv writes for programs without it.
    const written = /^ajv(-formats)?\/dist\//
    assert.deepEqual(
      [...others].filter(name => !isBuiltin(name) && !written.test(name)).sort(),
      // biome-ignore format: a list
      ['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg', 'pg-query-stream', 'sqlite3', 'supports-color', 'tedious'],
    )
  })

  it('come with their licenses', () => {
    const text = readFileSync(path.join(built, 'licenses.txt'), 'utf8')
    const { packages } = JSON.parse(readFileSync(path.join(built, 'bundle.json'), 'utf8')) as { packages: unknown[] }
    assert.ok(packages.length > 50)
    for (const name of [...bundled, 'lodash']) {
      const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'))
      assert.ok(text.includes(`${name} ${version}\n\n`), name)
    }
    assert.ok((text.match(/permission is hereby granted/gi)?.length ?? 0) > packages.length / 2)
  })
})
