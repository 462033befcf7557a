import assert from 'node:assert/strict'
import { it } from 'vitest'
import { credentials } from '../../strapi4/fixture.js'
import { Dice } from '../explorer/random.js'
import { HourServer } from './hour/hour-server.js'
import { Editor } from './project.js'

const rounds = 10
const listsAtOnce = 8
const listsOfRound = 2400
const fields = ['title', 'slug', 'summary', 'rating', 'views', 'bigviews', 'score', 'featured', 'starts_at']
const targets = ['author', 'tags', 'category', 'blocks', 'seo', 'cover', 'localizations']

/** Lists of articles, each of a shape that hardly another one has, and with a value of its own. */
class Lists {
  readonly #dice: Dice
  #made = 0

  constructor(dice: Dice) {
    this.#dice = dice
  }

  next(): string {
    const dice = this.#dice
    this.#made += 1
    return [
      ...dice.some(fields, 0.4).map((name, at) => `fields[${at}]=${name}`),
      ...dice.some(targets, 0.25).map((name, at) => `populate[${at}]=${name}`),
      `sort=${dice.one(fields)}:${dice.one(['asc', 'desc'])}`,
      `filters[${dice.one(['title', 'summary'])}][${dice.one(['$contains', '$ne', '$startsWith'])}]=x${this.#made}`,
      ...dice.some(fields, 0.15).map(name => `filters[$or][${dice.below(3)}][${name}][$notNull]=true`),
      `pagination[page]=1&pagination[pageSize]=${dice.one([5, 10, 25])}`,
    ].join('&')
  }
}

it('the heap of a server ends: ever new lists, saves, sign-ins, and roles', { timeout: 3_600_000 }, async () => {
  const server = await HourServer.start()
  const dice = new Dice(5)
  const lists = new Lists(dice)
  const ada = await Editor.signIn(server.sender, 'ada')
  const edda = await Editor.signIn(server.sender, 'edda')
  const token = { authorization: `Bearer ${credentials.apiTokens.full}` }
  const cookie = { cookie: edda.cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

  /** What is asked for twice is cached. */
  const readTwice = async (headers: Readonly<Record<string, string>>, base: string) => {
    const url = `${server.origin}${base}/api/articles?${lists.next()}`
    for (let time = 0; time < 2; time += 1) {
      const response = await fetch(url, { headers })
      const text = await response.text()
      // A server that is full says so.
      assert.ok(response.status === 200 || response.status === 503, `${url}: ${text}`)
    }
  }
  const readLists = async () => {
    for (let at = 0; at < listsOfRound / listsAtOnce; at += 1)
      await (dice.chance(0.3) ? readTwice(cookie, '/console') : readTwice(token, ''))
  }
  const done = async (method: string, path: string, body?: unknown) => {
    const { status, text, body: found } = await ada.ask(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
    return found
  }
  const save = async (title: string) => {
    const [{ id }] = (await done('GET', '/console/api/articles?sort=updatedAt:asc&pagination[limit]=1')).data
    await done('PUT', `/console/api/articles/${id}`, { data: { title } })
  }
  /** A role with rights of its own is made and deleted, and the rights of all are read again. */
  const changeRoles = async (name: string) => {
    const { id } = await done('POST', '/console/roles', { name })
    const { stamp } = await done('GET', `/console/roles/${id}`)
    const permissions = dice.some(['read', 'create', 'update', 'delete'], 0.6).map(right => ({
      ...{ action: `plugin::content-manager.explorer.${right}`, subject: 'api::article.article' },
      grant: { locales: dice.one([['en'], ['en', 'de']]), where: dice.one([[], ['own']]) },
    }))
    await done('PUT', `/console/roles/${id}`, { stamp, permissions })
    await done('DELETE', `/console/roles/${id}`)
    await edda.get('/console/meta.json')
    await edda.get('/console/api/articles?populate=*')
    await Editor.signIn(server.sender, 'edda')
  }

  const heaps: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: listsAtOnce }, readLists))
    for (let at = 0; at < 40; at += 1) await save(`Round ${round}, ${at}`)
    for (let at = 0; at < 10; at += 1) await changeRoles(`Role ${round}, ${at}`)
    heaps.push(await server.heap())
    server.look()
    assert.deepEqual(server.faults, [])
  }
  console.info(`heap after each round, in MB: ${heaps.map(one => one.toFixed(1)).join(', ')}`)
  await server.stop()
  const [before = 0, ...after] = heaps.slice(-3)
  for (const heap of after) assert.ok(heap < before * 1.03, `it grows: ${heaps}`)
})
