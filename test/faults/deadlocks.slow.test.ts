import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryServer } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { Course } from './support/course.js'
import { groundIn } from './support/ground.js'
import { times } from './support/length.js'
import { Answers } from './support/load.js'

onEveryServer('writes that lock each other out', engine => {
  const rounds = times(6, 300)
  it('are run again by the server: both are answered with 200', { timeout: 60_000 + rounds * 2_000 }, async () => {
    const course = await Course.at(await groundIn(engine))
    const answers = new Answers()
    const send = async (method: string, path: string, data: unknown) => {
      const answer = await answers.ask(`${course.url}/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      })
      assert.equal(answer?.status, 200, JSON.stringify(answer?.body))
      return Number(answer.body.data.id)
    }
    const [first, second] = [await send('POST', 'authors', { name: 'a' }), await send('POST', 'authors', { name: 'b' })]
    const [left, right] = [
      await send('POST', 'articles', { title: 'l' }),
      await send('POST', 'articles', { title: 'r' }),
    ]
    const before = await deadlocksSeen(course)
    for (let round = 0; round < rounds; round += 1)
      // Each takes what the other one has, in the other order.
      await Promise.all([
        send('PUT', `authors/${first}`, { name: `a ${round}`, articles: [left, right] }),
        send('PUT', `authors/${second}`, { name: `b ${round}`, articles: [right, left] }),
        send('PUT', `articles/${left}`, { title: `l ${round}`, author: second }),
        send('PUT', `articles/${right}`, { title: `r ${round}`, author: first }),
      ])
    const deadlocks = (await deadlocksSeen(course)) - before
    const links = await run(course.ground.database, 'select * from articles_author_links')
    assert.equal(new Set(links.map(({ article_id }) => article_id)).size, 2)
    assert.equal(links.length, 2, 'an article has two authors')
    answers.assertCivil()
    console.log(
      `faults: ${rounds} x crossed writes on ${engine.name}: all answered 200, ${deadlocks} deadlocks, longest wait ${Math.round(answers.longest)} ms`,
    )
  })
})

/** The database's own count of deadlocks. */
async function deadlocksSeen({ ground: { database } }: Course): Promise<number> {
  const [row] =
    database.client === 'mysql'
      ? await run(database, "select count as n from information_schema.innodb_metrics where name = 'lock_deadlocks'")
      : await run(database, 'select deadlocks as n from pg_stat_database where datname = current_database()')
  return Number(row?.n)
}
