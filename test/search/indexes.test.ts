import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { assertCached } from '../support/cached.js'
import type { DatabaseSettings, Engine } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { startOn } from '../support/server.js'
import { q, sorted } from './support.js'

const attributes = { title: { type: 'string' }, body: { type: 'text' }, rating: { type: 'integer' } }
const noteWith = (more: object) => ({ types: { note: { attributes, ...more } } })

async function databaseOf(engine: Engine): Promise<DatabaseSettings> {
  const { database, drop } = await engine.fresh()
  onTestFinished(drop)
  return database
}

/** The entries that an app with this type finds. */
async function foundBy(database: DatabaseSettings, more: object, texts: readonly string[]): Promise<string[]> {
  const server = await startOn(database, noteWith(more))
  try {
    const found: string[] = []
    for (const text of texts) found.push(sorted((await server.get(`/notes${q(text)}`)).body))
    return found
  } finally {
    await server.app.close()
  }
}

const tablesIn = async (database: DatabaseSettings): Promise<string[]> => {
  const lists = {
    sqlite: "select name from sqlite_master where type in ('table', 'trigger') and name like 'stele_search%'",
    mysql:
      "select table_name as name from information_schema.tables where table_schema = database() and table_name like 'stele_search%' union select trigger_name from information_schema.triggers where trigger_schema = database()",
    postgres:
      "select relname as name from pg_class where relname like 'stele_search%' union select tgname from pg_trigger where tgname like 'stele_search%'",
  }
  return (await run(database, lists[database.client])).map(({ name }) => String(name))
}

onEveryEngine('indexes of words', engine => {
  it('are built of what is there, again when the option changes, and dropped with it', async () => {
    const database = await databaseOf(engine)
    const plain = await startOn(database, noteWith({}))
    await plain.make('/notes', { title: 'Sour bread', body: 'waits' })
    await plain.make('/notes', { title: 'Rye', body: 'bread' })
    assert.equal(sorted((await plain.get(`/notes${q('brea')}`)).body), '1,2')
    await plain.app.close()
    assert.deepEqual(await tablesIn(database), [])

    assert.deepEqual(await foundBy(database, { search: ['title'] }, ['bread', 'brea', 'rye']), ['1', '', '2'])
    assert.deepEqual(await foundBy(database, { search: ['title^2', 'body'] }, ['bread', 'waits']), ['1,2', '1'])
    assert.deepEqual(await foundBy(database, { search: ['body'] }, ['bread', 'rye']), ['2', ''])
    assert.ok((await tablesIn(database)).length > 3)
    assert.deepEqual(await foundBy(database, {}, ['brea']), ['1,2'])
    assert.deepEqual(await tablesIn(database), [])
    assert.equal((await run(database, 'select id from notes')).length, 2)
  })

  it('are built once by servers that start at the same time, and are there for all of them', async () => {
    const database = await databaseOf(engine)
    const plain = await startOn(database, noteWith({}))
    for (const title of ['Sour bread', 'Rye bread']) await plain.make('/notes', { title })
    await plain.app.close()
    const starting = [1, 2, 3].map(() => startOn(database, noteWith({ search: ['title'] })))
    for (const server of await Promise.all(starting)) {
      onTestFinished(() => server.app.close())
      const { status, body, text } = await server.get(`/notes${q('bread')}&sort=_rank`)
      assert.equal(status, 200, text)
      assert.equal(sorted(body), '1,2')
    }
  })

  it('are built again where a trigger is gone', async () => {
    const database = await databaseOf(engine)
    const search = { search: ['title', 'body'] }
    const server = await startOn(database, noteWith(search))
    await server.make('/notes', { title: 'Sour bread' })
    await server.app.close()
    const onTable = engine.name === 'postgres' ? ' on notes' : ''
    await run(database, `drop trigger stele_search_notes_words_update${onTable}`)
    await run(database, "update notes set title = 'Rye'")
    assert.deepEqual(await foundBy(database, search, ['bread', 'rye']), ['', '1'])
  })

  it('leave other tables their cached responses, and take none themselves', async () => {
    const database = await databaseOf(engine)
    const types = { note: { attributes, search: ['title'] }, shelf: { attributes: { name: { type: 'string' } } } }
    const server = await startOn(database, { types })
    onTestFinished(() => server.app.close())
    await server.make('/notes', { title: 'Sour bread' })
    await server.make('/shelfs', { name: 'low' })
    const count = async (path: string) => (await server.get(path)).statements.length
    const search = `/notes${q('bread')}`
    for (const path of [search, '/shelfs']) for (const _ of [1, 2, 3]) await count(path)
    for (const path of [search, '/shelfs']) assertCached(engine, (await count(path)) === 0, path)
    await server.make('/notes', { title: 'More bread' })
    assertCached(engine, (await count('/shelfs')) === 0)
    assert.equal(sorted((await server.get(search)).body), '1,2')
    await server.put('/notes/1', { title: 'Rye' })
    assert.equal(sorted((await server.get(search)).body), '2')
    await server.delete('/notes/2')
    assert.equal(sorted((await server.get(search)).body), '')
  })

  it('get into the way neither of each other nor of what an engine makes for them', async () => {
    const database = await databaseOf(engine)
    const types = Object.fromEntries(
      ['note', 'note-content', 'note-config', 'note-words'].map(name => [
        name,
        { collectionName: name.replace('-', '_'), attributes: { title: { type: 'string' } }, search: ['title'] },
      ]),
    )
    const long = 'a_table_with_a_name_that_is_as_long_as_engines_take'
    const server = await startOn(database, {
      types: { ...types, long: { collectionName: long, attributes: { title: { type: 'string' } }, search: ['title'] } },
    })
    onTestFinished(() => server.app.close())
    for (const name of [...Object.keys(types), 'long']) {
      const { body } = await server.post(`/${name}s`, { title: `in ${name}` })
      const found = await server.get(`/${name}s${q('in')}&sort=_rank`)
      assert.equal(sorted(found.body), String(body.data.id), found.text)
    }
  })

  it('hold long texts, and words of one letter', async () => {
    const database = await databaseOf(engine)
    const server = await startOn(database, noteWith({ search: ['title', 'body'] }))
    onTestFinished(() => server.app.close())
    const words = Array.from({ length: 8000 }, (_, index) => `w${index.toString(36)}`)
    const id = await server.make('/notes', { title: 'a', body: `${words.join(', ')} ünd` })
    for (const text of ['a', 'w1', `"w1 w2"`, words[7900] as string]) {
      const found = async () => sorted((await server.get(`/notes${q(text)}`)).body)
      let ids = await found()
      // InnoDB misses words for some milliseconds while it moves many of them from memory into the index.
      while (engine.name === 'mysql' && ids === '') ids = await found()
      assert.equal(ids, String(id), text)
    }
  })
})

