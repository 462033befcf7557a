import { existsSync } from 'node:fs'
import { findBinary } from '../support/binary.js'
import { findMariadb, type Probe } from '../support/servers.js'

/** The programs and the provider library of a node. */
export interface Binaries {
  readonly server: string
  readonly install: string
  readonly provider: string
}

const providers = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']

export function findGalera(): Probe<Binaries> {
  const { binaries, reason } = findMariadb()
  if (binaries === undefined) return { binaries, reason }
  const provider = providers.find(existsSync)
  if (provider === undefined) return { binaries: undefined, reason: 'no libgalera_smm.so installed (package galera-4)' }
  if (findBinary(['wsrep_sst_rsync'], ['/usr/bin']) === undefined || findBinary(['rsync'], ['/usr/bin']) === undefined)
    return { binaries: undefined, reason: 'no rsync or wsrep_sst_rsync installed' }
  return { binaries: { ...binaries, provider } }
}
