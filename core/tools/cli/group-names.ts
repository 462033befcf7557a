import { foreignLayout } from '../../foreign/known.js'
import { type Group, groups } from '../../layout/change/change.js'

/** The name of a group of changes for users: the other server's group has a name of its own. */
export const groupName = (group: Group): string => (group === 'foreign' ? foreignLayout.group : group)

export const groupNames: readonly string[] = groups.map(groupName)
