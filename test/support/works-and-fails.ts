import type { Job } from '../../core/index.js'

/** Two jobs: one that works, and one that fails. */
export const worksAndFails: readonly Job[] = [
  { name: 'works', every: '1d', run: () => undefined },
  {
    name: 'fails',
    every: '1d',
    run: () => {
      throw new Error('on purpose')
    },
  },
]
