import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { bareAnswers } from './bare-answers.js'
import { onlyMine } from './only-mine.js'
import { slowRequests } from './slow-requests.js'
import { tidy } from './tidy.js'

const note = { attributes: { text: { type: 'string' }, owner: { type: 'integer' } } }

/** Trusts the name in the request: enough to tell two callers apart. */
const believing = definePlugin({
  name: 'believing',
  authenticate: ({ headers }) =>
    headers['x-user'] ? { scope: 'user', id: Number(headers['x-user']), can: () => true } : undefined,
})

describe('only-mine, a parameter that changes what is found', () => {
  const asked = async (query: string, user: string) => {
    const app = await createTestApp({ types: { note }, plugins: [believing, onlyMine] })
    const notes = app.entries('api::note.note')
    for (const [text, owner] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ] as const)
      await notes.create({ text, owner })
    const answer = (await app.inject({ url: `/api/notes?${query}`, headers: { 'x-user': user } })).json()
    await app.close()
    return answer
  }
  const texts = (answer: { data: { attributes: { text: string } }[] }) =>
    answer.data.map(({ attributes }) => attributes.text)

  it('finds the entries of the caller, and counts only those', async () => {
    const answer = await asked('mine=true', '1')
    assert.deepEqual(texts(answer), ['a', 'c'])
    assert.equal(answer.meta.pagination.total, 2)
    assert.deepEqual(texts(await asked('mine=true', '2')), ['b'])
  })

  it('changes nothing unless it is asked for', async () => {
    assert.deepEqual(texts(await asked('', '1')), ['a', 'b', 'c'])
    assert.deepEqual(texts(await asked('mine=false', '1')), ['a', 'b', 'c'])
  })

  it('refuses a value that is neither true nor false', async () => {
    assert.match((await asked('mine=maybe', '1')).error.message, /^mine: "maybe" is neither true nor false/)
  })

  it('does not exist where it does not apply, or is off', async () => {
    const app = await createTestApp({ types: { note, tag: { attributes: {} } }, plugins: [onlyMine] })
    assert.equal((await app.inject('/api/notes?mine=true')).statusCode, 200)
    assert.equal((await app.inject('/api/tags?mine=true')).statusCode, 400)
    await app.close()
    const off = await createTestApp({ types: { note } })
    assert.match((await off.inject('/api/notes?mine=true')).json().error.message, /mine: is not a parameter/)
    await off.close()
  })
})

describe('bare-answers, a response format', () => {
  const bare = { ...note, options: { format: 'bare' } }
  const types = { note, memo: bare }

  it('answers the types that choose it without envelopes, and the others as ever', async () => {
    const app = await createTestApp({ types, plugins: [bareAnswers] })
    await app.entries('api::memo.memo').create({ text: 'a' })
    const list = (await app.inject('/api/memos?fields[0]=text')).json()
    assert.deepEqual(list, { items: [{ id: 1, text: 'a' }], total: 1 })
    assert.deepEqual((await app.inject('/api/memos/1?fields[0]=text')).json(), { id: 1, text: 'a' })
    assert.deepEqual((await app.inject('/api/notes')).json().data, [])
    await app.close()
  })

  it('shapes errors too, of every route where it is the format of all', async () => {
    const app = await createTestApp({
      types: { note },
      plugins: [bareAnswers],
      config: { api: { rest: { format: 'bare' } } },
    })
    assert.deepEqual((await app.inject('/api/notes/9')).json(), { status: 404, message: 'Not Found' })
    assert.deepEqual((await app.inject('/api/nosuch')).json(), { status: 404, message: 'Not Found' })
    await app.close()
  })

  it('shapes the errors of the types that choose it', async () => {
    const app = await createTestApp({ types, plugins: [bareAnswers] })
    assert.deepEqual((await app.inject('/api/memos/9')).json(), { status: 404, message: 'Not Found' })
    assert.equal((await app.inject('/api/notes/9')).json().error.name, 'NotFoundError')
    await app.close()
  })
})

it('each is a plugin of less than 20 lines', () => {
  for (const name of ['only-mine', 'bare-answers'])
    assert.ok(
      readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8')
        .trimEnd()
        .split('\n').length < 20,
    )
})

describe('tidy, a job that deletes what is old', () => {
  it('deletes what is older than the setting says, and nothing else', async () => {
    const app = await createTestApp({ types: { note }, plugins: [[tidy, { days: 7 }]] })
    const notes = app.entries('api::note.note')
    for (let count = 0; count < 120; count += 1) await notes.create({ text: 'old' })
    const eightDaysAgo = app.store.encode('datetime', Date.now() - 8 * 86_400_000)
    await app.store.transaction(async session => session.run('update notes set created_at = ?', [eightDaysAgo]))
    await notes.create({ text: 'new' })
    await app.runJob('tidy/old-notes')
    assert.deepEqual(
      (await notes.find()).map(({ text }) => text),
      ['new'],
    )
    await app.close()
  })
})

describe('slow-requests, which looks on', () => {
  it('logs what takes longer than the setting says, with what it cost', async () => {
    for (const [ms, logged] of [
      [0, [['/api/notes', 200, 2, 0]]],
      [60_000, []],
    ] as const) {
      const lines: { route: string; status: number; statements: number; queue: { length: number } }[] = []
      const log = createLog('warn', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
      const app = await createTestApp({ types: { note }, plugins: [[slowRequests, { ms }]], log })
      await app.inject('/api/notes')
      await app.close()
      assert.deepEqual(
        lines.map(({ route, status, statements, queue }) => [route, status, statements, queue.length]),
        logged,
      )
    }
  })
})
