import assert from 'node:assert/strict'

/**
 * Asserts whether a repeated read came from the cache. SQLite's file is the test's own, so it must. The MariaDB of the
 * tests has no binary log, so nothing is cached. PostgreSQL names the state of all databases of a server at once, and
 * other tests write to theirs: a read may come from the cache there. On servers of its own, test/engines/freshness counts
 * how many do.
 */
export function assertCached({ name }: { readonly name: string }, isCached: boolean, about?: string): void {
  if (name !== 'postgres') assert.equal(isCached, name === 'sqlite', about)
}
