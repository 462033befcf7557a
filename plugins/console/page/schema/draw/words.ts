import type { NameProblem } from '../../../model/schema/names.js'
import { isTextKey, t } from '../../text.js'

/** An option or a type of attributes in words, with its name in the file; those of other plugins have their names alone. */
export const told = (of: 'word' | 'typeName', name: string): string => {
  const key = `schema.${of}.${name}`
  return isTextKey(key) ? `${t(key)} (${name})` : name
}

/** The reason for which names cannot be given, with the name that it is about. */
export const toldProblem = (
  found: { readonly at: 'singular' | 'plural' | 'category' | 'name'; readonly reason: NameProblem } | undefined,
): string => (found ? `${t(`schema.${found.at}`)}: ${t(`schema.problem.${found.reason}`)}` : '')
