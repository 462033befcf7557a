import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { commandNames, loadCommand } from '../../core/tools/cli/program.js'
import { stele } from '../support/command.js'

const folder = join(import.meta.dirname, '../../core/tools/cli')

describe('a command of stele', () => {
  it('is a file of core/tools/cli/commands, and nothing else names it to the program', () => {
    const files = readdirSync(join(folder, 'commands'))
      .filter(name => name.endsWith('.ts'))
      .map(name => name.replace(/\.ts$/, ''))
    assert.deepEqual(commandNames().sort(), files.sort())
    const program = readFileSync(join(folder, 'program.ts'), 'utf8')
    for (const name of files) assert.doesNotMatch(program, new RegExp(`['"\`/]${name}(\\.js)?['"\`]`, 'g'), name)
  })

  it('has a place of its own in the help, its description, and a row on the page of commands', async () => {
    const loaded = await Promise.all(commandNames().map(async name => ({ name, ...(await loadCommand(name)) })))
    assert.equal(new Set(loaded.map(({ place }) => place)).size, loaded.length)
    const { stdout, status } = await stele(['--help'])
    assert.equal(status, 0)
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[options\])?/gm)].map(([, name]) => name)
    const inOrder = loaded.sort((one, other) => one.place - other.place).map(({ name }) => name)
    assert.deepEqual(listed, [...inOrder, 'help'])
    const page = readFileSync(join(folder, 'README.md'), 'utf8')
    for (const { name } of loaded) assert.ok(page.includes(`\`stele ${name}`), name)
  })

  for (const name of commandNames())
    it(`explains itself: stele ${name} --help`, async () => {
      const { says, options, argument } = await loadCommand(name)
      const { stdout, status } = await stele([name, '--help'])
      assert.equal(status, 0)
      const text = stdout.replace(/\s+/g, ' ')
      for (const sentence of [says, ...options.map(option => option.says), argument?.says ?? ''])
        assert.ok(text.includes(sentence), sentence)
    })

  it('sees the variables and the folder that it is given, and leaves those of this process alone', async () => {
    const [cwd, before] = [process.cwd(), { ...process.env }]
    const refused = await stele(['plan', '--app', 'at-all'], { cwd: '/nowhere', env: { NODE_ENV: 'test' } })
    assert.deepEqual([refused.status, refused.stdout], [64, ''])
    assert.match(refused.stderr, /There is no app folder \/nowhere\/at-all/)
    assert.equal(process.cwd(), cwd)
    assert.deepEqual({ ...process.env }, before)
    assert.equal(process.exitCode, undefined)
  })
})
