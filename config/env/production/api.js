const read = ['find', 'findOne']

// Said over config/api.js where NODE_ENV is "production".
export default {
  rest: {
    public: { article: read, tag: read },
  },
}
