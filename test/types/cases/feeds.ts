import { createFeed } from 'stele/client'
import { type Same, sure } from './same.js'
import type { Schema } from './schema.js'

const subscribe = createFeed<Schema>({ url: 'http://localhost:1337/api' })

export const right = [
  subscribe('articles', ({ event, id, changed }) => [event.length, id + 1, changed?.join()]),
  subscribe(
    'articles',
    ({ entry }) => {
      if (entry) sure<Same<keyof typeof entry.attributes, 'title' | 'author'>>()
    },
    { fields: ['title'], populate: ['author'], publicationState: 'preview' },
  ),
  subscribe(['articles', 'tags'], ({ entry }) => entry?.id),
]

export const wrong = [
  // @ts-expect-error there is no such path
  subscribe('article', () => undefined),
  // @ts-expect-error there is no such field
  subscribe('tags', () => undefined, { fields: ['title'] }),
]
