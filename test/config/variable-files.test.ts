import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { load } from './app.js'

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-variable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

describe('a variable whose text is in a file', () => {
  it('is read by settings and by config files, without the line break at its end', async () => {
    const files = { 'config/server.js': "module.exports = ({ env }) => ({ port: env.int('WEB_PORT') })" }
    const env = {
      DATABASE_NAME_FILE: fileOf('content\n'),
      DATABASE_CLIENT: 'postgres',
      WEB_PORT_FILE: fileOf('4242\r\n'),
    }
    const { database, server } = await load({ files, env })
    assert.deepEqual([database.database, server.port], ['content', 4242])
  })

  it('may end in spaces and line breaks, of which the last one is not part of it', async () => {
    const { database } = await load({
      env: { DATABASE_CLIENT: 'postgres', DATABASE_NAME: 'content', DATABASE_PASSWORD_FILE: fileOf('a \n\n') },
    })
    assert.equal(database.password, 'a \n')
  })

  it('counts where the variable itself is empty', async () => {
    const env = { DATABASE_CLIENT: 'postgres', DATABASE_NAME: '', DATABASE_NAME_FILE: fileOf('content') }
    assert.equal((await load({ env })).database.database, 'content')
  })

  it('must not be set as well', async () => {
    await assert.rejects(load({ env: { PORT: '1', PORT_FILE: fileOf('2') } }), {
      name: 'BootError',
      message: 'The environment variables PORT and PORT_FILE are both set; remove one of them',
    })
  })

  it('names what is wrong, and a secret is not in the message', async () => {
    await assert.rejects(load({ env: { PORT_FILE: '/nowhere/port' } }), {
      name: 'BootError',
      message: /^The environment variable PORT_FILE names a file that cannot be read: ENOENT/,
    })
    await assert.rejects(load({ env: { DATABASE_URL_FILE: fileOf('what:hidden') } }), error => {
      assert.doesNotMatch(String((error as Error).message), /hidden/)
      return true
    })
  })

  it('is not asked for by names that nothing reads', async () => {
    await load({ env: { SSL_CERT_FILE: '/nowhere/cert.pem' } })
  })
})
