import qs from 'qs'
import { createClient, createConfig } from '../generated/hey-api/client/index.js'
import { createAuthor, createTag, findArticle, findArticles, postUpload } from '../generated/hey-api/sdk.gen.js'
import type { ClientOptions } from '../generated/hey-api/types.gen.js'
import { type Calls, note, type Outcome } from './calls.js'

interface Answered {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

const outcome = ({ data, error, response }: Answered): Outcome => ({ status: response.status, body: data ?? error })

export function calls(baseUrl: string, token: string): Calls {
  const querySerializer = (query: unknown) => qs.stringify(query)
  const client = createClient(createConfig<ClientOptions>({ baseUrl: baseUrl as '/', querySerializer }))
  return {
    async filtered() {
      const filters = { author: { articles: { tags: { name: { $containsi: 'BREAD' } } } } }
      const found = await findArticles({
        client,
        query: { filters, fields: ['title'], sort: ['title:asc'], 'pagination[pageSize]': 3 },
      })
      const titles: (string | null | undefined)[] | undefined = found.data?.data.map(one => one.attributes.title)
      if (titles === undefined) throw new Error('nothing was found')
      return outcome(found)
    },
    async populated() {
      const found = await findArticle({
        client,
        path: { id: 1 },
        query: {
          fields: ['title'],
          populate: {
            author: { fields: ['name'] },
            tags: { sort: ['name:asc'] },
            blocks: { on: { 'blocks.quote': { fields: ['text'] } } },
          },
        },
      })
      for (const block of found.data?.data.attributes.blocks ?? [])
        if (block.__component === 'blocks.quote') block.text satisfies string | null | undefined
      return outcome(found)
    },
    created: async () => outcome(await createTag({ client, body: { data: { name: 'made by a client' } } })),
    uploaded: async () =>
      outcome(await postUpload({ client, auth: () => token, headers: bearer(token), body: { files: [note()] } })),
    refused: async () => outcome(await createTag({ client, body: { data: { name: null } } })),
    forbidden: async () => outcome(await createAuthor({ client, body: { data: { name: 'Fay' } } })),
    async missing() {
      const found = await findArticle({ client, path: { id: 999999 } })
      const message: string | undefined = found.error?.error.message
      if (message === undefined) throw new Error('there is no message')
      return outcome(found)
    },
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Calls that the types refuse. */
export const refusedByTypes = (): unknown[] => [
  // @ts-expect-error: there is no such field
  () => findArticles({ query: { fields: ['titel'] } }),
  // @ts-expect-error: there is no such operator
  () => findArticles({ query: { filters: { title: { $like: 'x' } } } }),
  // @ts-expect-error: a number is no name
  () => createTag({ body: { data: { name: 5 } } }),
]
