// The quick tests of the plugin, and its attacks, on SQLite with version 17 of the package graphql, which takes Node.js 22 or
// later: `node test/plugins/graphql/version17.mjs`. They run in a copy of the repository that shares all other packages.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyRepository } from '../../support/copied-repository.mjs'

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'stele-graphql17-')))
const [copy, installed] = ['copy', 'installed'].map(name => path.join(folder, name))

try {
  fs.mkdirSync(installed)
  const options = ['--prefix', installed, '--no-audit', '--no-fund', '--engine-strict']
  execFileSync('npm', ['install', ...options, 'graphql@17'], { stdio: 'inherit' })
  copyRepository(copy)
  fs.cpSync(path.join(installed, 'node_modules'), path.join(copy, 'node_modules'), { recursive: true })
  for (const name of fs.readdirSync(packages)) {
    const place = path.join(copy, 'node_modules', name)
    if (!fs.existsSync(place)) fs.symlinkSync(path.join(packages, name), place)
  }
  const tests = ['test/plugins/graphql', 'test/security/graphql.test.ts']
  const { status } = spawnSync(process.execPath, ['test/run.mjs', 'quick', ...tests], {
    cwd: copy,
    stdio: 'inherit',
    env: { ...process.env, STELE_TEST_ENGINES: 'sqlite' },
  })
  process.exitCode = status ?? 1
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
