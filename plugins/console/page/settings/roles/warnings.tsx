import { lacking } from '../../../model/roles/drafts.js'
import { actionOf, type RoleType, rights } from '../../../model/roles/types.js'
import { t } from '../../text.js'
import type { RoleStore } from './store.js'

/** Consequences of the permissions to a type that may surprise. */
export function Warnings({ store, type }: { store: RoleStore; type: RoleType }) {
  const drafts = rights.map(right => ({ right, draft: store.of({ action: actionOf(right), subject: type.uid }) }))
  const of = (right: (typeof rights)[number]) => drafts.find(one => one.right === right)?.draft
  const without = drafts.filter(({ draft }) => type.localized && draft?.locales?.length === 0).map(one => one.right)
  const lacks = lacking(type, of('create'))
  const conditions = [...new Set(drafts.flatMap(({ draft }) => draft?.otherConditions ?? []))]
  const texts = [
    ...(without.includes('read') ? [t('roles.noLanguage')] : []),
    ...without
      .filter(right => right !== 'read')
      .map(right => t('roles.noLanguage.of', { right: t(`roles.right.${right}`) })),
    ...(lacks.length > 0 ? [t(type.drafts ? 'roles.lacks.draft' : 'roles.lacks', { fields: lacks.join(', ') })] : []),
    ...conditions.map(name => t('roles.condition.other', { name })),
  ]
  if (texts.length === 0) return null
  return (
    <tr>
      <td colSpan={rights.length + 1} class="details-cell">
        <ul class="role-warnings">
          {texts.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </td>
    </tr>
  )
}
