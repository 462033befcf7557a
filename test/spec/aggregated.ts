import assert from 'node:assert/strict'
import type { Api, Body } from '../support/contract.js'

/** Asks for aggregates of articles; `groups` has of each group its values and one measure. */
export function aggregated(api: Api) {
  const ask = async (query: string): Promise<Body> => {
    const { status, body, text } = await api.get(`/articles/aggregate?${query}`)
    assert.equal(status, 200, text)
    return body.data
  }
  const groups = async (query: string, name = 'count', of = '*') =>
    (await ask(query)).map((row: Body) => [...Object.values(row.group), row[name][of]])
  return { ask, groups }
}
