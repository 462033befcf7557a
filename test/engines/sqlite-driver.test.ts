import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it, onTestFinished } from 'vitest'
import { loadSqlite, sqliteDriver } from '../../core/engines/sqlite/driver.js'

const [major = 0] = process.versions.node.split('.').map(Number)

describe('the SQLite library', () => {
  it.runIf(major >= 24)('is the one of Node.js from version 24 on', () => {
    assert.equal(sqliteDriver(), 'node:sqlite')
  })

  it.runIf(major < 24)('is a package with the same interface before that', () => {
    assert.match(sqliteDriver(), /@photostructure[/\\]sqlite/)
  })

  it('is loaded without the warning that it is experimental, and all other warnings are shown', async () => {
    const shown: string[] = []
    const note = ({ message }: Error) => shown.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const loading = loadSqlite()
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('something else', 'ExperimentalWarning')
    await loading
    process.emitWarning('SQLite is an experimental feature, said later')
    await turn()
    assert.deepEqual(shown, ['something else', 'SQLite is an experimental feature, said later'])
  })
})
