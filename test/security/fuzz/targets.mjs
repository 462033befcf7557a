import { content } from './targets/content.mjs'
import { headers } from './targets/headers.mjs'
import { multipart } from './targets/multipart.mjs'
import { query } from './targets/query.mjs'
import { write } from './targets/write.mjs'

/** The targets of the fuzzer: seeds, words with a meaning there, and forbidden results. */
export const targets = { query, content, write, headers, multipart }
