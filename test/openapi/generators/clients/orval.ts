import {
  createAuthor,
  createTag,
  findArticle,
  postArticlesByIdQuery,
  postArticlesQuery,
  postUpload,
} from '../generated/orval.js'
import { type Calls, note, type Outcome } from './calls.js'

interface Answered {
  readonly data: unknown
  readonly status: number
}

const outcome = ({ data, status }: Answered): Outcome => ({ status, body: data })

/** The client has no way to send objects in a query string, so queries are sent as bodies. */
export function calls(_: string, token: string): Calls {
  const bearer = { headers: { Authorization: `Bearer ${token}` } }
  return {
    async filtered() {
      const filters = { author: { articles: { tags: { name: { $containsi: 'BREAD' } } } } }
      const found = await postArticlesQuery({
        filters,
        fields: ['title'],
        sort: ['title:asc'],
        pagination: { pageSize: 3 },
      })
      if (found.status === 200) found.data.data.map(one => one.attributes.title satisfies string | null | undefined)
      return outcome(found)
    },
    populated: async () =>
      outcome(
        await postArticlesByIdQuery(1, {
          fields: ['title'],
          populate: {
            author: { fields: ['name'] },
            tags: { sort: ['name:asc'] },
            blocks: { on: { 'blocks.quote': { fields: ['text'] } } },
          },
        }),
      ),
    created: async () => outcome(await createTag({ data: { name: 'made by a client' } })),
    uploaded: async () => outcome(await postUpload({ files: [note()] }, undefined, bearer)),
    refused: async () => outcome(await createTag({ data: { name: null } })),
    forbidden: async () => outcome(await createAuthor({ data: { name: 'Fay' } })),
    missing: async () => outcome(await findArticle(999999)),
  }
}
