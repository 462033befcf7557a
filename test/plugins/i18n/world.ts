import type { World } from '../../support/contract.js'
import type { Body } from '../../support/contract.js'
import { i18n } from '../../../plugins/i18n/index.js'

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
