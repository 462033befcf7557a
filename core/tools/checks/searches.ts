import { findSearchIndexes } from '../../layout/search-indexes.js'
import type { CoreCheck } from './check.js'

export const searchCheck: CoreCheck = {
  name: 'searches',
  describe: 'what `_q` looks for is in its index',
  async run({ registry, sides: { engine, found } }, report) {
    const { missing } = await findSearchIndexes(engine, registry)
    const tables = missing.map(({ table }) => table).filter(table => found.tables.has(table))
    if (tables.length === 0) return
    report({
      severity: 'warning',
      says: `indexes of words that are not there, or not built of what the content types ask for: ${tables.length}`,
      examples: tables,
      advice: '`_q` reads all texts of these types; the next start builds the indexes, or its log says why it cannot',
    })
  },
}
