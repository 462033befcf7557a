import { createClient } from 'stele/client'
import type { Schema } from './schema.js'

const api = createClient<Schema>({ url: 'http://localhost:1337/api' })

export const right = [
  api.articles.find({ filters: { title: 'Bread', minutes: { $gte: 5, $lt: 10 }, format: ['note', 'guide'] } }),
  api.articles.find({ filters: { title: { $containsi: 'bread', $not: { $startsWith: 'x' } }, featured: true } }),
  api.articles.find({
    filters: { $or: [{ title: { $null: true } }, { $not: { day: { $between: ['2024-01-01', new Date()] } } }] },
  }),
  api.articles.find({
    filters: { author: { name: 'Ada', mentor: { age: { $gt: 30 } } }, tags: [1, 2], twin: { $null: true } },
  }),
  api.articles.find({ filters: { seo: { title: { $ne: 'x' } }, sources: { url: '/a' }, id: { $in: [1, 2] } } }),
  api.articles.find({ sort: 'title' }),
  api.articles.find({ sort: ['author.name:desc', 'minutes:asc', { author: { mentor: { age: 'desc' } } }] }),
  api.articles.find({ populate: { tags: { filters: { name: { $in: ['a'] } }, sort: 'name:desc' } } }),
  api.articles.find({ _q: 'bread', locale: 'fr', publicationState: 'preview' }),
  api.articles.find({ populate: { author: { publicationState: 'preview', populate: { articles: true } } } }),
]

export const wrong = [
  // @ts-expect-error text is no number
  api.articles.find({ filters: { minutes: 'six' } }),
  // @ts-expect-error a number contains no text
  api.articles.find({ filters: { minutes: { $contains: 6 } } }),
  // @ts-expect-error nothing is greater than yes
  api.articles.find({ filters: { featured: { $gt: true } } }),
  // @ts-expect-error not one of its words
  api.articles.find({ filters: { format: { $in: ['note', 'essay'] } } }),
  // @ts-expect-error no operator
  api.articles.find({ filters: { title: { $like: 'x' } } }),
  // @ts-expect-error no attribute
  api.articles.find({ filters: { titel: 'x' } }),
  // @ts-expect-error no attribute behind the link
  api.articles.find({ filters: { author: { nam: 'x' } } }),
  // @ts-expect-error nor within a group
  api.articles.find({ filters: { $or: [{ title: 'x' }, { $and: [{ nam: 'x' }] }] } }),
  // @ts-expect-error zones cannot be filtered by
  api.articles.find({ filters: { blocks: { body: 'x' } } }),
  // @ts-expect-error nor files, in this dialect
  api.articles.find({ filters: { cover: { name: 'x' } } }),
  // @ts-expect-error two values
  api.articles.find({ filters: { minutes: { $between: [1] } } }),
  // @ts-expect-error no filter of the populated type
  api.articles.find({ populate: { tags: { filters: { name: 'x', nam: 'x' } } } }),
  // @ts-expect-error not within its groups
  api.articles.find({ populate: { tags: { filters: { $or: [{ name: 'x' }, { name: 'y', nam: 'x' }] } } } }),
  // @ts-expect-error no field to sort by
  api.articles.find({ sort: 'author.nam' }),
  // @ts-expect-error no direction
  api.articles.find({ sort: 'title:up' }),
  // @ts-expect-error a link has no order
  api.articles.find({ sort: 'author' }),
  // @ts-expect-error pages are of one kind
  api.articles.find({ pagination: { page: 1, start: 5 } }),
  // @ts-expect-error no parameter of a page
  api.articles.find({ pagination: { page: 1, size: 5 } }),
  // @ts-expect-error authors have no locales
  api.authors.find({ locale: 'fr' }),
  // @ts-expect-error not a state
  api.articles.find({ publicationState: 'draft' }),
  // @ts-expect-error no parameter of a populate
  api.articles.find({ populate: { author: { locale: 'fr' } } }),
]
