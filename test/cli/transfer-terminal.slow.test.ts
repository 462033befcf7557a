import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, describe, it } from 'vitest'
import { progressOn } from '../../core/tools/cli/progress.js'
import { run } from '../support/run.js'
import { ownEnv } from '../support/terminal.js'
import { main, openApp, place, stele, writeApp } from './transfer-app.js'

/** A place, and the text written to it. */
function told(isTTY: boolean, columns?: number) {
  let text = ''
  const progress = progressOn({ isTTY, ...(columns && { columns }), write: part => (text += part) })
  return { progress, text: () => text }
}

describe('progress', () => {
  it('is one line on a terminal, which is gone at the end', () => {
    const { progress, text } = told(true, 60)
    progress.at('articles', 50, 200)
    progress.at('articles', 200, 200)
    progress.warn('something odd')
    progress.end()
    const pictures = text().split('\r\u001b[K')
    assert.match(pictures[1] ?? '', /^\[#{6}\.{18}\] {2}25 % {2}articles: 50 of 200$/)
    assert.match(pictures[2] ?? '', /^\[#{24}\] 100 % {2}articles: 200 of 200$/)
    assert.equal(pictures[3], 'something odd\n')
    assert.equal(pictures.at(-1), '')
  })

  it('is no longer than the terminal is wide', () => {
    const { progress, text } = told(true, 40)
    progress.at('a_table_with_quite_a_long_name', 1_000_000, 2_000_000)
    assert.ok(text().replace('\r\u001b[K', '').length < 40)
  })

  it('is a line for what is done elsewhere, and no picture', () => {
    const { progress, text } = told(false)
    progress.at('articles', 1000, 200_000)
    progress.at('articles', 200_000, 200_000)
    progress.end()
    assert.equal(text(), 'articles: 200,000 of 200,000\n')
  })
})

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
}

const hasTerminals = spawnSync('script', ['--version']).status === 0

describe('the commands', () => {
  const folder = place()
  const app = writeApp(join(folder, 'app'), {
    'content-types/note.json': note,
    'config/api.json': { rest: { public: true } },
  })
  const filename = join(folder, 'data.db')
  const database = { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: filename } }
  const archive = join(folder, 'all.tar')
  const notes = () => run({ client: 'sqlite', filename }, 'select text from notes')
  beforeAll(async () => {
    const opened = await openApp(app, database)
    await opened.entries('api::note.note').create({ text: 'as it was' })
    await opened.close()
  }, 120_000)

  it('say in plain lines and in JSON what they did', async () => {
    const { out, errors } = await stele(['export', archive, '--app', app], database)
    assert.match(out, /^1 row of 1 table exported to .*all\.tar \(\d+ kB\)\n$/)
    assert.equal(errors, 'notes: 1 of 1\n')
    const json = await stele(['export', 'relative.tar', '--app', app, '--json'], database, folder)
    const { file, size, tables, parts } = JSON.parse(json.out)
    assert.deepEqual([file, tables, parts], [join(folder, 'relative.tar'), { notes: 1 }, {}])
    assert.ok(size > 3000)
  })

  it('explain themselves, and say what is secret', async () => {
    for (const [command, words] of [
      ['export', /--with-accounts.*hashes and secrets/s],
      ['import', /--replace.*--yes.*--ignore-unknown/s],
    ] as const) {
      const { code, out } = await stele([command, '--help'], database)
      assert.equal(code, 0)
      assert.match(out, words)
    }
    assert.match((await stele(['export', '--help'], database)).out, /as confidential as the\s+database/)
    assert.equal((await stele(['export'], database)).code, 64)
  })

  it.skipIf(!hasTerminals)('ask on a terminal before they remove anything, and show how far they are', async () => {
    await run({ client: 'sqlite', filename }, "update notes set text = 'changed'")
    const no = await onTerminal(['import', archive, '--app', app, '--replace'], 'n\r')
    assert.match(no.text, /This removes 1 row of 1 table before it imports\. Go on\? \[y\/N\]/)
    assert.match(no.text, /nothing was done/)
    assert.equal(no.code, 130)
    assert.deepEqual(await notes(), [{ text: 'changed' }])
    const yes = await onTerminal(['import', archive, '--app', app, '--replace'], 'y\r')
    assert.equal(yes.code, 0, yes.text)
    assert.match(yes.text, /\[#{24}\] 100 % {2}notes: 1 of 1/)
    assert.match(yes.text, /1 row of 1 table imported/)
    assert.deepEqual(await notes(), [{ text: 'as it was' }])
  })

  /** A command as a person sees it, who answers the first question. */
  async function onTerminal(args: readonly string[], answer: string): Promise<{ code: number; text: string }> {
    const command = [process.execPath, main, ...args].map(word => `'${word}'`).join(' ')
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { ...ownEnv, TERM: 'xterm', ...database.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let text = ''
    let answered = false
    child.stdout.on('data', part => {
      text += part
      if (answered || !text.includes('[y/N]')) return
      answered = true
      child.stdin.write(answer)
    })
    const [code] = await once(child, 'close')
    return { code: code as number, text }
  }
})
