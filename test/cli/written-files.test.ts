import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { WrittenFiles } from '../../core/tools/cli/serving/written-files.js'
import { folderOf } from '../support/terminal.js'

const book = 'content-types/book.json'
const page = 'src/api/page/content-types/page/schema.json'

describe('files that are written together', () => {
  it('are written with their modes and folders, and put back with nothing left of them', () => {
    const folder = folderOf({ [book]: 'one', 'content-types/gone.json': 'gone' })
    const mode = statSync(join(folder, book)).mode
    const files = new WrittenFiles(folder)
    files.write([
      { path: book, before: 'one', after: 'two' },
      { path: 'content-types/gone.json', before: 'gone', after: null },
      { path: page, before: null, after: 'new' },
    ])
    assert.deepEqual(readdirSync(join(folder, 'content-types')), ['book.json'])
    assert.equal(readFileSync(join(folder, book), 'utf8'), 'two')
    assert.equal(readFileSync(join(folder, page), 'utf8'), 'new')
    assert.equal(statSync(join(folder, book)).mode, mode)
    files.putBack()
    assert.deepEqual(readdirSync(folder), ['content-types'])
    assert.equal(readFileSync(join(folder, book), 'utf8'), 'one')
    assert.equal(readFileSync(join(folder, 'content-types/gone.json'), 'utf8'), 'gone')
  })

  it('stay as they are where one of them has changed, is there already, or is gone', () => {
    const folder = folderOf({ [book]: 'one', 'content-types/other.json': 'other' })
    const first = { path: book, before: 'one', after: 'two' }
    for (const [path, before] of [
      ['content-types/other.json', 'another'],
      ['content-types/other.json', null],
      ['content-types/none.json', 'text'],
    ] as const)
      assert.throws(
        () => new WrittenFiles(folder).write([first, { path, before, after: 'x' }]),
        new RegExp(`${path} has changed meanwhile`),
      )
    assert.equal(readFileSync(join(folder, book), 'utf8'), 'one')
  })

  it('are put back where one of them cannot be written', () => {
    const folder = folderOf({ [book]: 'one', src: 'a file in place of a folder' })
    const files = [
      { path: book, before: 'one', after: 'two' },
      { path: 'content-types/new.json', before: null, after: 'new' },
      { path: page, before: null, after: 'new' },
    ]
    assert.throws(() => new WrittenFiles(folder).write(files), { code: 'ENOTDIR' })
    assert.deepEqual(readdirSync(join(folder, 'content-types')), ['book.json'])
    assert.equal(readFileSync(join(folder, book), 'utf8'), 'one')
  })

  it('are left to others who changed them since', () => {
    const folder = folderOf({ [book]: 'one' })
    const files = new WrittenFiles(folder)
    files.write([
      { path: book, before: 'one', after: 'two' },
      { path: page, before: null, after: 'new' },
    ])
    writeFileSync(join(folder, book), 'three')
    writeFileSync(join(folder, 'src/api/page/own.js'), '')
    files.putBack()
    assert.equal(readFileSync(join(folder, book), 'utf8'), 'three')
    assert.deepEqual(readdirSync(join(folder, 'src/api/page')), ['own.js'])
  })

  it('are written through links within the folder, and never out of it', () => {
    const outside = folderOf({ 'book.json': 'theirs' })
    const folder = folderOf({ 'kept/book.json': 'one' })
    symlinkSync(join(folder, 'kept'), join(folder, 'content-types'))
    new WrittenFiles(folder).write([{ path: book, before: 'one', after: 'two' }])
    assert.equal(readFileSync(join(folder, 'kept/book.json'), 'utf8'), 'two')

    symlinkSync(outside, join(folder, 'src'))
    symlinkSync(join(outside, 'book.json'), join(folder, 'kept/link.json'))
    symlinkSync(join(outside, 'none.json'), join(folder, 'kept/nothing.json'))
    for (const path of [page, 'src/book.json', 'content-types/link.json', 'content-types/nothing.json'])
      assert.throws(
        () => new WrittenFiles(folder).write([{ path, before: null, after: 'x' }]),
        /is not in the folder of the app|is a link to something that is not there/,
        path,
      )
    assert.deepEqual(readdirSync(outside), ['book.json'])
    assert.equal(readFileSync(join(outside, 'book.json'), 'utf8'), 'theirs')
    assert.equal(existsSync(join(outside, 'none.json')), false)
  })
})
