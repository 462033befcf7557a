import { replay } from './support/replay.js'

// A new password ends the tokens of the account here, and does not in Strapi.
replay('accounts', { signsInAfter: ['extension 19'] })
