import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, it } from 'vitest'
import { change, rowsOf } from '../../core/index.js'
import type { App } from '../../core/kernel.js'
import { exitCodes } from '../../core/tools/cli/exit-codes.js'
import type { Engine, FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { allRows, type CommandOutput, copyApp, openApp, place, type Row, stele, writeApp } from './transfer-app.js'
import { appFiles, fillApp } from './transfer-content.js'

const refused = ({ code, out, errors }: CommandOutput, sentence: RegExp, kind: keyof typeof exitCodes = 'data') => {
  assert.equal(code, exitCodes[kind].code, out + errors)
  assert.match(errors, sentence)
  assert.doesNotMatch(errors, /\n {4}at /)
}
const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
}

/** Writes without a pause, each time to three tables in one transaction, and remembers what every commit has left. */
class Writer {
  readonly states: unknown[] = []
  readonly #app: App
  readonly #number: number
  #counter = 0
  #isDone = false
  #made: number[] = []

  constructor(app: App, number: number) {
    this.#app = app
    this.#number = number
  }

  async run(): Promise<void> {
    const authors = this.#app.entries('api::author.author')
    this.#counter = Number((await authors.create({ name: `writer ${this.#number}: 0` })).id)
    this.states.push(await this.state(this.#app))
    while (!this.#isDone) {
      await this.#write()
      this.states.push(await this.state(this.#app))
    }
  }

  stop(): void {
    this.#isDone = true
  }

  async #write(): Promise<void> {
    const { store, entries } = this.#app
    const turn = this.states.length
    const made = await store.transaction(async session => {
      const tags = entries('api::tag.tag', session)
      const [oldest, ...rest] = this.#made
      if (oldest !== undefined && rest.length >= 8) await tags.delete(oldest)
      else if (oldest !== undefined) await tags.update(oldest, { name: `w${this.#number} again ${turn}` })
      const { id } = await tags.create({ name: `w${this.#number} ${turn}`, articles: [this.#number] })
      await entries('api::author.author', session).update(this.#counter, { name: `writer ${this.#number}: ${turn}` })
      return [...(rest.length >= 8 ? rest : this.#made), Number(id)]
    })
    this.#made = made
  }

  /** State of this writer in an app: its number of turns, its tags and their links. */
  async state({ store: { knex, reader } }: App): Promise<{ turns: number; rows: unknown[] }> {
    const [author] = await rowsOf(reader, knex('authors').select().where('name', 'like', `writer ${this.#number}:%`))
    const mine = knex('tags').where('name', 'like', `w${this.#number} %`)
    const tags = await rowsOf(reader, mine.clone().select().orderBy('id'))
    const links = knex('articles_tags_links').select().whereIn('tag_id', mine.clone().select('id')).orderBy('id')
    const turns = Number(/: (\d+)$/.exec(author?.find(value => String(value).startsWith('writer ')) as string)?.[1])
    return { turns, rows: [author, ...tags, ...(await rowsOf(reader, links))] }
  }
}

const written = ['tags', 'articles_tags_links', 'authors']

onEveryEngine('a backup that is taken under load', (engine: Engine) => {
  const folder = place()
  const source = join(folder, 'source')
  const backups = join(folder, 'backups')
  const file = () => join(backups, readdirSync(backups)[0] as string)
  let from: FreshDatabase
  let to: FreshDatabase
  let writers: readonly Writer[]
  let last: Record<string, Row[]>
  let restored: App
  let proof: CommandOutput

  beforeAll(async () => {
    from = await engine.fresh()
    to = await engine.fresh()
    const app = await openApp(writeApp(source, appFiles), from)
    await fillApp(app)
    await app.store.transaction(async session => {
      for (let row = 0; row < 40; row += 1) {
        const rows = Array.from({ length: 100 }, (_, index) => ({ name: `of many ${row * 100 + index}` }))
        await change(session, app.store.knex('authors').insert(rows))
      }
    })
    writers = [1, 2, 3].map(number => new Writer(app, number))
    const writing = Promise.all(writers.map(writer => writer.run()))
    const made = await stele(['backup', backups, '--app', source], from)
    for (const writer of writers) writer.stop()
    await writing
    last = await allRows(app)
    await app.close()
    assert.equal(made.code, 0, made.errors)
    assert.match(made.out, /^[\d,]+ rows of \d+ tables, 3 files of upload backed up to .*\.tar\.gz \([\d.]+ kB\)\n$/)
    proof = await stele(['doctor', '--backup', file(), '--app', source], from)
    const target = copyApp(source, join(folder, 'target'))
    const { code, errors } = await stele(['restore', file(), '--app', target], to)
    assert.equal(code, 0, errors)
    restored = await openApp(target, to)
    return async () => {
      await restored?.close()
      await from.drop()
      await to.drop()
    }
  }, 240_000)

  it('is one state of the database: row for row what some commit of each writer has left', async () => {
    for (const writer of writers) {
      const state = await writer.state(restored)
      assert.deepEqual(state, writer.states[state.turns])
    }
  })

  it('was taken while writes went on', async () => {
    const turns = await Promise.all(writers.map(async writer => (await writer.state(restored)).turns))
    assert.ok(
      turns.some((count, index) => count + 1 < (writers[index]?.states.length ?? 0)),
      String(turns),
    )
  })

  it('has all other rows as they are, and all files', async () => {
    const isOther = ({ name = '' }: Row) => !/^w(riter )?\d/.test(String(name))
    const found = await allRows(restored)
    for (const [table, rows] of Object.entries(last)) {
      if (!written.includes(table)) assert.deepEqual(found[table], rows, table)
      else if (table !== 'articles_tags_links')
        assert.deepEqual(found[table]?.filter(isOther), rows.filter(isOther), table)
    }
    for (const name of ['hill.txt', 'sea.txt', 'face.txt']) {
      const content = (app: string) => readFileSync(join(folder, app, 'public/uploads', name), 'utf8')
      assert.equal(content('target'), content('source'), name)
    }
  })

  it('is proved by doctor, and is for its owner alone', () => {
    assert.equal(proof.code, 0, proof.out + proof.errors)
    assert.match(
      proof.out,
      /^note: backup: made by stele \S+ on \S+: [\d,]+ rows of \d+ tables, 3 files of upload\n {2}every checksum is right/,
    )
    assert.equal(statSync(backups).mode & 0o777, 0o700)
    assert.equal(statSync(file()).mode & 0o777, 0o600)
    assert.equal(readdirSync(backups).length, 1)
  })

  it('is not restored over rows', async () => {
    refused(
      await stele(['restore', file(), '--app', join(folder, 'target')], to),
      /the database has content: .*; nothing was restored, as a backup is restored into an empty database/,
    )
  })
})

describe('backups', () => {
  const folder = place()
  const app = writeApp(join(folder, 'app'), { 'content-types/note.json': note })
  const database = { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(folder, 'data.db') } }
  const backup = (...args: string[]) => stele(['backup', ...args, '--app', app], database)

  const backups = join(folder, 'damaged')
  const [whole, cut] = [join(backups, 'whole.tar.gz'), join(backups, 'cut.tar.gz')]
  beforeAll(async () => {
    await stele(['apply', '--app', app], database)
    await backup(backups)
    const [made = ''] = readdirSync(backups)
    const content = readFileSync(join(backups, made))
    writeFileSync(whole, content)
    writeFileSync(cut, content.subarray(0, content.length / 2))
  })

  it('replace the oldest ones, where so many are kept, and nothing else', async () => {
    const backups = join(folder, 'kept')
    mkdirSync(backups)
    const old = (day: number) => `backup-2024-01-0${day}T00-00-00-000Z.tar.gz`
    const later = 'backup-2999-01-01T00-00-00-000Z.tar.gz'
    const others = ['mine.tar.gz', 'backup-of-mine.tar.gz', 'backup-2023-01-01.tar.gz']
    for (const name of [old(1), `${old(2)}.part`, old(3), old(4), `${old(5)}.spool`, later, ...others])
      writeFileSync(join(backups, name), '')
    const { out } = await backup(backups, '--keep', '3')
    assert.match(out, /; 3 older files removed\n$/)
    const left = readdirSync(backups).filter(name => !others.includes(name))
    assert.deepEqual(left.length, 4)
    assert.deepEqual([left[0], left[1], left[3]], [old(4), `${old(5)}.spool`, later])
    const { removed, size, leftOut } = JSON.parse((await backup(backups, '--keep', '1', '--json')).out)
    assert.equal(removed.length, 3)
    assert.ok(size > 0)
    assert.deepEqual(leftOut, [])
    assert.equal(readdirSync(backups).length, others.length + 2)
  })

  it('say which tables are not in them', async () => {
    const odd = await openApp(app, database)
    odd.engine.alter(['create table other (id integer)'])
    await odd.close()
    assert.match(
      (await backup(join(folder, 'odd'))).errors,
      /^not in the backup: 1 table that this app does not have: other$/m,
    )
  })

  it('are refused where what was asked for makes no sense', async () => {
    for (const count of ['0', '-1', 'all'])
      refused(
        await backup(join(folder, 'none'), `--keep=${count}`),
        /--keep is ".*"; expected how many backups stay/,
        'usage',
      )
    writeFileSync(join(folder, 'a-file'), '')
    refused(await backup(join(folder, 'a-file/backups')), /the folder .* cannot be made: /, 'access')
  })

  it('that are damaged, missing, or of another app are findings of doctor', async () => {
    const found = async (file: string, folderOfApp = app) =>
      stele(['doctor', '--backup', file, '--app', folderOfApp], database)
    assert.match((await found(whole)).out, /^note: backup: made by stele/)
    for (const [result, sentence] of [
      [await found(cut), /^error: backup: the archive was cut/],
      [await found(join(backups, 'none.tar.gz')), /^error: backup: there is no file/],
      [
        await found(
          whole,
          writeApp(join(folder, 'empty'), {
            'content-types/other.json': {
              ...note,
              collectionName: 'others',
              info: { singularName: 'other', pluralName: 'others' },
            },
          }),
        ),
        /^error: backup: this app has no place for all of it: the table notes .* is not one of this app/,
      ],
    ] as const) {
      assert.match(result.out, sentence)
      assert.equal(result.code, 1)
    }
    refused(await stele(['doctor', '--fix', '--backup', whole, '--app', app], database), /leave out --fix/, 'usage')
  })

  it('that have no accounts are none', async () => {
    const plain = join(folder, 'plain.tar')
    await stele(['export', plain, '--app', app], database)
    refused(await stele(['restore', plain, '--app', app], database), /is no backup: it was exported without accounts/)
  })

  it('go on where they were stopped, with the same command', async () => {
    const source = writeApp(join(folder, 'files'), { ...appFiles })
    const at = (name: string) => ({
      env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(folder, name) },
    })
    const filled = await openApp(source, at('files.db'))
    await fillApp(filled)
    const rows = await allRows(filled)
    await filled.close()
    const { file } = JSON.parse(
      (await stele(['backup', join(folder, 'of-files'), '--app', source, '--json'], at('files.db'))).out,
    )
    const target = copyApp(source, join(folder, 'stopped'))
    mkdirSync(join(target, 'public/uploads'), { recursive: true })
    // No file can take the place of a folder.
    mkdirSync(join(target, 'public/uploads/sea.txt/in-the-way'), { recursive: true })
    const restore = () => stele(['restore', file, '--app', target], at('stopped.db'))
    const stopped = await restore()
    assert.notEqual(stopped.code, 0)
    assert.match(stopped.errors, /the same command goes on where it stopped/)
    rmSync(join(target, 'public/uploads/sea.txt'), { recursive: true })
    const { code, out, errors } = await restore()
    assert.equal(code, 0, errors)
    assert.match(out, /3 files of upload restored from/)
    const restored = await openApp(target, at('stopped.db'))
    const found = await allRows(restored)
    await restored.close()
    for (const [table, list] of Object.entries(rows)) assert.deepEqual(found[table], list, table)
  })

  it('can be restored with content types that have more than they had then', async () => {
    const more = writeApp(join(folder, 'more'), {
      'content-types/note.json': { ...note, attributes: { stars: { type: 'integer' }, ...note.attributes } },
    })
    const { code, out } = await stele(['doctor', '--backup', whole, '--app', more], database)
    assert.equal(code, 0, out)
    rmSync(whole)
  })
})
