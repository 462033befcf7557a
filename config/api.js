const read = ['find', 'findOne']

export default {
  rest: {
    // What the path of every request starts with.
    prefix: '/api',
    // The entries of a page where the request does not say, and the most that a request can get.
    defaultLimit: 25,
    maxLimit: 100,
    // Whether a page says how many entries there are in all.
    withCount: true,
    // Everything is closed unless it is opened here or by a plugin. The sample lets everybody read, and write articles
    // and tags, so that the examples of the README work; config/env/production/api.js takes the writing back.
    public: {
      article: true,
      tag: true,
      author: read,
      category: read,
      comment: read,
      homepage: read,
    },
  },
}
