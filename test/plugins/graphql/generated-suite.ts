import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { operationsFrom } from './generated-operations.js'
import { restDisagreement } from './generated-rest.js'
import { withGraphql } from './replay.js'
import { Twin } from './twin.js'
import { disagreement } from './twin-agreement.js'
import { askingOf, samplesOf } from './twin-rows.js'

/** Operations that are drawn: each is answered by the plugin, by the twin, and by REST where it can be asked. */
export function generatedSuite({ count, seed }: { readonly count: number; readonly seed: number }): void {
  onEveryEngine(`${count} operations that were drawn`, engine => {
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

    it('are answered as field by field, and as by REST', async () => {
      const twin = await Twin.of(askingOf(project))
      const parts = { schema: twin.schema, samples: samplesOf(twin.rows) }
      const wrong: string[] = []
      const counts = { twin: 0, rest: 0 }
      for (const operation of operationsFrom(seed, count, parts)) {
        const differs = await disagreement(project, twin, operation)
        if (differs !== null) counts.twin += 1
        if (differs) wrong.push(`seed ${operation.seed} ${differs}`)
        const other = operation.plain && (await restDisagreement(project, operation, operation.plain))
        if (other !== null && operation.plain) counts.rest += 1
        if (other) wrong.push(`seed ${operation.seed} REST ${other}`)
      }
      console.info(`${engine.name}: ${counts.twin} agree with the twin, ${counts.rest} were asked of REST`)
      assert.equal(wrong.length, 0, wrong.slice(0, 20).join('\n'))
      assert.ok(counts.twin > count * 0.7, `${counts.twin} of ${count} were compared with the twin`)
      assert.ok(counts.rest > count * 0.1, `${counts.rest} of ${count} were compared with REST`)
    }, 3_600_000)
  })
}
