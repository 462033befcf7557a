import assert from 'node:assert/strict'
import { buildClientSchema, buildSchema, getIntrospectionQuery, printSchema } from 'graphql'
import { afterAll, beforeAll, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { operationsFrom } from './generated-operations.js'
import { operationRequest, withGraphql } from './replay.js'
import { Twin } from './twin.js'
import { disagreement } from './twin-agreement.js'
import { flattened } from './twin-flat.js'
import { askingOf, samplesOf } from './twin-rows.js'

const count = 100

onEveryEngine('operations in the flat shape', engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine, folder => withGraphql(folder, 'flat'))
    project = await openProject(pristine.project, pristine.variables)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
  })

  async function printed(): Promise<string> {
    const query = getIntrospectionQuery()
    const { payload } = await project.send(operationRequest({ id: 0, group: '', status: 200, auth: 'none', query }))
    return printSchema(buildClientSchema(JSON.parse(payload).data))
  }

  it('are answered as field by field, on the schema as it is printed', async () => {
    const twin = await Twin.of(askingOf(project), { schema: buildSchema(await printed()), around: flattened })
    const wrong: string[] = []
    let agreed = 0
    for (const operation of operationsFrom(70_000, count, { schema: twin.schema, samples: samplesOf(twin.rows) })) {
      const differs = await disagreement(project, twin, operation)
      if (differs !== null) agreed += 1
      if (differs) wrong.push(`seed ${operation.seed} ${differs}`)
    }
    console.info(`${engine.name}: ${agreed} operations in the flat shape agree with the twin`)
    assert.equal(wrong.length, 0, wrong.slice(0, 10).join('\n'))
    assert.ok(agreed > count * 0.7, `${agreed} of ${count} were compared with the twin`)
  }, 600_000)
})
