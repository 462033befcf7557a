// Drafts are for those who write them, whatever a visitor asks for.
const published = {
  $and: [
    { $or: [{ publishedAt: { $lte: '$now' } }, { publishAt: { $lte: '$now' } }] },
    { $or: [{ unpublishAt: { $null: true } }, { unpublishAt: { $gt: '$now' } }] },
  ],
}

// Said over config/permissions.js where NODE_ENV is "production".
export default {
  roles: {
    public: { article: { find: published, findOne: published }, tag: ['find', 'findOne'] },
  },
}
