import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'vitest'
import { BootError, UnavailableError, ValidationError } from '../../core/errors.js'
import { exitCodeOf, exitCodes } from '../../core/tools/cli/exit-codes.js'
import { assertTable, line } from '../readme/rows.js'
import { stele } from '../support/command.js'
import { folderOf, Server } from '../support/terminal.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}
const files = { 'content-types/note.json': JSON.stringify(note), 'config/log.json': '{"level":"error"}' }
const address = { PORT: '0', HOST: '127.0.0.1' }
const nowhere = { DATABASE_CLIENT: 'postgres', DATABASE_HOST: '127.0.0.1', DATABASE_PORT: '1', DATABASE_NAME: 'none' }

describe('the exit code of each kind of failure', () => {
  const page = new URL('../../core/tools/cli/', import.meta.url)

  it('is in the page as it is in the code', () => {
    const rows = Object.entries(exitCodes).map(([kind, { code, says, mayPass }]) =>
      line(String(code), `\`${kind}\``, says, mayPass ? 'yes' : ''),
    )
    assertTable(new URL('README.md', page), 'Exit codes', [
      line('Code', 'Kind', 'Meaning', 'A restart may fix it'),
      '|---|---|---|---|',
      ...rows,
    ])
    const codes = Object.values(exitCodes).map(({ code }) => code)
    assert.equal(new Set(codes).size, codes.length)
  })

  it('keeps the unit of systemd from restarting what only a person can fix', () => {
    const [, listed] = /^RestartPreventExitStatus=(.*)$/m.exec(
      readFileSync(new URL('production/stele.service', page), 'utf8'),
    ) as RegExpExecArray
    const failures = Object.values(exitCodes).filter(({ code }) => code >= 64 && code < 128)
    assert.equal(listed, failures.flatMap(({ code, mayPass }) => (mayPass ? [] : [code])).join(' '))
  })

  it('follows from the error, whatever wraps it', () => {
    const port = new BootError('taken', { kind: 'port' })
    const codes = [
      port,
      new BootError('plugin x could not start: taken', { cause: port }),
      new BootError('wrong'),
      new UnavailableError(),
      new ValidationError('no'),
      Object.assign(new Error('in use'), { code: 'EADDRINUSE' }),
      Object.assign(new Error('denied'), { code: 'EACCES' }),
      new TypeError('a mistake'),
      undefined,
    ].map(exitCodeOf)
    assert.deepEqual(codes, [71, 71, 78, 69, 65, 71, 77, 1, 1])
  })

  it('is said by commands', async () => {
    const app = folderOf(files)
    const of = async (args: readonly string[], env = {}) => (await stele(args, { cwd: app, env })).status
    assert.equal(await of(['--version']), 0)
    assert.equal(await of(['plan', '--help']), 0)
    assert.equal(await of(['nonsense']), 64)
    assert.equal(await of(['plan', '--nonsense']), 64)
    assert.equal(await of(['plan']), 2)
    assert.equal(await of(['apply', '--yes']), 0)
    assert.equal(await of(['plan']), 0)
    assert.equal(await of(['import', 'none.tar']), 65)
    assert.equal(await of(['start'], { ...address, ...nowhere }), 69)
    assert.equal(await of(['start'], { ...address, DATABASE_CLIENT: 'oracle' }), 78)
  })

  it('is that of the process, and of a supervisor whose first worker ends by it', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const ends = (env: Record<string, string>, ...args: string[]) =>
      new Server(folderOf(files), { ...address, ...env }, args).ended
    assert.equal(await ends({ PORT: String(port) }), 71)
    assert.equal(await ends({ PORT: String(port) }, '--workers', '2'), 71)
    assert.equal(await ends({ PORT: 'abc' }), 78)
    assert.equal(await ends(nowhere, '--workers', '2'), 69)
    taken.close()
  })
})