describe('the option search', () => {
  const refuses = async (schema: object, message: RegExp) =>
    assert.rejects(createTestApp({ types: { note: { attributes, ...schema } } }), message)

  it('takes texts that every reader may see, each once and with a weight', async () => {
    await refuses({ search: ['titel'] }, /search names "titel", which is not an attribute .* did you mean "title"\?/)
    await refuses({ search: ['rating'] }, /search names "rating", which has the type integer; only texts have words/)
    await refuses(
      { search: ['title^11'] },
      /search\[0\] is "title\^11"; expected the name of an attribute, alone or with a weight from 1 to 10/,
    )
    await refuses({ search: [] }, /search is an empty list; expected a non-empty list/)
    await refuses({ search: 'title' }, /search is "title"; expected a non-empty list/)
    await refuses({ search: ['title', 'title^2'] }, /search names "title" twice/)
    await refuses({ serch: ['title'] }, /"serch" is not an option; did you mean "search"\?/)
    await refuses({ kind: 'singleType', search: ['title'] }, /search is for collection types/)
    const secret = { attributes: { ...attributes, note: { type: 'string', private: true }, pin: { type: 'password' } } }
    await refuses({ ...secret, search: ['note'] }, /search names "note", which is private/)
    await refuses({ ...secret, search: ['pin'] }, /search names "pin", which/)
    const left = { attributes: { ...attributes, shelf: { type: 'string', searchable: false } } }
    await refuses({ ...left, search: ['shelf'] }, /search names "shelf", which has "searchable": false/)
    const many = Object.fromEntries([1, 2, 3, 4, 5].map(weight => [`t${weight}`, { type: 'string' }]))
    await refuses(
      { attributes: many, search: [1, 2, 3, 4, 5].map(weight => `t${weight}^${weight}`) },
      /search has more than 4 different weights/,
    )
  })
})
