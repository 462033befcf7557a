import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { difference, expectedOn } from './compare.js'
import { type Pristine, pristineOn } from './databases.js'
import { differentReads } from './exceptions.js'
import { type RecordedRead, recordedReads } from './fixture.js'
import { type OpenProject, openProject } from './project.js'
import { requestOf } from './requests.js'

const reads = recordedReads()
const groups = [...new Set(reads.map(({ group }) => group))]

onEveryEngine('a project of Strapi 4 answers as it was recorded', engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    project = await openProject(pristine.project, pristine.variables)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
    const listed = differentReads(engine.name).length
    console.info(`${engine.name}: ${agreed} of ${reads.length} recorded reads agree, ${listed} differ as listed`)
  })

  let agreed = 0
  const answer = async (read: RecordedRead) => {
    const reply = await project.send(requestOf(read))
    const found = expectedOn[engine.name](read).map(one => difference(one, reply))
    return found.includes(undefined) ? undefined : found[0]
  }

  for (const group of groups)
    it(
      group,
      async () => {
        const wrong: string[] = []
        for (const read of reads.filter(one => one.group === group)) {
          const differs = await answer(read)
          const isListed = differentReads(engine.name).includes(read.id)
          if (differs === undefined) agreed += 1
          // A listed read must differ: a list that says too much hides what happens later.
          if ((differs !== undefined) !== isListed)
            wrong.push(
              `${read.id} ${read.auth} ${decodeURI(read.path)}\n  ${differs ?? 'it agrees, and is listed as different'}`,
            )
        }
        assert.deepEqual(wrong, [])
      },
      timeLimit,
    )
})

/** Milliseconds: a machine may have other things to do. */
const timeLimit = 120_000
