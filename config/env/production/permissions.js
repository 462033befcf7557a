// Drafts are for those who write them, whatever a visitor asks for.
const published = { publishedAt: { $notNull: true } }

// Said over config/permissions.js where NODE_ENV is "production".
export default {
  roles: {
    public: { article: { find: published, findOne: published }, tag: ['find', 'findOne'] },
  },
}
