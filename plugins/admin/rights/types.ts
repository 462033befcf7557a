import type { AppOutline, ContentType } from '../../../core/index.js'
import { type Right, rights, userUid } from './actions.js'
import { leavesIn, storedNames } from './names.js'

/** The types to whose entries roles of editors give rights. */
export function typesWithRights({ types, plugins }: Pick<AppOutline, 'types' | 'plugins'>): readonly ContentType[] {
  const names = new Set(plugins.map(({ name }) => `plugin::${name}`))
  return [...types.types.values()].filter(
    ({ uid, kind, routed }) =>
      routed || uid === userUid || (kind !== 'component' && uid.startsWith('plugin::') && !names.has(ownerOf(uid))),
  )
}

const ownerOf = (uid: string): string => uid.slice(0, uid.indexOf('.'))

/** The rights that there are to the entries of a type. */
export const rightsTo = ({ added }: Pick<ContentType, 'added'>): readonly Right[] =>
  rights.filter(right => right !== 'publish' || added.includes('publishedAt'))

/** True for the rights that are given for some attributes. */
export const isOfFields = (right: string): boolean => right === 'create' || right === 'read' || right === 'update'

/** The attributes of a type's own, without those that plugins add. */
export const ownNames = ({ attributes, added }: ContentType): readonly string[] =>
  Object.keys(attributes).filter(name => !added.includes(name))

/** The names that rights are given for, as they are stored: parts of components by dots, zones by their name. */
export const givenNames = (type: ContentType): readonly string[] => storedNames(type, leavesIn(type, ownNames(type)))
