import { createClient, type Entry, unwrap } from 'stele/client'
import { type Same, sure } from './same.js'
import type { ArticleType, Schema } from './schema.js'

const api = createClient<Schema>({ url: 'http://localhost:1337/api' })

export async function answersFollowTheQuery() {
  const { data } = await api.articles.find({ fields: ['title'], populate: { author: { fields: ['name'] } } })
  type One = NonNullable<typeof data>[number]['attributes']
  sure<Same<One, { title: string; author: { data: { id: number; attributes: { name: string } } | null } }>>()

  const two = unwrap(await api.articles.findOne(1, { fields: ['minutes'], populate: ['tags', 'seo'] }))
  type Two = {
    minutes: number | null
    seo: { id: number; title: string } | null
    tags: { data: { id: number; attributes: { name: string | null; createdAt: string; updatedAt: string } }[] }
  }
  sure<Same<(typeof two)['attributes'], Two>>()

  const three = unwrap(
    await api.articles.find({
      fields: ['format'],
      populate: {
        author: { fields: [], populate: { mentor: { fields: ['age'], populate: { articles: { fields: ['slug'] } } } } },
      },
    }),
  )
  type Mentor = NonNullable<
    NonNullable<(typeof three)[0]['attributes']['author']['data']>['attributes']['mentor']['data']
  >
  type Deep = { age: number | null; articles: { data: { id: number; attributes: { slug: string | null } }[] } }
  sure<Same<Mentor['attributes'], Deep>>()
  sure<Same<(typeof three)[0]['attributes']['format'], 'note' | 'guide' | null>>()

  // A link with `false` is not there, and `id` is never among the attributes.
  const four = unwrap(
    await api.articles.findOne(1, { fields: ['id', 'title'], populate: { author: false, twin: true } }),
  )
  sure<Same<keyof (typeof four)['attributes'], 'title' | 'twin'>>()

  // A list that is only known when the program runs may lack any of its names.
  const names: ('title' | 'slug')[] = ['title']
  const five = unwrap(await api.articles.findOne(1, { fields: names, populate: { author: names.length > 1 } }))
  sure<Same<(typeof five)['attributes']['title'], string | undefined>>()
  type Author = (typeof five)['attributes']['author']
  sure<Same<undefined extends Author ? true : false, true>>()

  const six = unwrap(await api.homepage.find({ populate: '*' }))
  sure<Same<(typeof six)['attributes']['links'], { id: number; label: string; url: string | null }[]>>()
  sure<Same<keyof (typeof six)['attributes'] & 'favourites', 'favourites'>>()
}

export async function zonesAreTold() {
  const { blocks } = unwrap(
    await api.articles.findOne(1, {
      populate: {
        blocks: { on: { 'blocks.words': true, 'blocks.quote': { fields: ['text'], populate: { source: true } } } },
      },
    }),
  ).attributes
  for (const block of blocks) {
    if (block.__component === 'blocks.words') sure<Same<(typeof block)['body'], string>>()
    else sure<Same<(typeof block)['source'], { id: number; label: string; url: string | null } | null>>()
    // @ts-expect-error words have no text
    if (block.__component === 'blocks.words') block.text
  }
  const only = unwrap(
    await api.articles.findOne(1, { populate: { blocks: { on: { 'blocks.words': { fields: ['body'] } } } } }),
  )
  sure<Same<(typeof only)['attributes']['blocks'][0], { __component: 'blocks.words'; id: number; body: string }>>()

  const { data } = await api.shelves.find({
    populate: { things: { on: { 'api::author.author': { fields: ['name'] } } } },
  })
  type Thing = NonNullable<typeof data>[number]['attributes']['things']['data'][number]
  sure<Same<Thing, { id: number; attributes: { __type: 'api::author.author'; name: string } }>>()
}

export async function countsStandInPlaceOfEntries() {
  const { tags } = unwrap(await api.articles.findOne(1, { populate: { tags: { count: true } } })).attributes
  sure<Same<typeof tags, { data: { attributes: { count: number } } }>>()
  // @ts-expect-error what is counted has no entries
  tags.data[0]
  // @ts-expect-error pages inside a populate are not part of this dialect
  await api.articles.findOne(1, { populate: { tags: { limit: 2 } } })
}

export async function pagesAreTold() {
  const pages = await api.tags.find({ pagination: { page: 2, pageSize: 5 } })
  if (!pages.error)
    sure<Same<typeof pages.meta.pagination, { page: number; pageSize: number; pageCount: number; total: number }>>()
  const offsets = await api.tags.find({ pagination: { start: 2, withCount: false } })
  if (!offsets.error) sure<Same<typeof offsets.meta.pagination, { start: number; limit: number }>>()
}

export async function errorsAreValues() {
  const result = await api.articles.findOne(1)
  // @ts-expect-error there may be no data
  result.data.attributes
  if (result.error) {
    sure<Same<typeof result.data, null>>()
    return (
      result.error.details.errors?.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [result.error.name]
    )
  }
  return result.data.attributes.title
}

// An entry can be named: for parameters and components.
type Card = Entry<ArticleType, ['title'], { author: { fields: ['name'] } }>
export const titleOf = ({ attributes }: Card): string =>
  `${attributes.title} ${attributes.author.data?.attributes.name}`

export async function whatIsNotThereDoesNotCompile() {
  // @ts-expect-error there is no such path
  api.artcles
  // @ts-expect-error there is no such field
  api.articles.find({ fields: ['titel'] })
  // @ts-expect-error a private field is no field
  api.articles.find({ fields: ['hidden'] })
  // @ts-expect-error a password is no field
  api.articles.find({ filters: { secret: 'x' } })
  // @ts-expect-error a link is no field
  api.articles.find({ fields: ['author'] })
  // @ts-expect-error a field cannot be populated
  api.articles.find({ populate: ['title'] })
  // @ts-expect-error there is no such link, next to one that there is
  api.articles.find({ populate: { author: true, autor: true } })
  // @ts-expect-error there is no such parameter
  api.articles.find({ feilds: ['title'] })
  // @ts-expect-error nor inside a populate
  api.articles.find({ populate: { author: { fields: ['name'], pagination: { page: 1 } } } })
  // @ts-expect-error nor a level deeper
  api.articles.find({ populate: { author: { populate: { mentor: { fields: ['nam'] } } } } })
  // @ts-expect-error what was not asked for is not in the answer
  unwrap(await api.articles.findOne(1, { fields: ['title'] })).attributes.slug
  // @ts-expect-error what was not populated neither
  unwrap(await api.articles.findOne(1)).attributes.author
  // @ts-expect-error a component of another zone
  api.articles.find({ populate: { blocks: { on: { 'shared.seo': true } } } })
  // @ts-expect-error a list has no id
  api.articles.findOne({ fields: ['title'] })
  // @ts-expect-error a single type has no list
  api.homepage.findOne(1)
}

/** Aggregates are a route: numbers are numbers, and what the smallest is depends on the field. */
export const sums = api('GET /articles/aggregate', {
  query: { groupBy: ['tags.name'], measures: { count: '*', sum: 'minutes' }, filters: { minutes: { $gt: 1 } } },
}).then(({ data }) =>
  data?.map(({ count, sum }): [number | undefined, number | null | undefined] => [count?.['*'], sum?.minutes]),
)
