import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { bootSample } from '../sample/sample.js'
import { stele } from '../support/command.js'
import { sampleFolder } from './outline.js'

/** A database that does not exist: opening it would fail or create it. */
function nowhere() {
  const folder = mkdtempSync(join(tmpdir(), 'stele-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'none.db')
  return { folder, file, env: { DATABASE_FILENAME: file } }
}

describe('stele openapi', () => {
  it('prints the document, and opens no database', async () => {
    const { file, env } = nowhere()
    const { status, stdout, stderr } = await stele(['openapi', '--app', sampleFolder], { env })
    assert.equal(status, 0, stderr)
    assert.ok(JSON.parse(stdout).paths['/api/articles'])
    assert.equal(existsSync(file), false)
  })

  it('writes a file, in the version that is asked for', async () => {
    const { folder, env } = nowhere()
    const out = join(folder, 'openapi.json')
    const { status, stdout } = await stele(['openapi', '--app', sampleFolder, '--out', out, '--version', '3.2'], {
      env,
    })
    assert.deepEqual([status, stdout], [0, ''])
    assert.equal(JSON.parse(readFileSync(out, 'utf8')).openapi, '3.2.0')
  })

  it('names a file that cannot be written, and a version that there is not', async () => {
    const { folder, env } = nowhere()
    const lost = await stele(['openapi', '--app', sampleFolder, '--out', join(folder, 'no/file.json')], { env })
    assert.equal(lost.status, 65)
    assert.match(lost.stderr, /no\/file\.json cannot be written: ENOENT/)
    const odd = await stele(['openapi', '--app', sampleFolder, '--version', '2'], { env })
    assert.notEqual(odd.status, 0)
    assert.match(odd.stderr, /3\.1, 3\.2/)
  })

  it('gives what the server gives', async () => {
    const app = await bootSample({ env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } })
    onTestFinished(() => app.close())
    const { inject } = await import('light-my-request')
    const served = await inject(app.koa.callback() as never, { method: 'GET', url: '/openapi.json' })
    const { env } = nowhere()
    const { stdout } = await stele(['openapi', '--app', sampleFolder], { env })
    assert.equal(stdout.trim(), served.payload)
  })
})
