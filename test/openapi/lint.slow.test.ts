import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, it, onTestFinished } from 'vitest'
import { fixture } from '../strapi4/fixture.js'
import { documentOf, outlineOf, sampleFolder } from './outline.js'

const redocly = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname

/** No telemetry, and no question whether there is a newer version: nothing leaves the machine. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }

describe('the document keeps all rules of Redocly', () => {
  const apps = { 'the sample app': sampleFolder, 'a project of Strapi 4': join(fixture, 'project') }
  for (const [name, app] of Object.entries(apps))
    it(`of ${name}`, { timeout: 120_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stele-lint-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const enabled = { plugins: { openapi: { enabled: true, config: {} } } }
      const document = await documentOf(await outlineOf(app, { overrides: enabled }))
      assert.ok(document.paths['/openapi.json'])
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document, undefined, 2))
      const command = [redocly, 'lint', '--extends=recommended-strict', '--format=codeframe', 'openapi.json']
      // The command fails if there is a problem, and names it.
      const { stderr } = await promisify(execFile)(process.execPath, command, { cwd: folder, env, maxBuffer: 2 ** 26 })
      assert.match(stderr, /Your API description is valid/)
    })
})
