import type { Config } from '../config/types.js'
import { strapi4Layout } from '../foreign/strapi4/layout.js'
import { strapi4Project } from '../foreign/strapi4/project.js'
import type { ForeignLayout } from '../layout/foreign.js'
import type { ForeignProject } from '../plugin/foreign.js'

/** The app folders of other servers that can be opened in place. Everything else knows them by this interface alone. */
const foreignProjects: readonly ForeignProject[] = [strapi4Project]

/** The other server whose databases are used as they are. */
export const foreignLayout: ForeignLayout = strapi4Layout

/** The other server whose app folder this is, if it is not one of this server. */
export async function detectProject(appDir: string): Promise<ForeignProject | undefined> {
  for (const project of foreignProjects) if (await project.detect(appDir)) return project
  return undefined
}

/** The other server whose app folder has been opened. */
export const projectOf = ({ project }: Pick<Config, 'project'>): ForeignProject | undefined =>
  foreignProjects.find(({ kind }) => kind === project)
