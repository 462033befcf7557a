import { type Call, ForbiddenError, type Row, type TypeOutline, type Write, type Written } from '../../../core/index.js'
import { isAccountType, isOwnType } from '../content-types.js'
import type { Admin } from '../service.js'
import { endSessions } from '../sessions/ends.js'
import { EditorCaller } from './caller.js'

/** True for types whose entries may be in several languages. */
export const isTranslated = ({ pluginOptions }: Pick<TypeOutline, 'pluginOptions'>): boolean =>
  (Object(pluginOptions.i18n) as { readonly localized?: unknown }).localized === true

/** The rules of roles that rules for rows cannot say, the end of what is cached of roles, and that of sessions. */
export const hooks = {
  /** A localization is made of an entry in another language, to which the rules for rows apply. */
  beforeWrite(write: Write, { caller, permission, type }: Call): Write {
    if (permission !== 'createLocalization' || !(caller instanceof EditorCaller)) return write
    const locale = write.set?.locale ?? write.data.locale
    if (caller.rights.createsIn(String(locale), type.uid)) return write
    throw new ForbiddenError().because(`the caller may create no entry of ${type.uid} in ${String(locale)}`)
  },

  /** Own changes count at once. */
  afterWrite(row: Row, call: Written, { rights, sessions }: Admin): void | Promise<void> {
    const { type, afterCommit } = call
    if (isOwnType(type)) afterCommit(() => rights.refresh())
    return isAccountType(type) ? endSessions(row, call, sessions) : undefined
  },
}
