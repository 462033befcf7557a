const read = ['find', 'findOne']
const write = ['create', 'update', 'delete']

// The articles of the author whose handle is the name of the account.
const own = { author: { handle: { $eq: '$caller.username' } } }

// Who may do what. The roles are brought into the database with every start; roles that are not named here stay as they are.
export default {
  roles: {
    // Everybody reads, and writes articles and tags, so that the examples of the README work as they stand;
    // config/env/production/permissions.js takes the writing back.
    public: {
      article: [...read, ...write],
      tag: [...read, ...write],
      author: read,
      category: read,
      comment: read,
      homepage: ['find'],
      'plugin::i18n.locales': ['listLocales'],
    },
    // Whoever makes an account.
    authenticated: {
      ...{ article: read, tag: read, author: read, category: read, comment: read, homepage: ['find'] },
      'plugin::i18n.locales': ['listLocales'],
    },
    // Authors write and publish their own articles, and add files.
    author: {
      name: 'Author',
      inherits: 'authenticated',
      article: { create: own, update: own, delete: own, publish: own, unpublish: own, createLocalization: own },
      tag: ['create'],
      'plugin::upload.content-api': ['upload', 'find', 'findOne'],
    },
  },
}
