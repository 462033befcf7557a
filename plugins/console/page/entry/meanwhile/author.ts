import type { Values } from '../../../model/form/plain.js'
import type { Head } from '../../../model/form/read.js'

/**
 * The account that has saved an entry since it was read. Writes of programs leave `updatedBy` as it is: an account that stood there
 * before may have done nothing, and is not named.
 */
export const savedBy = (before: Head | undefined, now: Head): Values | undefined =>
  now.updatedBy?.id === before?.updatedBy?.id ? undefined : now.updatedBy
