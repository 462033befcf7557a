import type { DatabaseConfig } from '../../config/types.js'

/** Runs a statement without values and gives its rows. */
export type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>

/** A node that takes connections and cannot serve: it has lost the others, or still catches up with them. */
export class UnfitNode extends Error {
  override readonly name = 'UnfitNode'
}

export const isCluster = async (ask: Ask): Promise<boolean> =>
  (await ask("show variables like 'wsrep_on'"))[0]?.[1] === 'ON'

/** Throws where the node is not a working part of the majority: it takes connections then, and refuses most statements. */
export async function assertHealthy(ask: Ask): Promise<void> {
  const rows = await ask("show status where variable_name in ('wsrep_ready', 'wsrep_cluster_status')")
  const state = new Map(rows.map(([name, value]) => [String(name), String(value)]))
  const [ready, status] = [state.get('wsrep_ready'), state.get('wsrep_cluster_status')]
  if (ready !== 'ON' || status !== 'Primary')
    throw new UnfitNode(`this node of the cluster cannot be used: wsrep_ready is ${ready}, its component is ${status}`)
}

/**
 * Before it reads or begins a transaction, a session waits for the writes that were acknowledged anywhere in the cluster: a
 * client that has written finds them, also after this server has moved to another node.
 */
export const sessionSettings = ({ readYourWrites }: DatabaseConfig): string[] => [
  `wsrep_sync_wait = ${readYourWrites ? 1 : 0}`,
]
