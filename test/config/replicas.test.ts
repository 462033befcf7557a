import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { exporting, load } from './app.js'

const primary = { client: 'mysql', host: 'a', port: 1, database: 'd', user: 'u', password: 'p' }
const file = (value: unknown) => ({ files: { 'config/database.js': exporting(value) } })
const replicas = async (said: unknown, shape: (value: object) => object = value => ({ ...primary, ...value })) =>
  (await load(file(shape({ replicas: said })))).database.replicas

describe('config/database: replicas', () => {
  const own = { host: 'b', port: 1, database: 'd', user: 'u', password: 'p', ssl: false }

  it('are written as far as they differ from the database', async () => {
    assert.deepEqual(await replicas([{ host: 'b' }, { port: '2', username: 'reader', name: 'e' }]), [
      own,
      { ...own, host: 'a', port: 2, user: 'reader', database: 'e' },
    ])
  })

  it('stand beside the connection in the older shape', async () => {
    const { client, ...connection } = primary
    assert.deepEqual(await replicas([{ host: 'b' }], value => ({ connection: { client, connection }, ...value })), [
      own,
    ])
  })

  it('cannot be had of a file', () =>
    assert.rejects(load(file({ client: 'sqlite', filename: 'x.db', replicas: [{ host: 'b' }] })), {
      message:
        'config/database: replicas are copies on other servers, and sqlite is a file; mysql and postgres can have some',
    }))

  it('are not the database itself', () =>
    assert.rejects(replicas([{ host: 'b' }, { user: 'reader' }]), {
      message: 'config/database: replicas[1] is the database itself; expected another host, or another port',
    }))

  it('have no settings of other names', () => assert.rejects(replicas([{ hots: 'b' }]), /replicas\.0\.hots.*host\?/))

  it('are not so near that no one could tell', () =>
    assert.rejects(load(file({ ...primary, maxLag: 50 })), /maxLag is 50; expected a number of milliseconds from 100/))
})
