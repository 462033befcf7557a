import type { DatabaseSettings } from '../support/engines.js'
import { run } from '../support/run.js'

/** What Strapi 4 relies on in its tables, as statements that find what breaks it. */
const rules: readonly { readonly says: string; readonly finds: string }[] = []

/** Which rules of the layout the rows break. */
export async function wrongIn(database: DatabaseSettings): Promise<string[]> {
  const wrong: string[] = []
  for (const { says, finds } of rules) {
    const rows = await run(database, finds)
    if (rows.length > 0) wrong.push(`${says}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return wrong
}
