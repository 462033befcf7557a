import { content } from './targets/content.mjs'
import { headers } from './targets/headers.mjs'
import { multipart } from './targets/multipart.mjs'
import { query } from './targets/query.mjs'
import { write } from './targets/write.mjs'

/** What is fuzzed: seeds to begin with, words that mean something there, and what one input must never do. */
export const targets = { query, content, write, headers, multipart }
