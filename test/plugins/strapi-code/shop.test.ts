import { replay } from './support/replay.js'

replay('shop', {
  differs: {
    'stock and coupons 9': 'what has to be unique is looked at once everything else is right, as in every project',
  },
})
