import { type ActionMeta, titleIn } from '../../model/extensions.js'
import { meta } from '../shell/session.js'
import { language } from '../text.js'

interface ExtensionAction {
  readonly action: ActionMeta
  readonly label: string
}

/** The actions of plugins on the entries of a type. */
export function actionsFor(uid: string, where: ActionMeta['where']): readonly ExtensionAction[] {
  const actions = meta.value?.extensions.actions ?? []
  return actions
    .filter(one => one.where === where && (one.types?.includes(uid) ?? true))
    .map(action => ({ action, label: titleIn(action.title, language()) }))
}
