import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, it } from 'vitest'
import { facts as mysql } from '../../core/engines/mysql/facts.js'
import { facts as postgres } from '../../core/engines/postgres/facts.js'
import { facts as sqlite } from '../../core/engines/sqlite/facts.js'
import { BootError } from '../../core/errors.js'
import type { App } from '../../core/kernel.js'
import { openArchive } from '../../core/tools/transfer/archive.js'
import { transferHost } from '../../core/tools/transfer/host.js'
import { match } from '../../core/tools/transfer/match.js'
import { ending, filling, headerOf } from '../../core/tools/transfer/tar.js'
import { RefusedArchive } from '../../core/tools/transfer/untar.js'
import { headOf, verify } from '../../core/tools/transfer/verify.js'
import { disksCanBeHeld, heldDisk } from '../faults/support/held-disk.js'
import type { EngineName } from '../support/engine-choice.js'
import { run } from '../support/run.js'
import { membersOf, openApp, place, stele, writeApp } from './transfer-app.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    ...{ text: { type: 'string' }, size: { type: 'integer' }, day: { type: 'date' }, extra: { type: 'json' } },
    ...{ big: { type: 'biginteger' }, price: { type: 'decimal' } },
  },
}

const factsOf = { sqlite, mysql, postgres }

type Members = [name: string, content: string][]

/** An archive of these members, in their order. */
const tarOf = (members: Members): Buffer =>
  Buffer.concat([
    ...members.flatMap(([name, content]) => {
      const bytes = Buffer.from(content)
      return [headerOf(name, bytes.length, 0), bytes, filling(bytes.length)]
    }),
    ending(),
  ])

/** The same with a manifest that agrees, as somebody would make it who wants something. */
function signed(members: Members): Members {
  const found = members.find(([name]) => name === 'manifest.json')
  const manifest = JSON.parse(found?.[1] ?? '')
  const others = members.filter(([name]) => name !== 'manifest.json')
  manifest.members = others.map(([name, content]) => ({
    name,
    size: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  }))
  return [...others, ['manifest.json', JSON.stringify(manifest)]]
}

