import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, inject, it } from 'vitest'
import { type Files, projects, types, uidOf } from './any-project.js'
import { type OpenProject, openProject } from './project.js'

const runs = process.env.STELE_TEST_LONG === '1' ? 400 : 25

describe('a project of odd files that Strapi 4 starts with', () => {
  it('starts, and each of its types is served', async () => {
    await fc.assert(
      fc.asyncProperty(projects, async (files: Files) => {
        const folder = mkdtempSync(join(inject('folder'), 'any-'))
        let open: OpenProject | undefined
        try {
          for (const [name, content] of Object.entries(files)) {
            mkdirSync(dirname(join(folder, name)), { recursive: true })
            writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
          }
          open = await openProject({ folder })
          for (const name of types) {
            const { kind, pluralName } = open.app.types.get(uidOf(name))
            const reply = await open.get(`/api/${kind === 'singleType' ? name : pluralName}`)
            assert.equal(reply.statusCode, 403, `${name}: ${reply.payload}`)
          }
        } finally {
          await open?.close()
          rmSync(folder, { recursive: true, force: true })
        }
      }),
      {
        numRuns: runs,
        seed: 20260117,
        endOnFailure: true,
      },
    )
  }, 660_000)
})
