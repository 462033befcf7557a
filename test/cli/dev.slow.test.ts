import { strict as assert } from 'node:assert'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { readableLine } from '../../core/kit/readable-log.js'
import { stele } from '../support/command.js'
import { freePort } from '../support/free-port.js'
import { ask, folderOf, Server } from '../support/terminal.js'

const book = (attributes: object) =>
  JSON.stringify({ info: { singularName: 'book', pluralName: 'books', displayName: 'Book' }, attributes })

const files = {
  'content-types/book.json': book({ title: { type: 'string' } }),
  'config/api.js': 'export default { rest: { public: true } }',
  'package.json': '{ "type": "module" }',
}

async function developed(more: Readonly<Record<string, string>> = {}) {
  const folder = folderOf({ ...files, ...more })
  const port = await freePort()
  const server = new Server(folder, { PORT: String(port) }, [], 'dev')
  const change = (name: string, text: string) => writeFileSync(join(folder, name), text)
  return { folder, server, change, url: `http://127.0.0.1:${port}` }
}

describe('stele dev', () => {
  it('serves this machine alone, with a log for people, and starts again with what has changed', async () => {
    const { server, change, url } = await developed()
    await server.said(/\d\d:\d\d:\d\d info {2}listening on http:\/\/127\.0\.0\.1:\d+/)
    const made = await ask(`${url}/api/books`, { method: 'POST', data: { title: 'One' } })
    assert.equal(made.status, 200)
    assert.equal((await ask(`${url}/api/books?fields=pages`)).status, 400)

    change('content-types/book.json', book({ title: { type: 'string' }, pages: { type: 'integer' } }))
    await server.said(/content-types\/book\.json has changed, starting again/)
    await server.said(/listening on/, 2)
    const { body } = await ask(`${url}/api/books?fields[0]=title&fields[1]=pages`)
    assert.deepEqual(body.data[0].attributes, { title: 'One', pages: null })

    change('config/api.js', 'export default { rest: { public: true, defaultLimit: 1 } }')
    await server.said(/listening on/, 3)
    assert.equal((await ask(`${url}/api/books`)).body.meta.pagination.pageSize, 1)

    change('package.json', '{ "type": "module", "name": "another" }')
    await server.said(/listening on/, 4)
    assert.equal((await ask(`${url}/api/books`)).status, 200)
    assert.equal(await server.stop('SIGINT'), 0)
  })

  it('says what keeps the server from starting, and waits for the next change', async () => {
    const { folder, server, change } = await developed()
    await server.said(/listening on/)
    change('content-types/book.json', '{ "info": ')
    await server.said(/has changed/)
    while (!/It starts again when a file changes/.test(server.errors))
      await new Promise<void>(done => server.child.stderr?.once('data', () => done()))
    assert.match(server.errors, /content-types\/book\.json/)

    mkdirSync(join(folder, 'plugins'))
    change('plugins/own.js', 'export const own = { name: "own" }')
    change('content-types/book.json', book({}))
    await server.said(/listening on/, 2)
    assert.equal(await server.stop(), 0)
  })

  it('follows a folder that is made later, or deleted and made again', async () => {
    const { folder, server, change } = await developed()
    await server.said(/listening on/)
    rmSync(join(folder, 'config'), { recursive: true })
    await server.said(/listening on/, 2)
    mkdirSync(join(folder, 'config'))
    change('config/api.js', 'export default { rest: { prefix: "/v2" } }')
    await server.said(/listening on/, 3)
    assert.equal(await server.stop(), 0)
  })

  it('starts again after every save, those that replace the file included, and once the file is right again', async () => {
    const { folder, server, change } = await developed()
    const replace = (name: string, text: string) => {
      change(`${name}.new`, text)
      renameSync(join(folder, `${name}.new`), join(folder, name))
    }
    const file = 'content-types/book.json'
    await server.said(/listening on/)
    replace(file, book({ title: { type: 'text' } }))
    await server.said(/listening on/, 2)
    replace(file, '{ "info": ')
    while (!/It starts again when a file changes/.test(server.errors))
      await new Promise<void>(done => server.child.stderr?.once('data', () => done()))
    change(file, book({ title: { type: 'text' }, pages: { type: 'integer' } }))
    await server.said(/listening on/, 3)
    assert.deepEqual(
      [...server.output.matchAll(/^(.*) changed, starting again$/gm)].map(([, what]) => what),
      [`${file} has`, `${file} has`, `${file} has`],
    )
    assert.equal(await server.stop(), 0)
  })

  it('shows what plugins tell the person in front of it at every start, and the log has nothing of it', async () => {
    const { server, change } = await developed({
      'config/plugins.js': "export default { teller: { enabled: true, resolve: './plugins/teller.js' } }",
      'plugins/teller.js':
        "export const teller = { name: 'teller', register: () => ({ tell: async () => ['for your eyes only'] }) }",
    })
    const told = async (times: number) => {
      while (server.errors.split('\n  for your eyes only\n').length <= times)
        await new Promise<void>(done => server.child.stderr?.once('data', () => done()))
    }
    await told(1)
    assert.match(server.errors, /is served \(development\)/)
    change('content-types/book.json', book({ title: { type: 'text' } }))
    await told(2)
    assert.equal(server.errors.match(/is served/g)?.length, 1)
    assert.doesNotMatch(server.output, /for your eyes only/)
    assert.equal(await server.stop(), 0)
  })

  it('is not for production', async () => {
    const { status, stderr } = await stele(['dev', '--app', folderOf(files)], { env: { NODE_ENV: 'production' } })
    assert.equal(status, 64)
    assert.equal(
      stderr,
      'stele dev is for development and NODE_ENV is production; use stele start, or unset NODE_ENV\n',
    )
  })

  it('names a folder that does not exist', async () => {
    const { status, stderr } = await stele(['dev', '--app', '/nowhere'])
    assert.equal(status, 64)
    assert.match(stderr, /^There is no app folder \/nowhere: --app names it/)
  })
})

describe('a line of the log for people', () => {
  const line = (fields: object) => readableLine(JSON.stringify(fields), false)
  const time = '2026-01-02T03:04:05.678Z'

  it('has the time, the level, what happened, and the rest by name', () =>
    assert.equal(
      line({ level: 'info', time, pid: 1, worker: 1, path: '/api', list: ['a b'], msg: 'done' }),
      '03:04:05 info  done path=/api list=["a b"]',
    ))
  it('shows the stack of an error below it', () =>
    assert.equal(
      line({ level: 'error', time, err: { stack: 'Error: x\n    at y' }, msg: 'failed' }),
      '03:04:05 error failed\n    Error: x\n        at y',
    ))
  it('leaves alone what is no line of the log', () => {
    for (const text of ['hello', '{ not json', '']) assert.equal(readableLine(text, false), text)
  })
  it('has colors at a terminal', () =>
    assert.ok(readableLine(JSON.stringify({ level: 'warn', time, msg: 'x' }), true).includes('\u001b[33mwarn')))
})
