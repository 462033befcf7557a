import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { folderOf, type Server } from '../../support/terminal.js'
import type { Ground } from './ground.js'
import { Network } from './network.js'

export type When = 'before' | 'after'

/** Kills a server at a certain statement. */
export interface Trap {
  /** Variables of the server that can be caught. */
  readonly env: Record<string, string>
  /** From now on statements count; at this one the server ends. */
  arm(server: Server, turn: number, when: When): void
  /** Gives how many statements there have been since. */
  disarm(): number
}

export async function trapFor(ground: Ground): Promise<Trap> {
  return ground.server ? networkTrap(await Network.before(ground)) : fileTrap()
}

/** SQLite works inside the server's process, so the trap lies there too. */
function fileTrap(): Trap {
  const file = join(folderOf({ trap: '', 'trap.count': '' }), 'trap')
  const preload = pathToFileURL(join(import.meta.dirname, 'preload/sqlite.mjs')).href
  return {
    env: { STELE_TRAP: file, NODE_OPTIONS: `--import=${preload}` },
    arm(_, turn, when) {
      writeFileSync(`${file}.count`, '')
      writeFileSync(file, `${when} ${turn}`)
    },
    disarm() {
      writeFileSync(file, '')
      return statSync(`${file}.count`).size
    },
  }
}

/** A statement to a database server is one turn of speaking: the server waits for each answer. */
function networkTrap(network: Network): Trap {
  return {
    env: network.env,
    arm({ child }, turn, when) {
      const catches = (now: When) => (count: number) => {
        if (count !== turn || now !== when) return true
        child.kill('SIGKILL')
        return false
      }
      network.turns = 0
      network.passesOn = catches('before')
      network.passesBack = catches('after')
    },
    disarm() {
      network.passesOn = network.passesBack = () => true
      return network.turns
    },
  }
}
