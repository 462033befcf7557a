import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, it, vi } from 'vitest'
import type { FailureKind } from '../../core/errors.js'
import { exitCodes } from '../../core/tools/cli/exit-codes.js'
import { copyProject } from '../strapi4/project.js'
import { stele } from '../support/command.js'
import { folderOf, Server } from '../support/terminal.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })
beforeAll(async () => {
  const source = mkdtempSync(join(tmpdir(), 'stele-mistakes-'))
  archive = join(source, 'content.tar')
  mkdirSync(join(source, 'content-types'))
  writeFileSync(join(source, 'content-types/note.json'), note)
  for (const args of [['apply'], ['export', archive]]) await stele([...args, '--app', source])
  return () => rmSync(source, { recursive: true })
})
let archive: string

const note = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
})
const app = { 'content-types/note.json': note, 'config/log.json': '{"level":"error"}' }

/** Commands that serve, look, change, list and move content, and one of a plugin. A few of them are tried where there is little time. */
const commands = () => [
  ['start'],
  ['plan'],
  ['apply', '--yes'],
  ['doctor'],
  ['routes'],
  ['plugins'],
  ['types', '--count'],
  ['commands'],
  ['export', 'content.tar'],
  ['import', archive],
  ['role', 'list'],
]

/** A command that fails says so to people: a sentence, no stack, and a code that programs see. */
async function fails(
  args: readonly string[],
  where: Parameters<typeof stele>[1],
  sentence: RegExp,
  kind: FailureKind,
): Promise<void> {
  const { status, stdout, stderr } = await stele(args, where)
  const said = stdout + stderr
  // To the doctor, what is wrong with an app is what it has found.
  const isFinding = args[0] === 'doctor' && !args.includes('--bogus')
  const expected = exitCodes[isFinding ? 'failed' : kind].code
  assert.equal(status, expected, `${args.join(' ')}: ${said}`)
  assert.match(said, sentence, args.join(' '))
  assert.doesNotMatch(said, /^\s+at .+:\d+:\d+\)?$/m, args.join(' '))
}

describe('every command says what to do about', () => {
  const few = ['start', 'plan', 'doctor', 'types', 'role']
  const isTime = process.env.STELE_TEST_LONG === '1'
  const each = (what: string, check: (args: readonly string[]) => Promise<void>, but: readonly string[] = []) => {
    for (const [at, [name = '']] of commands().entries())
      if (!but.includes(name) && (isTime || few.includes(name)))
        it(`${what}: stele ${name}`, () => check(commands()[at] as string[]))
  }

  each('a folder that does not exist', args =>
    fails(
      [...args, '--app', '/nowhere/at-all'],
      {},
      /There is no app folder \/nowhere\/at-all: --app names it/,
      'usage',
    ),
  )

  each('a file in the place of a folder', args => {
    const folder = folderOf({ 'some.txt': '' })
    const sentence = /There is no app folder .*some\.txt: --app names it/
    return fails([...args, '--app', join(folder, 'some.txt')], {}, sentence, 'usage')
  })

  each('an option that it does not have', args => {
    const folder = folderOf({ ...app, 'config/plugins.json': '{"users-permissions":true}' })
    return fails([...args, '--app', folder, '--bogus'], {}, /unknown option '--bogus'/, 'usage')
  })

  each('a variable with a wrong value', args =>
    fails(
      [...args, '--app', folderOf(app)],
      { env: { DATABASE_CLIENT: 'oracle' } },
      /DATABASE_CLIENT is "oracle".*sqlite, mysql/,
      'configuration',
    ),
  )

  each('a schema file that cannot be read', args =>
    fails(
      [...args, '--app', folderOf({ ...app, 'content-types/broken.json': '{ nope' })],
      {},
      /broken\.json is not valid JSON/,
      'configuration',
    ),
  )

  const unreachable = {
    DATABASE_CLIENT: 'mysql',
    DATABASE_HOST: '127.0.0.1',
    DATABASE_PORT: '1',
    DATABASE_NAME: 'cms',
    // A start opens its port before it reaches the database.
    PORT: '0',
  }
  each(
    'a database that cannot be reached',
    args => {
      const folder = folderOf({ ...app, 'config/plugins.json': '{"users-permissions":true}' })
      return fails(
        [...args, '--app', folder],
        { env: unreachable },
        /the mysql database at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED[\s\S]*config\/database and the variables DATABASE_/,
        'database',
      )
    },
    // These do without it.
    ['plugins', 'commands', 'routes'],
  )
})

describe('the folder of an app', () => {
  it('may be told from where the command is given', async () => {
    const folder = folderOf(app)
    const where = { cwd: dirname(folder) }
    const made = await stele(['apply', '--yes', '--app', basename(folder)], where)
    assert.equal(made.status, 0, made.stderr)
    for (const args of [['plan'], ['doctor'], ['types', '--count'], ['routes'], ['plugins']]) {
      const { status, stdout, stderr } = await stele([...args, '--app', basename(folder)], where)
      assert.equal(status, 0, `${args}: ${stdout}${stderr}`)
    }
  })

  it('that has no content types is served, and it is said that another may be meant', async () => {
    const folder = folderOf()
    mkdirSync(join(folder, 'config'))
    const server = new Server(folder, { PORT: '0', HOST: '127.0.0.1' })
    await server.said(/has no content types: if that is not the folder you mean, --app names another/)
    await server.said(/listening/)
    assert.equal(await server.stop(), 0)
  })

  it('of a Strapi 4 project is started by its name alone', async () => {
    const project = copyProject()
    try {
      const { status, stdout, stderr } = await stele(['doctor', '--app', basename(project.folder)], {
        cwd: dirname(project.folder),
      })
      assert.equal(status, 0, stdout + stderr)
    } finally {
      project.remove()
    }
  })
})
