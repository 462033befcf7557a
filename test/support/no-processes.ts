import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/** The promise of the quick tests, kept where it would be broken: a process takes longer to start than most files to run. */
for (const name of ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'] as const)
  Object.assign(childProcess, {
    [name]: () => {
      throw new Error('a quick test starts no process: name the file *.slow.test.ts')
    },
  })
syncBuiltinESMExports()
