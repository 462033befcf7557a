const localized = { pluginOptions: { i18n: { localized: true } } }
const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})
const table = (name: string, displayName: string) => ({
  collectionName: `components_shared_${name}s`,
  info: { displayName },
})
const info = (name: string, plural = `${name.toLowerCase()}s`) => ({
  info: { singularName: name.toLowerCase(), pluralName: plural, displayName: name },
})

const types = {
  article: {
    ...localized,
    ...info('Article'),
    options: { draftAndPublish: true, scheduling: true, populateCreatorFields: true },
    attributes: {
      title: { type: 'string', required: true, maxLength: 80, ...localized },
      slug: { type: 'uid', targetField: 'title' },
      summary: { type: 'text', ...localized },
      body: { type: 'richtext', ...localized },
      cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
      kind: { type: 'enumeration', enum: ['note', 'guide', 'essay'], default: 'note' },
      minutes: { type: 'integer', min: 1 },
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      seo: { type: 'component', component: 'shared.seo', ...localized },
      parts: { type: 'dynamiczone', components: ['shared.quote', 'shared.picture'], ...localized },
    },
    search: ['title^10', 'summary'],
  },
  author: {
    ...info('Author'),
    attributes: {
      name: { type: 'string', required: true },
      bio: { type: 'text' },
      joinedOn: { type: 'date' },
      articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
    },
  },
  tag: {
    ...info('Tag'),
    attributes: {
      name: { type: 'string', required: true, unique: true },
      articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
    },
  },
  story: { ...info('Story', 'stories'), attributes: { title: { type: 'string' }, body: { type: 'blocks' } } },
  homepage: {
    ...{ kind: 'singleType', ...info('Homepage', 'homepages') },
    attributes: { headline: { type: 'string', required: true }, lead: relation('oneToOne', 'article') },
  },
}

const components = {
  'shared.seo': {
    ...table('seo', 'SEO'),
    attributes: { metaTitle: { type: 'string' }, metaDescription: { type: 'text' } },
  },
  'shared.quote': {
    ...table('quote', 'Quote'),
    attributes: { text: { type: 'text', required: true }, speaker: { type: 'string' } },
  },
  'shared.picture': {
    ...table('picture', 'Picture'),
    attributes: { file: { type: 'media', multiple: false }, caption: { type: 'string' } },
  },
}

const json = (value: object): string => JSON.stringify(value, null, 2)

/** The files of an app: a magazine about bread. */
export const files: Readonly<Record<string, string>> = {
  'package.json': json({ name: 'magazine', type: 'module' }),
  'config/console.js': "export default { pages: [{ path: 'readers', title: 'Readers', module: 'readers.js' }] }",
  'logo.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" fill="#7a1f5c"/></svg>',
  'console/readers.js': "export const mount = element => { element.textContent = 'Nine readers today.' }",
  ...Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      `content-types/${name}.json`,
      json({ kind: 'collectionType', collectionName: type.info.pluralName, ...type }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(components).map(([uid, one]) => [
      `content-types/components/${uid.replace('.', '/')}.json`,
      json(one),
    ]),
  ),
}
