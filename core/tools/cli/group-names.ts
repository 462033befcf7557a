import { foreignLayout } from '../../foreign/known.js'
import { type Group, groups } from '../../layout/change/change.js'

/** What users call a group of changes: that of the other server has a name of its own. */
export const groupName = (group: Group): string => (group === 'foreign' ? foreignLayout.group : group)

export const groupNames: readonly string[] = groups.map(groupName)
