import type { Values } from '../form/plain.js'

export type EntryState = 'published' | 'scheduled' | 'draft'

/** The state of an entry of a type with drafts. */
export function stateOf({ publishedAt, publishAt }: Values): EntryState {
  if (publishedAt !== null && publishedAt !== undefined) return 'published'
  return publishAt === null || publishAt === undefined ? 'draft' : 'scheduled'
}
