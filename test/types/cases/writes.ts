import { createClient, unwrap } from 'stele/client'
import { type Same, sure } from './same.js'
import type { ArticleInput, Schema } from './schema.js'

const api = createClient<Schema>({ url: 'http://localhost:1337/api' })
const main = { label: 'main' }

export const right = [
  api.articles.create({ title: 'Bread', main }),
  // A draft may lack what is required.
  api.articles.create({ publishedAt: null }),
  api.articles.create({ title: 'Bread', main, author: 1, tags: [1, { id: 2 }], format: 'guide', minutes: null }),
  api.articles.create({ title: 'Bread', main, blocks: [{ __component: 'blocks.quote', text: 'x', speaker: 1 }] }),
  api.articles.update(1, { minutes: 6, tags: { connect: [3, { id: 2, position: { start: true } }], disconnect: [1] } }),
  api.articles.update(1, {
    tags: { set: [1] },
    author: { disconnect: [1] },
    seo: { id: 3, title: 'x' },
    sources: null,
  }),
  api.articles.update(1, { sources: [{ id: 1, url: '/b' }, { label: 'new' }], cover: 5, gallery: [1, 2], secret: 'x' }),
  api.articles.update('1', { hidden: 'x', moment: 0, views: '1' }, { locale: 'fr' }),
  // An attribute of a plugin that is sent with a new entry alone.
  api.articles.create({ title: 'Pain', main, locale: 'fr' }),
  api('POST /articles/:id/localizations', { params: { id: 1 }, body: { data: { locale: 'fr' } } }),
  api('POST /articles/:id/localizations', { params: { id: 1 }, body: { data: { locale: 'fr', title: 'Pain' } } }),
  api.shelves.create({ things: [{ id: 1, __type: 'api::article.article' }] }),
  api.homepage.update({ title: 'Home' }),
  api.articles.delete(1),
  api.homepage.delete(),
  api.articles.create(
    { title: 'x', main },
    {},
    { headers: { 'Idempotency-Key': 'x' }, signal: AbortSignal.timeout(1) },
  ),
]

export const wrong = [
  // @ts-expect-error without its title
  api.articles.create({ main }),
  // @ts-expect-error without its component
  api.articles.create({ title: 'Bread' }),
  // @ts-expect-error a title is text
  api.articles.create({ title: 5, main }),
  // @ts-expect-error what is required is not emptied
  api.articles.update(1, { title: null }),
  // @ts-expect-error there is no such attribute
  api.articles.create({ title: 'Bread', main, titel: 'x' }),
  // @ts-expect-error the server writes it
  api.articles.update(1, { updatedAt: '2024-01-01' }),
  // @ts-expect-error an entry keeps its locale
  api.articles.update(1, { locale: 'fr' }),
  // @ts-expect-error the code of a locale is text
  api('POST /articles/:id/localizations', { params: { id: 1 }, body: { data: { locale: 1 } } }),
  // @ts-expect-error a type without locales
  api.shelves.create({ locale: 'fr' }),
  // @ts-expect-error not one of its words
  api.articles.update(1, { format: 'essay' }),
  // @ts-expect-error replaced or changed
  api.articles.update(1, { tags: { set: [1], connect: [2] } }),
  // @ts-expect-error no component of the zone
  api.articles.update(1, { blocks: [{ __component: 'shared.seo', title: 'x' }] }),
  // @ts-expect-error a new component without what it requires
  api.articles.update(1, { seo: {} }),
  // @ts-expect-error files are not connected
  api.articles.update(1, { gallery: { connect: [1] } }),
  // @ts-expect-error an entry of any type says which
  api.shelves.create({ things: [1] }),
  // @ts-expect-error no id
  api.articles.update({ title: 'x' }),
  // @ts-expect-error a single type has no id
  api.homepage.update(1, { title: 'x' }),
  // @ts-expect-error a single type is not created
  api.homepage.create({ title: 'x' }),
]

export async function aWriteAnswersWhatIsAsked() {
  const made = unwrap(await api.articles.create({ title: 'x', main }, { fields: ['slug'], populate: ['author'] }))
  sure<Same<keyof typeof made.attributes, 'slug' | 'author'>>()
}

export const input: ArticleInput = { title: 'x', main }

export const counted: Promise<{ data: number | null }> = api.articles.count({
  filters: { title: { $contains: 'a' } },
  locale: 'fr',
})
// @ts-expect-error a count has no page
export const paged = api.articles.count({ pagination: { page: 2 } })
// @ts-expect-error there is no such attribute
export const unknown = api.articles.count({ filters: { titel: 'x' } })
// @ts-expect-error a single type is one entry
export const single = api.homepage.count()
