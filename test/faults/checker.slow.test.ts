import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { runUnchecked } from '../support/run.js'
import { uploadsOf } from './support/app.js'
import { type Damage, damageOf } from './support/check.js'
import { Course } from './support/course.js'
import { groundIn, onEveryEngineInFull } from './support/ground.js'

/** Statements that damage a stored entry, and the finding of each. */
const broken: readonly (readonly [what: string, sql: string, kind: keyof Damage, says: RegExp])[] = [
  [
    'an update',
    "update articles set title = 'plain-1 v99' where title like 'plain%'",
    'lost',
    /v99, and was acknowledged as|nobody ever wrote/,
  ],
  ['a publication', 'update articles set published_at = null', 'lost', /, published$/],
  ['a component', 'delete from parts_quotes', 'half', /there is no parts\.quote/],
  ['the link of a component', 'delete from articles_components', 'half', /belongs to no entry/],
  ['a nested component', 'delete from parts_socials', 'half', /there is no parts\.social/],
  ['a link', 'delete from articles_tags_links', 'half', /^\w+-\d+ v\d+ holds/],
  ['the link of a file', 'delete from files_related_morphs', 'half', /the covers of covered-\d+/],
  ['the other end of a link', "delete from tags where name = 'red'", 'half', /there is no row \d+ of tags/],
  ['an entry', "delete from articles where title like 'plain%'", 'lost', /^plain-\d+ is absent, and was acknowledged/],
  ['a file', 'delete from files', 'half', /lies in storage for nobody/],
]

onEveryEngineInFull('the look at what is stored', engine => {
  it('finds everything that is missing', { timeout: 120_000 }, async () => {
    const course = await Course.at(await groundIn(engine))
    const { answers } = await course.underLoad(load => load.good(60))
    answers.assertCivil()
    const look = () => damageOf(course.ledger, course.ground.database, course.app, { settled: true })
    await course.lookSettled()
    assert.deepEqual([course.lost, course.half], [[], []])
    const folder = uploadsOf(course.app)
    const [file] = readdirSync(folder).filter(name => name.endsWith('.txt'))
    writeFileSync(join(folder, String(file)), 'half of it')
    assert.match((await look()).half.join('\n'), /has a row and not its content/)
    rmSync(join(folder, String(file)))
    assert.match((await look()).half.join('\n'), /has a row and not its content/)
    for (const [what, sql, kind, says] of broken) {
      await runUnchecked(course.ground.database, sql)
      const found = (await look())[kind]
      assert.ok(
        found.some(word => says.test(word)),
        `${what}: ${found.join('\n')}`,
      )
    }
  })
})
