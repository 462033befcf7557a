import { definePlugin } from '../../../core/index.js'

/** Tells of each response that came from the cache without a statement. */
export const countingHits = (hit: () => void) =>
  definePlugin({
    name: 'counting',
    observe: {
      request({ cached, statements }) {
        if (cached === 'hit' && statements === 0) hit()
      },
    },
  })
