import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import type { EngineName } from '../../support/engine-choice.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { differenceOf, operationRequest, recordedOperations, withGraphql } from './replay.js'

const operations = recordedOperations()

/** Operations that are answered otherwise on purpose. */
const different: Readonly<Record<number, string>> = {
  77: 'one entry has one locale: "all" is refused',
  156: 'a relation within a component is checked like any other',
  158: 'a relation within a component is checked like any other',
}
/** Operations that were recorded on SQLite, and whose order of nulls, or case of letters, is that of the engine. */
const ofEngine: Readonly<Record<EngineName, readonly number[]>> = {
  sqlite: [],
  mysql: [101, 102, 209, 210, 221, 222],
  postgres: [101, 102, 114, 121, 122, 148, 149, 169, 170, 176, 203, 210, 214, 217],
}

const groups = [...new Set(operations.map(({ group }) => group.replace(/:.*/, '')))]

onEveryEngine('operations that Strapi 4 has answered', engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine, withGraphql)
    project = await openProject(pristine.project, pristine.variables)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
    console.info(`${engine.name}: ${agreed} of ${operations.length} recorded operations agree`)
  })

  let agreed = 0
  for (const group of groups)
    it(group, async () => {
      const wrong: string[] = []
      for (const recorded of operations.filter(one => one.group.replace(/:.*/, '') === group)) {
        const { statusCode, payload } = await project.send(operationRequest(recorded))
        const differs = differenceOf(recorded, statusCode, payload)
        if (differs === undefined) agreed += 1
        const isListed = recorded.id in different || ofEngine[engine.name].includes(recorded.id)
        if ((differs !== undefined) !== isListed)
          wrong.push(`${recorded.id} ${recorded.group} ${recorded.auth} ${recorded.query ?? ''}\n  ${differs}`)
      }
      assert.deepEqual(wrong, [])
    }, 120_000)
})
