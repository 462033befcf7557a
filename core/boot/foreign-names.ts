import { strapi4Names } from '../foreign/strapi4/names.js'
import type { ForeignNames } from '../layout/foreign.js'

/** What the other server is called, for those who tell of it without looking at a database: help, for one. */
export const foreignNames: ForeignNames = strapi4Names
