import { strict as assert } from 'node:assert'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { AppWatcher } from '../../core/tools/cli/app-watcher.js'
import { folderOf } from '../support/terminal.js'

const files = {
  'package.json': '{}',
  'content-types/note.json': 'one',
  'config/api.js': 'one',
  'src/api/note/schema.json': 'one',
}

function watched() {
  const folder = folderOf(files)
  const reports: string[] = []
  let told = () => {}
  const watcher = new AppWatcher(folder, changed => {
    reports.push(...changed)
    told()
  })
  onTestFinished(() => watcher.close())
  const place = (name: string) => join(folder, name)
  return {
    place,
    write: (name: string, text: string) => writeFileSync(place(name), text),
    /** Saves as `sed -i` and many editors do. */
    replace: (name: string, text: string) => {
      writeFileSync(place(`${name}.new`), text)
      renameSync(place(`${name}.new`), place(name))
    },
    remove: (name: string) => rmSync(place(name), { recursive: true }),
    /** All that is reported until these files are. */
    async seen(...names: string[]): Promise<string[]> {
      while (!names.every(name => reports.includes(name)))
        await new Promise<void>(resolve => {
          told = resolve
        })
      return [...new Set(reports.splice(0))].sort()
    },
  }
}

describe('changes of the files of an app', () => {
  it('are seen after a file was replaced by another, however it is saved then', async () => {
    const { write, replace, seen } = watched()
    for (const file of ['content-types/note.json', 'src/api/note/schema.json']) {
      write(file, 'in place')
      assert.deepEqual(await seen(file), [file])
      replace(file, 'replaced')
      assert.deepEqual(await seen(file), [file])
      write(file, 'in place again')
      assert.deepEqual(await seen(file), [file])
      replace(file, 'replaced again')
      assert.deepEqual(await seen(file), [file])
      write(file, 'in place after that')
      assert.deepEqual(await seen(file), [file])
    }
  })

  it('are those of files that appear, and of folders that are made, moved, deleted and made again', async () => {
    const { place, write, remove, seen } = watched()
    write('config/plugins.js', 'one')
    assert.deepEqual(await seen('config/plugins.js'), ['config/plugins.js'])
    mkdirSync(place('plugins/own/lib'), { recursive: true })
    write('plugins/own/lib/index.js', 'one')
    assert.deepEqual(await seen('plugins/own/lib/index.js'), ['plugins/own/lib/index.js'])
    write('plugins/own/lib/index.js', 'another')
    await seen('plugins/own/lib/index.js')

    renameSync(place('plugins/own'), place('plugins/other'))
    assert.deepEqual(await seen('plugins/other/lib/index.js'), [
      'plugins/other/lib/index.js',
      'plugins/own/lib/index.js',
    ])
    write('plugins/other/lib/index.js', 'more of it')
    await seen('plugins/other/lib/index.js')

    remove('content-types')
    assert.deepEqual(await seen('content-types/note.json'), ['content-types/note.json'])
    mkdirSync(place('content-types'))
    write('content-types/note.json', 'two')
    await seen('content-types/note.json')
    write('content-types/note.json', 'three')
    await seen('content-types/note.json')
  })

  it('are seen in a folder that was deleted and made again before it was looked at', async () => {
    const { place, write, remove, seen } = watched()
    remove('src/api/note')
    mkdirSync(place('src/api/note'))
    write('src/api/note/schema.json', 'two')
    await seen('src/api/note/schema.json')
    write('src/api/note/schema.json', 'three')
    assert.deepEqual(await seen('src/api/note/schema.json'), ['src/api/note/schema.json'])
  })

  it('are seen where only the time of the file tells them', async () => {
    const { place, seen } = watched()
    utimesSync(place('content-types/note.json'), 1, 1)
    assert.deepEqual(await seen('content-types/note.json'), ['content-types/note.json'])
  })

  it('are not those of what editors write beside a file, of packages, and of what merely lies in the folder', async () => {
    const { place, write, remove, replace, seen } = watched()
    for (const name of ['.note.json.swp', '4913', 'note.json~', '.#note.json', 'note.json.tmp'])
      write(`content-types/${name}`, 'x')
    // A temporary file with a name of its own, which is gone before it has been quiet.
    write('content-types/sedXw3Kd1', 'x')
    remove('content-types/sedXw3Kd1')
    mkdirSync(place('plugins/own/node_modules/left-pad'), { recursive: true })
    write('plugins/own/node_modules/left-pad/index.js', 'x')
    mkdirSync(place('.tmp'))
    write('.tmp/data.db', 'x')
    write('data.db', 'x')
    write('content-types/4913', 'y')
    replace('content-types/note.json', 'two')
    assert.deepEqual(await seen('content-types/note.json'), ['content-types/note.json'])
    write('.env', 'PORT=1')
    write('own.ts', 'export {}')
    assert.deepEqual(await seen('.env', 'own.ts'), ['.env', 'own.ts'])
  })

  it('are seen through a link to a folder, and a link that leads upwards ends nowhere', async () => {
    const { place, write, seen } = watched()
    mkdirSync(place('elsewhere'))
    symlinkSync(place('elsewhere'), place('plugins'))
    symlinkSync(place('src'), place('src/api/loop'))
    write('elsewhere/own.js', 'one')
    assert.deepEqual(await seen('plugins/own.js'), ['plugins/own.js'])
    write('elsewhere/own.js', 'another')
    await seen('plugins/own.js')
  })
})
