import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'
import type { App } from '../../core/kernel.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { typesFile } from '../../plugins/typescript/file.js'
import { upload } from '../../plugins/upload/index.js'

type Rest = NonNullable<NonNullable<NonNullable<TestAppOptions['config']>['api']>['rest']>

const relation = (kind: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${name}.${name}`,
  ...more,
})
const text = { type: 'string' }

const article = {
  options: { draftAndPublish: true, populateCreatorFields: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
    slug: { type: 'uid', targetField: 'title' },
    summary: { type: 'text' },
    body: { type: 'richtext' },
    format: { type: 'enumeration', enum: ['note', 'guide'], default: 'note' },
    contact: { type: 'email' },
    secret: { type: 'password' },
    hidden: { type: 'string', private: true },
    day: { type: 'date' },
    time: { type: 'time' },
    moment: { type: 'datetime' },
    stamp: { type: 'timestamp' },
    minutes: { type: 'integer' },
    views: { type: 'biginteger' },
    rating: { type: 'float' },
    fee: { type: 'decimal' },
    featured: { type: 'boolean', required: true, default: false },
    facts: { type: 'json' },
    keywords: { type: 'array' },
    seo: { type: 'component', component: 'shared.seo' },
    main: { type: 'component', component: 'shared.link', required: true },
    sources: { type: 'component', component: 'shared.link', repeatable: true },
    blocks: { type: 'dynamiczone', components: ['blocks.words', 'blocks.quote'] },
    author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
    tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
    twin: relation('oneToOne', 'article'),
    comments: relation('morphMany', 'comment', { morphBy: 'subject' }),
    cover: { type: 'media', allowedTypes: ['images', 'files'] },
    gallery: { type: 'media', multiple: true },
  },
}

const types = {
  article,
  author: {
    attributes: {
      name: { type: 'string', required: true },
      age: { type: 'integer' },
      articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
      mentor: relation('oneToOne', 'author'),
    },
  },
  tag: { attributes: { name: text, articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) } },
  comment: { attributes: { text, subject: { type: 'relation', relation: 'morphToOne' } } },
  shelf: { pluralName: 'shelves', attributes: { name: text, things: { type: 'relation', relation: 'morphToMany' } } },
  homepage: {
    kind: 'singleType',
    attributes: {
      title: { type: 'string', required: true },
      favourites: relation('oneToMany', 'article'),
      links: { type: 'component', component: 'shared.link', repeatable: true },
    },
  },
}

const components = {
  'shared.seo': {
    attributes: {
      title: { type: 'string', required: true },
      image: { type: 'media' },
      canonical: { type: 'component', component: 'shared.link' },
    },
  },
  'shared.link': { attributes: { label: { type: 'string', required: true }, url: text } },
  'blocks.words': { attributes: { body: { type: 'richtext', required: true } } },
  'blocks.quote': {
    attributes: {
      text: { type: 'text', required: true },
      speaker: relation('oneToOne', 'author'),
      source: { type: 'component', component: 'shared.link' },
    },
  },
}

/** An app in memory with every kind of attribute, and entries with and without each of them. */
export async function openWorld(
  rest: Rest = {},
  plugins: TestAppOptions['plugins'] = [draftAndPublish, [i18n, { locales: ['en', 'fr'] }], upload],
): Promise<TestApp> {
  const app = await createTestApp({ types, components, plugins, config: { api: { rest } } })
  const entries = (name: string) => app.entries(`api::${name}.${name}`)
  await entries('author').create({ name: 'Ada', age: 36 })
  await entries('author').create({ name: 'Ben', mentor: 1 })
  for (const name of ['bread', 'radio']) await entries('tag').create({ name })
  const common = { main: { label: 'main' } }
  await entries('article').create({
    ...{
      ...common,
      title: 'Bread',
      slug: 'bread',
      summary: 'of four',
      body: 'flour',
      format: 'guide',
      contact: 'ada@example.com',
    },
    ...{
      secret: 'kneaded',
      hidden: 'x',
      day: '2024-02-10',
      time: '07:30:00',
      moment: '2024-02-10T07:30:00Z',
      stamp: '2024-02-10T07:30:00Z',
    },
    ...{
      minutes: 6,
      views: '9007199254740993',
      rating: 4.5,
      fee: 2.5,
      featured: true,
      facts: { loaves: [1, 2] },
      keywords: ['a'],
    },
    ...{
      seo: { title: 'Bread', canonical: { label: 'home', url: '/bread' } },
      sources: [{ label: 'a', url: '/a' }, { label: 'b' }],
    },
    blocks: [
      { __component: 'blocks.words', body: 'Take flour' },
      { __component: 'blocks.quote', text: 'Bread!', speaker: 2, source: { label: 'c' } },
    ],
    ...{ author: 1, tags: [1, 2] },
  })
  await entries('article').create({ ...common, title: 'Radio', twin: 1, author: 2, blocks: [] })
  await entries('comment').create({ text: 'Good', subject: { id: 1, __type: 'api::article.article' } })
  await entries('comment').create({ text: 'To nobody' })
  await entries('shelf').create({
    name: 'full',
    things: [
      { id: 1, __type: 'api::article.article' },
      { id: 2, __type: 'api::author.author' },
    ],
  })
  await entries('shelf').create({ name: 'empty' })
  await entries('homepage').create({ title: 'Home', favourites: [2, 1], links: [{ label: 'x' }] })
  return app
}

/** The types that `stele types --ts` writes for an app. */
export const typesOf = ({ outline }: Pick<App, 'outline'>): string => typesFile(outline)
