export default {
  rest: {
    // What the path of every request starts with.
    prefix: '/api',
    // The entries of a page where the request does not say, and the most that a request can get.
    defaultLimit: 25,
    maxLimit: 100,
    // Whether a page says how many entries there are in all.
    withCount: true,
  },
}
