import type { Bag, Loose, Project, Strapi } from '../types.js'

/** The kinds of parts that a project has by their names. */
export type PartKind = 'controllers' | 'services' | 'policies' | 'middlewares'

/** A name of a part: where it is, and how it is called there. */
interface PartName {
  readonly home: 'api' | 'plugin' | 'global'
  /** Of the API or plugin. */
  readonly owner: string
  readonly name: string
}

/** `api::shop.order`, `plugin::loc.hi`, `global::yes`. */
export function readName(uid: string): PartName | undefined {
  const [, home, rest = ''] = /^(api|plugin|global)::(.+)$/.exec(uid) ?? []
  if (home === 'global') return { home, owner: '', name: rest }
  const [, owner, name] = /^([^.]+)\.(.+)$/.exec(rest) ?? []
  return owner === undefined || name === undefined ? undefined : { home: home as 'api' | 'plugin', owner, name }
}

/** The export of a project under a name of a kind; undefined where it has none. */
export function exportedPart(project: Project, kind: PartKind, uid: string): Loose {
  const found = readName(uid)
  if (!found) return undefined
  const { home, owner, name } = found
  if (home === 'global') return kind === 'policies' || kind === 'middlewares' ? project[kind].get(name) : undefined
  if (home === 'api') return project.apis.get(owner)?.[kind].get(name)
  const parts: Bag | undefined = project.plugins.get(owner)?.server[kind]
  return parts && Object.hasOwn(parts, name) ? parts[name] : undefined
}

/** Controllers and services of a project by their uids: each is made when it is asked for first. */
export class MadeParts {
  readonly #project: Project
  readonly #strapi: Strapi
  readonly #made = { controllers: new Map<string, Loose>(), services: new Map<string, Loose>() }

  constructor(project: Project, strapi: Strapi) {
    this.#project = project
    this.#strapi = strapi
  }

  of(kind: 'controllers' | 'services', uid: string): Loose {
    const known = this.#made[kind].get(uid)
    if (known !== undefined) return known
    const exported = exportedPart(this.#project, kind, uid)
    if (exported === undefined) return undefined
    const made = typeof exported === 'function' ? exported({ strapi: this.#strapi }) : exported
    this.#made[kind].set(uid, made)
    return made
  }
}
