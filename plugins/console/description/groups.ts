import { BootError } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import type { GroupMeta } from '../model/meta.js'
import type { BaseType } from './base.js'

/** `console.config.groups`: names of groups, each with names of types or their uids. */
type GroupSettings = Readonly<Record<string, readonly string[]>>

/** The groups of the navigation; everything that is wrong with them stops the start at once. */
export function groupsOf(settings: GroupSettings, all: readonly BaseType[]): readonly GroupMeta[] {
  const types = all.filter(({ path }) => path !== undefined)
  const byName = new Map([
    ...types.map(({ singular, uid }) => [singular, uid] as const),
    ...types.map(({ uid }) => [uid, uid] as const),
  ])
  const problems: string[] = []
  const places = new Map<string, string>()
  const uidOf = (name: string, group: string): string[] => {
    const uid = byName.get(name)
    if (uid === undefined) {
      const meant = nearest(name, [...byName.keys()])
      problems.push(
        `groups.${group}: there is no type "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
      )
      return []
    }
    const other = places.get(uid)
    if (other !== undefined) problems.push(`groups.${group}: "${name}" is in the group "${other}" already`)
    places.set(uid, group)
    return [uid]
  }
  const groups = Object.entries(settings).map(([name, names]) => ({
    name,
    types: names.flatMap(one => uidOf(one, name)),
  }))
  if (problems.length > 0) throw new BootError(problems.map(problem => `config/plugins: console.${problem}`).join('\n'))
  return groups
}

/** The groups with types that an editor sees. */
export const shownGroups = (groups: readonly GroupMeta[], isShown: (uid: string) => boolean): readonly GroupMeta[] =>
  groups.map(({ name, types }) => ({ name, types: types.filter(isShown) })).filter(({ types }) => types.length > 0)
