import { join } from 'node:path'
import { folderOf } from '../../support/terminal.js'

const type = (name: string, attributes: Readonly<Record<string, unknown>>, options = {}) => ({
  [`content-types/${name}.json`]: {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s` },
    options,
    attributes,
  },
})

const part = (name: string, attributes: Readonly<Record<string, unknown>>) => ({
  [`content-types/components/parts/${name}.json`]: {
    collectionName: `parts_${name}s`,
    info: { displayName: name },
    attributes,
  },
})

const text = { type: 'string' }
const relation = (relation: string, target: string, more = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})

/** An article is spread over as many tables as an entry can be, so that an entry stored by half shows. */
const files = {
  ...type(
    'article',
    {
      title: text,
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag'),
      seo: { type: 'component', component: 'parts.seo' },
      slides: { type: 'component', component: 'parts.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['parts.quote', 'parts.slide'] },
      cover: { type: 'media' },
    },
    { draftAndPublish: true },
  ),
  ...type('author', { name: text, articles: relation('oneToMany', 'article', { mappedBy: 'author' }) }),
  ...type('tag', { name: text }),
  ...part('seo', { title: text, social: { type: 'component', component: 'parts.social' } }),
  ...part('social', { network: text }),
  ...part('slide', { caption: text, tag: relation('oneToOne', 'tag') }),
  ...part('quote', { text }),
  'config/api.json': { rest: { public: true } },
  'config/plugins.json': { upload: true, 'draft-and-publish': true },
}

export interface AppSettings {
  readonly database?: Readonly<Record<string, unknown>>
  readonly plugins?: Readonly<Record<string, unknown>>
}

/** A folder with the app, gone when the test ends. */
export function faultApp({ database = {}, plugins = {} }: AppSettings = {}): string {
  const all: Readonly<Record<string, unknown>> = {
    ...files,
    'config/database.json': database,
    'config/plugins.json': { ...files['config/plugins.json'], ...plugins },
  }
  return folderOf(Object.fromEntries(Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)])))
}

/** The folder of uploaded files of an app. */
export const uploadsOf = (app: string): string => join(app, 'public/uploads')