describe('an archive that is not as it was', () => {
  const folder = place()
  const source = writeApp(join(folder, 'source'), {
    'content-types/note.json': note,
    'config/plugins.json': { upload: true },
  })
  const at = (name: string) => ({ client: 'sqlite' as const, filename: join(folder, name) })
  const env = (name: string) => ({ env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(folder, name) } })
  const good = join(folder, 'good.tar')
  let members: Members = []
  let target: App

  beforeAll(async () => {
    const app = await openApp(source, env('source.db'))
    for (let index = 1; index <= 40; index += 1)
      await app
        .entries('api::note.note')
        .create({ text: `note ${index}`, size: index, day: '2024-01-01', extra: { index } })
    await app.close()
    assert.equal((await stele(['export', good, '--app', source], env('source.db'))).code, 0)
    members = [...membersOf(good)]
    target = await openApp(source, env('target.db'))
    return () => target.close()
  }, 60_000)

  /** Expects an import to refuse the archive before it writes anything. */
  async function refused(archive: Buffer, sentence: RegExp, engine?: EngineName): Promise<void> {
    await assert.rejects(looked(archive, engine), (error: Error) => {
      assert.ok(error instanceof BootError, String(error.stack))
      assert.match(error.message, sentence)
      return true
    })
  }

  /** Looks at an archive as an import into a database of this kind does first; gives the warnings. */
  async function looked(archive: Buffer, name: EngineName = 'sqlite'): Promise<string[]> {
    const file = join(folder, 'bad.tar')
    writeFileSync(file, archive)
    const host = transferHost(target)
    const warnings: string[] = []
    const head = await headOf(file)
    const matched = match(head, host, (await host.engine.introspect()).tables)
    const engine = { name, facts: factsOf[name] }
    await verify({ file, head }, matched, engine, { at: () => undefined, warn: text => void warnings.push(text) })
    return warnings
  }

  /** The same as a person meets it. */
  async function refusedInFull(archive: Buffer, sentence: RegExp): Promise<void> {
    const file = join(folder, 'bad.tar')
    writeFileSync(file, archive)
    const { code, out, errors } = await stele(['import', file, '--app', source], env('target.db'))
    assert.equal(code, 65, out + errors)
    assert.match(errors, sentence)
    assert.doesNotMatch(errors, /\n {4}at /)
    assert.deepEqual(await run(at('target.db'), 'select count(*) as n from notes'), [{ n: 0 }])
    assert.deepEqual(await run(at('target.db'), "select name from sqlite_master where name = 'stele_imports'"), [])
  }

  it('is refused by the command with a sentence, and nothing of it is written', async () => {
    const bytes = readFileSync(good)
    await refusedInFull(bytes.subarray(0, 5000), /^the archive was cut: it ends before its end$/m)
    await refusedInFull(bytes.subarray(0, bytes.length - 3000), /^the archive was cut/m)
    await refusedInFull(gzipSync(bytes).subarray(0, 600), /^the archive was cut/m)
    const other = Buffer.from(bytes)
    other.write('NOTE 17', bytes.indexOf('note 17'))
    await refusedInFull(other, /^the archive is damaged: the checksum of tables\/notes\.jsonl is another one$/m)
    const [first, ...rest] = members as [Members[0], ...Members]
    await refusedInFull(tarOf(signed([first, ['../evil', 'x'], ...rest])), /is no name that stele export gives/)
  }, 60_000)

  const changed = (name: string, change: (content: string) => string): Members =>
    members.map(([own, content]) => [own, own === name ? change(content) : content])
  const put = (row: object): Members =>
    signed(changed('tables/notes.jsonl', content => content.replace(/^.*\n/, `${JSON.stringify(row)}\n`)))

  it('is refused where it was cut, wherever that was', async () => {
    const bytes = readFileSync(good)
    for (const length of [0, 1, 511, 512, 700, 5000, bytes.length - 3000, bytes.length - 1024, bytes.length - 513])
      await refused(bytes.subarray(0, length), /was cut|is empty|no archive/)
    const packed = gzipSync(bytes)
    for (const length of [20, 600, packed.length - 9]) await refused(packed.subarray(0, length), /was cut|is empty/)
  }, 60_000)

  it('is refused where bytes differ', async () => {
    const bytes = readFileSync(good)
    const spot = bytes.indexOf('note 17')
    const other = Buffer.from(bytes)
    other.write('NOTE 17', spot)
    await refused(other, /the checksum of tables\/notes\.jsonl is another one/)
    const header = Buffer.from(bytes)
    header.write('9', bytes.indexOf('tables/notes.jsonl') + 126)
    await refused(header, /damaged/)
    const packed = gzipSync(bytes)
    packed.writeUInt8((packed[(packed.length / 2) | 0] ?? 0) ^ 255, (packed.length / 2) | 0)
    await refused(packed, /damaged|cut/)
    await refused(Buffer.concat([bytes, Buffer.from('more')]), /something stands behind its end/)
    const padded = Buffer.concat([bytes, Buffer.alloc(1024 * 1024)])
    assert.deepEqual(await looked(padded), [])
    await refused(Buffer.concat([padded, Buffer.from('more')]), /something stands behind its end/)
  }, 60_000)

  describe.skipIf(!disksCanBeHeld)('on a disk that fails', () => {
    const disk = heldDisk()
    it('cannot be read, and that is said', async () => {
      const text = 'x'.repeat(200)
      const rows = Array.from({ length: 8000 }, (_, index) => `${JSON.stringify({ id: 41 + index, text })}\n`).join('')
      const bytes = tarOf(changed('tables/notes.jsonl', content => content + rows))
      for (const [name, content] of Object.entries({ 'a.tar': bytes, 'a.tar.gz': gzipSync(bytes, { level: 0 }) })) {
        const file = join(disk.folder, name)
        writeFileSync(file, content)
        await disk.flush()
        const readAll = async () => {
          for await (const member of openArchive(file)) {
            if (member.name === 'archive.json') await disk.cut()
          }
        }
        await assert.rejects(readAll(), new RefusedArchive(`${file} cannot be read: EIO`))
        await disk.restore()
      }
    }, 60_000)
  })

  it('is refused where it is something else', async () => {
    await refused(Buffer.from('PK\u0003\u0004'.padEnd(2000, 'x')), /damaged|no archive/)
    await refused(tarOf([['readme.txt', 'hello']]), /no archive of stele export/)
    await refused(tarOf([]), /is empty/)
    const link = headerOf('link', 0, 0)
    link.write('2', 156)
    link.write('        ', 148)
    link.write(
      `${link
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    await refused(
      Buffer.concat([tarOf(members.slice(0, 1)).subarray(0, -1024), link, ending()]),
      /link, which is no plain file/,
    )
  }, 60_000)

  it('is refused where its form is another one', async () => {
    const head = (change: object): Members =>
      changed('archive.json', content => JSON.stringify({ ...JSON.parse(content), ...change }))
    await refused(
      tarOf(head({ format: 2, stele: '9.1.0' })),
      /the form 2 \(made by stele 9\.1\.0\), and this stele reads the form 1/,
    )
    await refused(tarOf(head({ tables: 'all' })), /archive\.json does not say what it has to/)
    await refused(tarOf(head({ id: '0'.repeat(36) })), /manifest\.json does not say|checksum/)
    await refused(tarOf(changed('manifest.json', () => '{')), /manifest\.json does not say/)
  }, 60_000)

  for (const name of [
    '../evil',
    '/etc/evil',
    'plugins/upload/../../evil',
    'plugins\\evil',
    'tables/./x',
    'tables//x',
    `a\u0007b`,
  ])
    it(`is refused where a member is called ${JSON.stringify(name)}`, async () => {
      const [first, ...rest] = members as [Members[0], ...Members]
      await refused(tarOf(signed([first, [name, 'x'], ...rest])), /is no name that stele export gives/)
    })

  it('is refused where members are missing, doubled, added or in another order', async () => {
    const [first, second, ...rest] = members as [Members[0], Members[0], ...Members]
    const last = rest.pop() as Members[0]
    await refused(tarOf([first, ...rest, last]), /is not in its place/)
    await refused(tarOf([first, second, second, ...rest, last]), /where that does not belong/)
    await refused(
      tarOf(signed([first, second, ['tables/users.jsonl', ''], ...rest, last])),
      /where that does not belong/,
    )
    await refused(tarOf([first, second, ...rest]), /was cut: it ends before its manifest/)
    await refused(tarOf([first, second, ...rest, last, ['tables/more.jsonl', '']]), /behind its manifest/)
  }, 60_000)

  it('is refused where a row is none, even if all checksums are right', async () => {
    const row = { id: 1, text: 'x', size: 1, day: null, extra: null, big: null, price: null }
    await refused(tarOf(put({ ...row, text: 7 })), /notes, row 1: text is no text; nothing was imported/)
    await refused(tarOf(put({ ...row, size: '1' })), /size is no number/)
    await refused(tarOf(put({ ...row, size: 1.5 })), /size is no whole number/)
    await refused(tarOf(put({ ...row, day: 'soon' })), /day is no date/)
    await refused(tarOf(put({ ...row, big: 12 })), /big is no whole number of 64 bits/)
    await refused(tarOf(put({ ...row, big: '9223372036854775808' })), /big is no whole number of 64 bits/)
    await refused(tarOf(put({ ...row, extra: '{' })), /extra is no JSON/)
    await refused(tarOf(put({ ...row, extra: { $sql: 1 } })), /extra is no JSON/)
    await refused(tarOf(put({ ...row, id: '1; drop table notes' })), /ids of tables\/notes\.jsonl do not ascend/)
    await refused(tarOf(put({ ...row, id: 99 })), /do not ascend/)
    await refused(tarOf(put([1, 2])), /is no row/)
    const cut = signed(changed('tables/notes.jsonl', content => content.slice(0, -1)))
    await refused(tarOf(cut), /the last line of tables\/notes\.jsonl has no end/)
    const fewer = signed(changed('tables/notes.jsonl', content => content.replace(/^.*\n/, '')))
    await refused(tarOf(fewer), /notes has 39 rows, and not as many as the manifest says/)
  }, 120_000)

  it('is looked at with the eyes of the database that it goes to', async () => {
    const row = { id: 1, text: 'x', size: 1, day: null, extra: null, big: '9223372036854775807', price: '1.239' }
    const rounded = /^of notes\.price, 1 value has more digits than (postgres|mysql) keeps, and will be rounded to two$/
    const long = tarOf(put({ ...row, text: 'x'.repeat(256) }))
    for (const engine of ['postgres', 'mysql'] as const) {
      assert.match((await looked(tarOf(put(row)), engine)).join(), rounded)
      await refused(long, /text is longer than the 255 characters that (postgres|mysql) keeps/, engine)
    }
    await refused(tarOf(put({ ...row, text: '\0' })), /text has a null byte, which postgres does not keep/, 'postgres')
    assert.deepEqual(await looked(tarOf(put(row))), [])
    assert.deepEqual(await looked(long), [])
  })

  it('writes nothing outside of the storage, whatever its files are called', async () => {
    const [first, ...rest] = members as [Members[0], ...Members]
    const last = rest.pop() as Members[0]
    const file = join(folder, 'odd.tar')
    writeFileSync(
      file,
      tarOf(signed([first, ...rest, ['plugins/upload/1/evil.txt', 'x'], ['plugins/upload/x', 'y'], last])),
    )
    const { code, errors } = await stele(['import', file, '--app', source], env('odd.db'))
    assert.equal(code, 0, errors)
    assert.match(errors, /an archive has a file that no row names/)
    assert.deepEqual(await run(at('odd.db'), 'select count(*) as n from notes'), [{ n: 40 }])
  })

  it('is none at all: the file is missing', async () => {
    const { code, errors } = await stele(['import', join(folder, 'nothing.tar'), '--app', source], env('target.db'))
    assert.equal(code, 65)
    assert.match(errors, /there is no file .*nothing\.tar/)
  })

  it('is none at all: a folder stands there', async () => {
    const { code, errors } = await stele(['import', folder, '--app', source], env('target.db'))
    assert.equal(code, 65)
    assert.match(errors, /cannot be read/)
    assert.doesNotMatch(errors, /\n {4}at /)
  })
})
