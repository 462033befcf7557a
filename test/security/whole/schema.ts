export const userUid = 'plugin::users-permissions.user'
export const roleUid = 'plugin::users-permissions.role'

const relation = (relation: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target,
  ...more,
})
const localized = { pluginOptions: { i18n: { localized: true } } }
const note = { type: 'string', private: true }

/** Hidden attributes stand at every place where an attribute can stand. */
export const components = {
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string' },
      secretNote: note,
      pin: { type: 'password' },
      social: { type: 'component', component: 'shared.social' },
    },
  },
  'shared.social': { attributes: { network: { type: 'string' }, secretNote: note } },
  'shared.slide': {
    attributes: {
      caption: { type: 'string' },
      secretNote: note,
      image: { type: 'media' },
      memo: relation('oneToOne', 'api::memo.memo'),
      vault: relation('oneToOne', 'api::vault.vault'),
    },
  },
  'shared.quote': {
    attributes: { text: { type: 'text' }, secretNote: note, memos: relation('oneToMany', 'api::memo.memo') },
  },
}

export const types = {
  article: {
    options: { draftAndPublish: true, populateCreatorFields: true },
    ...localized,
    attributes: {
      title: { type: 'string', required: true, maxLength: 200, ...localized },
      slug: { type: 'uid' },
      body: { type: 'richtext' },
      views: { type: 'integer' },
      big: { type: 'biginteger' },
      price: { type: 'decimal' },
      active: { type: 'boolean' },
      released: { type: 'date' },
      opens: { type: 'time' },
      happened: { type: 'datetime' },
      contact: { type: 'email' },
      kind: { type: 'enumeration', enum: ['news', 'essay'] },
      extra: { type: 'json' },
      secretNote: note,
      pin: { type: 'password' },
      cover: { type: 'media', allowedTypes: ['images', 'files'] },
      gallery: { type: 'media', multiple: true },
      secretScan: { type: 'media', private: true },
      owner: relation('manyToOne', userUid),
      author: relation('manyToOne', 'api::author.author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'api::tag.tag', { inversedBy: 'articles' }),
      secretTags: relation('oneToMany', 'api::tag.tag', { private: true }),
      vault: relation('oneToOne', 'api::vault.vault'),
      memos: relation('oneToMany', 'api::memo.memo', { mappedBy: 'about' }),
      anything: { type: 'relation', relation: 'morphToMany' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.slide', 'shared.quote', 'shared.seo'] },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      secretNote: note,
      pin: { type: 'password' },
      user: relation('oneToOne', userUid),
      articles: relation('oneToMany', 'api::article.article', { mappedBy: 'author' }),
    },
  },
  tag: {
    attributes: {
      name: { type: 'string', unique: true },
      secretNote: note,
      articles: relation('manyToMany', 'api::article.article', { mappedBy: 'tags' }),
    },
  },
  vault: { attributes: { code: { type: 'string' } } },
  /** Everybody has memos of his own, and sees no others. */
  memo: {
    attributes: {
      text: { type: 'string' },
      owner: relation('manyToOne', userUid),
      about: relation('manyToOne', 'api::article.article', { inversedBy: 'memos' }),
      scan: { type: 'media' },
    },
  },
  /** Visitors may write these, and read none. */
  message: {
    attributes: {
      text: { type: 'text' },
      secretNote: note,
      about: relation('oneToOne', 'api::article.article'),
      anything: { type: 'relation', relation: 'morphToMany' },
    },
  },
  homepage: {
    kind: 'singleType',
    options: { draftAndPublish: true },
    ...localized,
    attributes: {
      headline: { type: 'string', ...localized },
      secretNote: note,
      featured: relation('oneToMany', 'api::memo.memo'),
    },
  },
}

const own = { owner: { id: { $eq: '$caller.id' } } }
const self = { id: { $eq: '$caller.id' } }
const reads = ['find', 'findOne']

/** The permissions of each role: a visitor, an account, a writer, a manager of accounts. */
export const permissions = {
  roles: {
    public: { article: reads, author: reads, tag: reads, homepage: ['find'], message: ['create'] },
    authenticated: {
      inherits: 'public',
      memo: { find: own, findOne: own, create: own, update: own, delete: own },
      article: { find: true, findOne: true, create: own, update: own },
      [userUid]: { me: true, find: self, update: self },
      'plugin::upload.content-api': ['upload'],
    },
    editor: {
      inherits: 'authenticated',
      article: true,
      author: true,
      homepage: true,
      [userUid]: ['find', 'findOne', 'me', 'count'],
      'plugin::upload.content-api': true,
      'plugin::i18n.locales': true,
    },
    manager: {
      inherits: 'editor',
      [userUid]: true,
      'plugin::users-permissions.role': true,
      'plugin::users-permissions.permissions': true,
    },
  },
}
