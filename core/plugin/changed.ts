import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../query/ask.js'
import type { ContentType } from '../schema/types.js'

/** Attributes whose values differ from the stored ones, as far as that can be told: a value that is sent in another form counts. */
export const changedAttributes = (
  type: ContentType,
  sent: Readonly<Record<string, unknown>>,
  before: Row | undefined,
): string[] =>
  Object.keys(sent).filter(name => {
    if (!type.fields.has(name)) return type.links.has(name)
    return !before || !Object.hasOwn(before, name) || !isDeepStrictEqual(sent[name], before[name])
  })
