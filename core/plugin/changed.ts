import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../query/ask.js'
import type { ContentType } from '../schema/types.js'

/** Attributes whose values differ from what was stored, as far as that can be told: what is sent in another form counts. */
export const changedAttributes = (
  type: ContentType,
  sent: Readonly<Record<string, unknown>>,
  before: Row | undefined,
): string[] =>
  Object.keys(sent).filter(name => {
    if (!type.fields.has(name)) return type.links.has(name)
    return !before || !Object.hasOwn(before, name) || !isDeepStrictEqual(sent[name], before[name])
  })
