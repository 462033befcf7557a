import createClient from 'openapi-fetch'
import qs from 'qs'
import type { paths } from '../generated/openapi-typescript.js'
import { type Calls, note, type Outcome } from './calls.js'

interface Answered {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

const outcome = ({ data, error, response }: Answered): Outcome => ({ status: response.status, body: data ?? error })

export function calls(baseUrl: string, token: string): Calls {
  const client = createClient<paths>({ baseUrl, querySerializer: query => qs.stringify(query) })
  const bearer = { Authorization: `Bearer ${token}` }
  return {
    async filtered() {
      const filters = { author: { articles: { tags: { name: { $containsi: 'BREAD' } } } } }
      const query = { filters, fields: ['title' as const], sort: ['title:asc'], 'pagination[pageSize]': 3 }
      const found = await client.GET('/api/articles', { params: { query } })
      // Results are typed: the title of an article, and the total.
      const titles: (string | null | undefined)[] | undefined = found.data?.data.map(one => one.attributes.title)
      const { pagination } = found.data?.meta ?? {}
      if (titles === undefined || pagination?.total === undefined) throw new Error('nothing was found')
      return outcome(found)
    },
    async populated() {
      const populate = {
        author: { fields: ['name' as const] },
        tags: { sort: ['name:asc'] },
        blocks: { on: { 'blocks.quote': { fields: ['text' as const] } } },
      }
      const params = { path: { id: 1 }, query: { fields: ['title' as const], populate } }
      const found = await client.GET('/api/articles/{id}', { params })
      const author: string | null | undefined = found.data?.data.attributes.author?.data?.attributes.name
      if (author === undefined) throw new Error('there is no author')
      for (const block of found.data?.data.attributes.blocks ?? [])
        if (block.__component === 'blocks.quote') block.text satisfies string | null | undefined
      return outcome(found)
    },
    created: async () => outcome(await client.POST('/api/tags', { body: { data: { name: 'made by a client' } } })),
    uploaded: async () => {
      const bodySerializer = () => {
        const form = new FormData()
        form.append('files', note())
        return form
      }
      const sent = { headers: bearer, body: { files: [''] }, bodySerializer }
      return outcome(await client.POST('/api/upload', sent))
    },
    refused: async () => outcome(await client.POST('/api/tags', { body: { data: { name: null } } })),
    forbidden: async () => outcome(await client.POST('/api/authors', { body: { data: { name: 'Fay' } } })),
    async missing() {
      const found = await client.GET('/api/articles/{id}', { params: { path: { id: 999999 } } })
      const message: string | undefined = found.error?.error.message
      if (message === undefined) throw new Error('there is no message')
      return outcome(found)
    },
  }
}

/** Calls that the types refuse, or they would be no types of this API. */
export function refusedByTypes(): unknown[] {
  const client = createClient<paths>()
  return [
    // @ts-expect-error: there is no such field
    () => client.GET('/api/articles', { params: { query: { fields: ['titel'] } } }),
    // @ts-expect-error: there is no such operator
    () => client.GET('/api/articles', { params: { query: { filters: { title: { $like: 'x' } } } } }),
    // @ts-expect-error: there is no such attribute behind the relation
    () => client.GET('/api/articles', { params: { query: { filters: { author: { nam: 'x' } } } } }),
    // @ts-expect-error: a number is no name
    () => client.POST('/api/tags', { body: { data: { name: 5 } } }),
    // @ts-expect-error: there is no such path
    () => client.GET('/api/articels'),
  ]
}
