import type { ContentType } from '../schema/types.js'
import type { AppOutline, Hiding } from './outline.js'

/** A rule of a plugin that hides entries of a type from callers without an action on it. */
type LiftedHiding = Hiding & { readonly shownBy: string }

/** The rules that hide some entries of a type from callers who lack an action, where the app has that action on the type. */
export function hidingsOf(
  { plugins, actions }: Pick<AppOutline, 'plugins' | 'actions'>,
  { uid, fields }: Pick<ContentType, 'uid' | 'fields'>,
): LiftedHiding[] {
  const isAsked = (name: string) => actions.some(one => one.uid === uid && one.action === name)
  return plugins.flatMap(({ hides }) =>
    hides?.shownBy !== undefined && fields.has(hides.attribute) && isAsked(hides.shownBy)
      ? [{ ...hides, shownBy: hides.shownBy }]
      : [],
  )
}
