import { findGalera } from './binaries.js'
import { freePorts, GaleraNode, newPassword } from './node.js'

/** Three servers of MariaDB that keep one database together, private to the test that started them. */
export class GaleraCluster {
  readonly nodes: readonly [GaleraNode, GaleraNode, GaleraNode]

  private constructor(nodes: GaleraCluster['nodes']) {
    this.nodes = nodes
  }

  static async start(): Promise<GaleraCluster> {
    const { binaries, reason } = findGalera()
    if (binaries === undefined) throw new Error(`a Galera cluster cannot be started: ${reason}`)
    const ports = [await freePorts(), await freePorts(), await freePorts()] as const
    const members = ports.map(({ group }) => group)
    const password = newPassword()
    const make = (index: 0 | 1 | 2) => new GaleraNode(`n${index + 1}`, ports[index], members, binaries, password)
    const cluster = new GaleraCluster([make(0), make(1), make(2)])
    const [first, ...others] = cluster.nodes
    try {
      await Promise.all(cluster.nodes.map(node => node.install()))
      await first.found()
      // Nodes join one after the other: a node that is giving its data away has none for a second one.
      for (const node of others) await node.join()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Brings back a cluster of which no node runs: the one that has come furthest is the first. */
  async recover(): Promise<void> {
    const positions = await Promise.all(
      this.nodes.map(async node => ({ node, number: (await node.position()).number })),
    )
    const [first, ...others] = positions.sort((a, b) => b.number - a.number).map(({ node }) => node)
    await first?.bootstrap()
    for (const node of others) await node.start()
  }

  /** Starts what does not run, and waits until all are one cluster again. */
  async heal(): Promise<void> {
    for (const node of this.nodes) if (!node.runs) await node.start()
    for (;;) {
      const states = await Promise.all(this.nodes.map(node => node.state()))
      if (states.every(state => state.get('wsrep_cluster_size') === '3')) return
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(node => node.stop()))
  }
}
