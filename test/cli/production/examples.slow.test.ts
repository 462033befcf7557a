import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { loadConfig } from '../../../core/boot/load-config.js'
import { variableOf } from '../../../core/config/variable.js'
import { folderOf, program } from '../../support/terminal.js'
import { toolOf } from '../../support/tool.js'

const textOf = (name: string) =>
  readFileSync(new URL(`../../../core/tools/cli/production/${name}`, import.meta.url), 'utf8')

const systemd = toolOf('systemd-analyze', 'systemd')

it.skipIf(!systemd)('the unit is one that systemd accepts, and leaves the service little of the machine', () => {
  const folder = folderOf()
  // The programs that it starts have to exist where it is checked.
  const here = textOf('stele.service')
    .replaceAll('/srv/stele/app/node_modules/stele/core/tools/cli/stele.js', program)
    .replaceAll('/srv/stele/app', folder)
    .replaceAll('/usr/bin/node', process.execPath)
  const unit = join(folder, 'stele.service')
  writeFileSync(unit, here)
  const checked = spawnSync(systemd ?? '', ['verify', '--man=no', unit], { encoding: 'utf8' })
  assert.deepEqual([checked.status, checked.stderr], [0, ''])
  const judged = spawnSync(systemd ?? '', ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' })
  const [, exposure] = /Overall exposure level for stele\.service: ([\d.]+)/.exec(judged.stdout) ?? []
  assert.ok(Number(exposure) < 3.5, judged.stdout + judged.stderr)
})

it('the variables of the unit and of compose are those that settings read', async () => {
  const unit = [...textOf('stele.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) =>
    pairs.split(' '),
  )
  const compose = [...textOf('compose.yml').matchAll(/^ {6}([A-Z_]+): (.+)$/gm)].map(
    ([, name, value]) => `${name}=${value}`,
  )
  const secret = join(folderOf({ secret: 'a secret of some length\n' }), 'secret')
  const variables = (pairs: readonly string[]) =>
    Object.fromEntries(
      pairs
        .filter(pair => !pair.startsWith('POSTGRES_'))
        .map(pair => {
          const [name = '', value = ''] = pair.split('=')
          return [name, name.endsWith('_FILE') ? secret : value]
        }),
    )
  const ofUnit = await loadConfig(folderOf(), { env: variables(unit) })
  assert.deepEqual(
    [ofUnit.environment, ofUnit.server.host, ofUnit.server.port, ofUnit.database.filename],
    ['production', '127.0.0.1', 1337, '/var/lib/stele/data.db'],
  )
  const ofCompose = await loadConfig(folderOf(), { env: variables(compose) })
  const { client, host, database, user, password } = ofCompose.database
  assert.deepEqual(
    [client, host, database, user, password],
    ['postgres', 'database', 'stele', 'stele', 'a secret of some length'],
  )
  for (const name of ['JWT_SECRET', 'API_TOKEN_SALT'])
    for (const pairs of [unit, compose])
      assert.equal(variableOf(variables(pairs), name), 'a secret of some length', name)
})
