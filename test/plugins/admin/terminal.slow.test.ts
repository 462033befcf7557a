import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { stele as command } from '../../support/command.js'
import { run } from '../../support/run.js'
import { folderOf } from '../../support/terminal.js'

const appOf = () =>
  folderOf({
    'config/plugins.json': '{ "admin": true }',
    'content-types/note.json': JSON.stringify({
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      attributes: { text: { type: 'string' } },
    }),
  })

const stele = async (folder: string, args: readonly string[], stdin = '') =>
  command([...args, '--app', folder], { env: { DATABASE_FILENAME: join(folder, 'data.db') }, stdin })

const done = async (...given: Parameters<typeof stele>): Promise<string> => {
  const { status, stdout, stderr } = await stele(...given)
  assert.equal(status, 0, stderr)
  return stdout
}

describe('accounts of editors in the terminal', () => {
  it('get a password from standard input, and are listed for programs', async () => {
    const folder = appOf()
    await done(folder, ['admin', 'create', 'ada@example.test', '--password', '-'], 'eleven elephants\n')
    const invited = JSON.parse(
      await done(folder, ['admin', 'invite', 'ben@example.test', '--role', 'Author,Editor', '--json']),
    )
    assert.deepEqual([invited[0].id, invited[0].email], [2, 'ben@example.test'])
    assert.match(invited[0].address, /^http:\/\/localhost:1337\/console\/invitation#[\w-]{43}$/)
    const rows = JSON.parse(await done(folder, ['admin', 'list', '--json']))
    assert.deepEqual(
      rows.map(({ email, roles, state }: Record<string, unknown>) => [email, roles, state]),
      [
        ['ada@example.test', ['Super Admin'], 'active'],
        ['ben@example.test', ['Author', 'Editor'], 'invited'],
      ],
    )
    assert.equal(
      await done(folder, ['admin', 'role', 'ben@example.test', 'Editor']),
      'ben@example.test has the roles Editor\n',
    )
  })

  it('are refused with a sentence and an exit code', async () => {
    const folder = appOf()
    const refusal = async (...args: string[]) => {
      const { status, stderr } = await stele(folder, ['admin', ...args])
      return [status, stderr.trimEnd().split('\n').at(-1)]
    }
    assert.deepEqual(await refusal('create'), [64, 'the e-mail address is missing: it is the argument'])
    const short = await refusal('create', 'ada@example.test', '--password', 'short')
    assert.deepEqual(short, [65, 'password must be at least 10 characters'])
  })

  it('travel in an archive with accounts, and in no other', async () => {
    const [from, to] = [appOf(), appOf()]
    await done(from, ['admin', 'create', 'ada@example.test', '--password', 'eleven elephants'])
    await done(from, ['admin', 'invite', 'ben@example.test', '--role', 'Author'])
    const [whole, plain] = [join(from, 'whole.tar'), join(from, 'plain.tar')]
    await done(from, ['export', whole, '--with-accounts'])
    await done(from, ['export', plain])
    await done(to, ['import', plain, '--yes'])
    assert.deepEqual(JSON.parse(await done(to, ['admin', 'list', '--json'])), [])
    await done(to, ['import', whole, '--replace', '--yes'])
    const all = async (folder: string) => {
      const ask = (sql: string) => run({ client: 'sqlite', filename: join(folder, 'data.db') }, sql)
      const tables = ['admin_users', 'admin_roles', 'admin_permissions', 'stele_admin_stamps']
      const links = ['admin_users_roles_links', 'admin_permissions_role_links']
      return Promise.all([...tables, ...links].map(table => ask(`select * from ${table} order by id`)))
    }
    const [before, after] = [await all(from), await all(to)]
    assert.deepEqual(after, before)
    assert.deepEqual(
      before.map(({ length }) => length),
      [2, 3, 20, 1, 2, 20],
    )
  })
})
