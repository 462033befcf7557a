import type { Bag, Loose } from '../../types.js'
import type { Model } from './content-types.js'

/** Under this key `ctx.state.auth` has what its caller may do, also in copies that code makes of it. */
export const permitted = Symbol('what the caller may do')

export type Can = (action: string, uid: string) => boolean

/** The facts that a sanitizer needs beside the data: the types, and what the caller may do. */
export interface Access {
  readonly getModel: (uid: string) => Model | undefined
  /** Undefined where there is no caller: relations are not looked at then. */
  readonly can: Can | undefined
}

const nothing: Can = () => false

/** The permissions of a caller, from `ctx.state.auth` or what code has made of it. */
export const canOf = (auth: Loose): Can => auth?.[permitted] ?? nothing

/** The access of a call of `sanitize.contentAPI` or `validate.contentAPI`: without `auth`, relations are not looked at. */
export const accessOf = (options: Bag | undefined, getModel: Access['getModel']): Access => ({
  getModel,
  can: options?.auth === undefined || options.auth === null ? undefined : canOf(options.auth),
})

/** The types behind a relation are read through `find`. */
export const mayFollow = ({ can }: Access, uid: string | undefined): boolean =>
  can === undefined || (uid !== undefined && can('find', uid))
