import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, it } from 'vitest'

const command = fileURLToPath(new URL('../bench/run.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'stele-bench-strapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder with what npm leaves of packages, as far as it is looked at before a server is started. */
function installed(name: string, packages: Readonly<Record<string, object>>): string {
  for (const [one, content] of Object.entries(packages)) {
    const own = join(folder, name, 'node_modules', one)
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'package.json'), JSON.stringify(content))
  }
  return join(folder, name)
}

const strapi = { version: '4.26.2', engines: { node: '>=18.0.0 <=22.x.x' } }
const old = { ...strapi, engines: { node: '>=14.0.0 <=16.x.x' } }
const sqlite = { version: '8.6.0' }
const whole = installed('whole', { '@strapi/strapi': strapi, 'better-sqlite3': sqlite })

describe('the benchmark next to an installed Strapi 4', () => {
  const cases: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
    ['no folder', ['--strapi'], /'--strapi <value>' argument missing/],
    [
      'no such folder',
      ['--strapi', join(folder, 'none')],
      /none" has no node_modules\/@strapi\/strapi; run there: npm/,
    ],
    [
      'another major version',
      ['--strapi', installed('five', { '@strapi/strapi': { version: '5.1.0' }, 'better-sqlite3': sqlite })],
      /five" has Strapi 5\.1\.0; the benchmark measures Strapi 4/,
    ],
    ['no driver', ['--strapi', installed('bare', { '@strapi/strapi': strapi })], /bare" has no better-sqlite3/],
    [
      'a Node.js that is too new for it',
      ['--strapi', installed('old', { '@strapi/strapi': old, 'better-sqlite3': sqlite })],
      /Strapi 4\.26\.2 needs Node\.js >=14\.0\.0 <=16\.x\.x, and this is \d+/,
    ],
    ['another engine', ['--strapi', whole, '--engine', 'postgres'], /Strapi is measured on sqlite, not on "postgres"/],
    ['its name without its folder', ['--servers', 'koa,strapi'], /"strapi" needs --strapi with the folder/],
  ]
  for (const [what, args, says] of cases)
    it(`fails with a sentence: ${what}`, () => {
      const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stderr, says)
      assert.doesNotMatch(stderr, /\n +at /)
      assert.equal(stdout, '')
    })
})
