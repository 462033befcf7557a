import { strict as assert } from 'node:assert'
import { describe } from 'vitest'
import { engines } from '../../support/engines.js'
import { type Attacks, attacks, isFull, some } from './attacked.js'

const list = (count: number, of: (index: number) => string, between = '&'): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(between)

/** Articles: beside other tests, enough of them to be seen in any answer that looks at all. */
const many = isFull ? 20_000 : 8000

/** Queries within the limits that are expensive on large tables. */
const queries = [
  'sort=tags.articles.author.name',
  'sort=tags.articles.title,author.articles.title',
  `sort=body,title&pagination[start]=${many - 1000}&pagination[limit]=100`,
  `pagination[page]=${many / 100}&pagination[pageSize]=100&populate=*`,
  'pagination[pageSize]=100&populate=*',
  'pagination[pageSize]=100&populate=author.articles.tags',
  'pagination[pageSize]=100&populate=author.articles',
  'pagination[pageSize]=100&populate[author][populate][articles][sort]=title',
  'pagination[pageSize]=100&populate[tags][populate][articles][filters][body][$containsi]=%C3%A9',
  'pagination[pageSize]=100&populate=tags.articles.localizations',
  'pagination[pageSize]=100&populate[anything][populate]=*',
  'pagination[pageSize]=100&populate[blocks][populate]=*&populate[slides][populate]=*',
  'pagination[pageSize]=100&populate[cover][populate][related][populate]=*',
  'filters[tags][articles][tags][articles][tags][articles][tags][name][$containsi]=%C3%A9',
  'filters[$not][tags][articles][author][articles][title][$contains]=zz',
  list(16, index => `filters[$or][${index}][tags][articles][title][$containsi]=${index}%C3%A9`),
  list(25, index => `filters[$or][${index}][body][$containsi]=%C3%A9${index}`),
  list(280, index => `filters[$or][${index}][body][$containsi]=%C3%A9${index}`),
  list(25, index => `filters[$or][${index}][body][$endsWith]=${index}x`),
  list(50, index => `filters[$or][${index}][tags][name][$null]=true`),
  `filters[body][$containsi]=${'%25a'.repeat(2000)}`,
  `_q=${'a'.repeat(1000)}`,
  '_q=%C3%A9t%C3%A9',
  'fallback=fr,de&locale=fr&filters[localizations][title][$contains]=a&sort=localizations.title',
]

const tooMany = 'Too many slow requests are running, try again'

function suite({ attack }: Attacks): void {
  for (const query of some(queries, 3))
    attack(`a heavy query is answered or refused in time: ${query.slice(0, 70)}`, async server => {
      for (const who of ['visitor', 'fullToken'] as const) {
        const { status, body } = await server.get(who, `/api/articles?${query}`)
        if (status === 200) continue
        assert.equal(status, 400)
        assert.match(body.error.message, /raise (rest\.limits|statementTimeout)/)
      }
      // One client that asks for too many at once may be refused; others are not.
      const path = `/api/articles?${query}`
      const answers = await Promise.all(Array.from({ length: 6 }, () => server.sendUnseen('editor', 'GET', path)))
      for (const answer of answers)
        if (answer.status === 503) assert.equal(answer.body.error.message, tooMany)
        else server.look('editor', `GET ${path}`, answer)
    })
}

// A few of these take a database server to its own limit of time, ten seconds each.
for (const engine of engines.filter(({ name }) => isFull || name === 'sqlite'))
  (engine.available ? describe : describe.skip)(`heavy queries on ${engine.name}`, () =>
    suite(attacks(`heavy queries, ${engine.name}`, async () => ({ many, database: (await engine.fresh()).database }))),
  )
