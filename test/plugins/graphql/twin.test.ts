import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { onSqlite } from '../../support/engines.js'
import { recordedOperations, withGraphql } from './replay.js'
import { Twin } from './twin.js'
import { disagreement } from './twin-agreement.js'
import { askingOf } from './twin-rows.js'

/** Roots that the twin has no rows of, and questions that it does not know. */
const unknown =
  /\b(me|uploadFolders?|usersPermissions\w+|i18NLocales?|related\s*\{\s*(__typename|\.\.\.))\b|__schema|__type\b/

/** Operations that are refused on purpose, where the twin has an answer. */
const refused = new Map([
  [77, 'one entry has one locale: "all" is refused'],
  [100, 'operators within a field take no lists of values'],
])

onSqlite('recorded operations', engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    withGraphql(pristine.project)
    project = await openProject(pristine.project, pristine.variables)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
  })

  it('are answered as field by field', async () => {
    const twin = await Twin.of(askingOf(project))
    const wrong: string[] = []
    let count = 0
    for (const { id, query, body, auth, variables, operationName } of recordedOperations()) {
      if (query === undefined || !body?.data || unknown.test(query) || refused.has(id)) continue
      const asked = { auth, query, ...(variables && { variables }), ...(operationName && { operationName }) }
      const differs = await disagreement(project, twin, asked)
      if (differs !== null) count += 1
      if (differs) wrong.push(`${id} ${differs}`)
    }
    console.info(`${engine.name}: ${count} recorded operations agree with the twin`)
    assert.deepEqual(wrong, [])
  })
})
