import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Response } from 'light-my-request'
import { it } from 'vitest'
import { recordedReads } from '../../strapi4/fixture.js'
import { copyProject, openProject } from '../../strapi4/project.js'
import { requestOf } from '../../strapi4/requests.js'
import { onSqlite } from '../../support/engines.js'
import { copyEditors, openEditors } from './project.js'

const parsed = ({ payload, headers }: Response): unknown =>
  String(headers['content-type']).includes('json') ? JSON.parse(payload) : payload

onSqlite('a project of Strapi 4 with editors', () => {
  it('answers requests of the API as it did', async () => {
    const editors = copyEditors()
    const plain = copyProject(editors.source)
    const [one, other] = [await openEditors(editors), await openProject(plain)]
    try {
      const differ: string[] = []
      for (const read of recordedReads()) {
        const [ours, theirs] = [await one.send(requestOf(read)), await other.send(requestOf(read))]
        // Plugins start in another order where one uses another, and lists of actions follow it.
        const isSame = ours.statusCode === theirs.statusCode && isDeepStrictEqual(parsed(ours), parsed(theirs))
        if (!isSame) differ.push(`${read.method} ${read.path}`)
      }
      assert.deepEqual(differ, [])
    } finally {
      await one.close()
      await other.close()
      for (const project of [editors, plain]) project.remove()
    }
  })
})
