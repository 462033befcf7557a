import type { ForeignLayout } from '../layout/foreign.js'
import type { ForeignProject } from '../plugin/foreign.js'
import { strapi4Layout } from './strapi4/layout.js'
import { strapi4Project } from './strapi4/project.js'

/** The other servers whose app folders can be opened in place. Everything else knows them by this interface alone. */
export const foreignProjects: readonly ForeignProject[] = [strapi4Project]

/** The other server whose databases are used as they are. */
export const foreignLayout: ForeignLayout = strapi4Layout
