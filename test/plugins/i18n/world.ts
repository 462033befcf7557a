import type { TestApp } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import type { Body, World } from '../../support/contract.js'

const localized = { i18n: { localized: true } }

/** Articles in several locales: the title is written in each, the rest is shared. */
export const types = {
  article: {
    options: { draftAndPublish: true },
    pluginOptions: localized,
    attributes: {
      title: { type: 'string', required: true, pluginOptions: localized },
      slug: { type: 'uid' },
      code: { type: 'string', unique: true, pluginOptions: localized },
      rating: { type: 'integer' },
      note: { type: 'string', private: true },
      secret: { type: 'password' },
      day: { type: 'date' },
      extra: { type: 'json' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true, pluginOptions: localized },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.slide'] },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
      related: { type: 'relation', relation: 'oneToMany', target: 'api::article.article' },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
  homepage: {
    kind: 'singleType',
    pluginOptions: localized,
    attributes: {
      headline: { type: 'string', pluginOptions: localized },
      color: { type: 'string' },
    },
  },
} as const

export const components = {
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string', required: true },
      hint: { type: 'string', private: true },
      slide: { type: 'component', component: 'shared.slide' },
      tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    },
  },
  'shared.slide': { attributes: { caption: { type: 'string' } } },
} as const

/** A server with English (the default), French and German. */
export const world = (settings: object = {}, more: Partial<World> = {}): World => ({
  types,
  components,
  plugins: [[i18n, { locales: ['fr', 'de'], ...settings }]],
  ...more,
})

/** Titles of a list, in its order. */
export const titles = ({ data }: Body): string[] => data.map(({ attributes }: Body) => attributes.title)

/** Adds a localization over HTTP; an answer that is no 200 fails the test with its body. */
export async function localize(
  app: TestApp,
  path: string,
  id: unknown,
  body: Readonly<Record<string, unknown>>,
): Promise<number> {
  const url = `/api/${path}${id === undefined ? '' : `/${id}`}/localizations`
  const answer = await app.inject({ method: 'POST', url, payload: body })
  if (answer.statusCode !== 200) throw new Error(`POST ${url} answered ${answer.statusCode}: ${answer.body}`)
  const made = answer.json()
  return made.id ?? made.data.id
}
