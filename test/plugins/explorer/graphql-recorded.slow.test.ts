import { strict as assert } from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { keyOf } from '../../strapi4/fixture.js'
import { type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'
import { onSqlite } from '../../support/engines.js'
import { isNightly } from '../../support/time.js'
import { withGraphql } from '../graphql/replay.js'
import { modelFrom } from './app.js'
import { compared, shapes } from './graphql-states.js'

function change({ folder }: Pick<ProjectFolder, 'folder'>, name: string, from: string, to: string): void {
  const file = join(folder, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

const headers = { authorization: `Bearer ${keyOf('full')}` }

const states = isNightly ? 400 : 160

for (const shape of shapes)
  onSqlite(`random states of the builder in a Strapi project, in GraphQL, in the shape ${shape}`, engine => {
    let pristine: Pristine
    let project: OpenProject
    beforeAll(async () => {
      pristine = await pristineOn(engine, project => {
        withGraphql(project, shape)
        change(project, 'config/plugins.js', '=> ({', '=> ({ explorer: true,')
        // Some of the states take a second or two, and more on a busy machine.
        change(project, 'config/database.js', 'return {', 'return { statementTimeout: 0,')
      })
      project = await openProject(pristine.project, pristine.variables)
    })
    afterAll(async () => {
      await project?.close()
      await pristine?.drop()
    })

    it('get the response of REST', async () => {
      const { send } = project
      const model = await modelFrom(send, headers)
      const { wrong, seen } = await compared({ send, model, shape, headers }, states)
      console.info(`${shape}: ${seen.compared} of ${states} states are compared, ${seen.found} of them find entries`)
      assert.equal(wrong.length, 0, `${wrong.length}: ${wrong.slice(0, 5).join('\n\n')}`)
      assert.ok(seen.compared > states * 0.35 && seen.found > states * 0.25, JSON.stringify(seen))
    }, 180_000)
  })
