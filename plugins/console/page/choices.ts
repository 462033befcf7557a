import { type Query, withQuery } from '../../pages/values/query-text.js'
import type { TypeMeta } from '../model/meta.js'
import { base } from './shell/address.js'
import { meta } from './shell/session.js'

/** True if the account may choose entries of a type for relations. */
export const hasChoices = ({ path, can, isChosen }: TypeMeta): boolean =>
  isChosen === true || (path !== undefined && can.read !== null)

/** The address of the entries of a type that may be chosen. */
export const choicesAt = ({ uid, path, isChosen }: TypeMeta, query: Query): string =>
  withQuery(isChosen ? `${base}/choices/${uid}` : `${meta.peek()?.app.api}${path}`, query)
