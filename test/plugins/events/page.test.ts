import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { events } from '../../../plugins/events/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { Receiver } from './receiver.js'
import { Stream } from './stream.js'

/** The examples of the page of the plugin, with a receiver of the test in place of the one that the page has. */
const page = readFileSync(new URL('../../../plugins/events/README.md', import.meta.url), 'utf8')
const address = 'https://ci.example.com/hooks/content'
const examples = page.split('```console\n').flatMap((part, index) => (index === 0 ? [] : [part.split('```')[0] ?? '']))

/** The output printed below a command. */
function printed(command: string): string {
  const [, rest = ''] = examples.join('').split(`$ ${command}\n`)
  return rest.split('$ ')[0] ?? ''
}
const words = (text: string) => text.trim().split(/\s+/)

let receiver: Receiver
let app: TestApp
beforeAll(async () => {
  receiver = await Receiver.start()
  const [, code = ''] = /\/\/ config\/webhooks\.js\n([\s\S]*?)```/.exec(page) ?? []
  const source = `data:text/javascript,${encodeURIComponent(code.replace(address, receiver.url))}`
  const env = (name: string) => (name === 'BUILD_SECRET' ? `whsec_${Buffer.alloc(32, 1).toString('base64')}` : 'token')
  app = await createTestApp({
    types: { article: { attributes: { title: { type: 'string' } } }, author: { attributes: {} } },
    plugins: [[events, { privateAddresses: true }], upload],
    config: { webhooks: (await import(source)).default({ env }), server: { host: '127.0.0.1', port: 0 } },
  })
})
afterAll(async () => {
  await app?.close()
  await receiver?.stop()
})

async function run(name: string, args: string[], options = {}): Promise<string> {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const table = (rows: readonly Readonly<Record<string, unknown>>[]) => {
    for (const row of rows.slice(0, 1)) lines.push(Object.keys(row).join(' '))
    for (const row of rows) lines.push(Object.values(row).join(' '))
  }
  const command = app.commands.find(one => one.name === name)
  await command?.run({ args, options, json: false, interactive: false, print, table })
  return lines.join('\n').replaceAll(receiver.url, address)
}

it('declares a webhook that is listed, tested and replayed as printed', async () => {
  receiver.answer = (_, response) => response.end('queued')
  assert.deepEqual(words(await run('webhook list', [])), words(printed('stele webhook list')))
  const withoutTime = (text: string) => text.trim().replace(/\d+ ms/, 'ms')
  assert.equal(withoutTime(await run('webhook test', ['build'])), withoutTime(printed('stele webhook test build')))
  const failed = await run('webhook deliveries', ['build'], { state: 'failed', limit: '50' })
  assert.equal(failed, printed('stele webhook deliveries build --state failed').trim())
  assert.equal(await run('webhook replay', ['build']), printed('stele webhook replay build').trim())
})

it('shows what the live feed sends', async () => {
  const [, path, shown = ''] = /curl -N 'http:\/\/localhost:1337(\S+)'.*\n([\s\S]*)/.exec(examples.join('\n')) ?? []
  await app.entries('api::article.article').create({ title: 'Bread' })
  const { port } = await app.listen()
  const stream = await Stream.open(`http://127.0.0.1:${port}${path}`)
  await app.entries('api::article.article').update(1, { title: 'Rye' })
  const [message] = await stream.take(1)
  assert.deepEqual(message?.data, JSON.parse(/^data: (.*)$/m.exec(shown)?.[1] ?? ''))
  stream.close()
})
