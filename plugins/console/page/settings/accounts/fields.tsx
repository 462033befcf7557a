import type { Signal } from '@preact/signals'
import { t } from '../../text.js'
import { CheckBoxes, TextBox } from '../fields.js'
import type { GivenRole, HeldRole } from './model.js'

/** The data of an account, as they are typed. */
export interface Typed {
  readonly firstname: Signal<string>
  readonly lastname: Signal<string>
  readonly email: Signal<string>
  /** Ids, as texts. */
  readonly roles: Signal<readonly string[]>
}

export const labels = () => ({
  firstname: t('signIn.firstname'),
  lastname: t('signIn.lastname'),
  email: t('accounts.email'),
  roles: t('accounts.roles'),
})

/** The controls for an account; `held` are the roles that it has. */
export function AccountFields({
  typed,
  roles,
  held = [],
  isFixed = false,
}: {
  typed: Typed
  roles: readonly GivenRole[]
  held?: readonly HeldRole[]
  isFixed?: boolean
}) {
  const { firstname, lastname, email } = labels()
  const offered = roles.filter(role => role.mayGive || held.some(({ id }) => id === role.id))
  return (
    <>
      <TextBox label={firstname} value={typed.firstname} isFixed={isFixed} />
      <TextBox label={lastname} value={typed.lastname} isFixed={isFixed} />
      <TextBox label={email} value={typed.email} kind="email" isRequired isFixed={isFixed} />
      <CheckBoxes
        label={labels().roles}
        values={typed.roles}
        isFixed={isFixed}
        choices={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </>
  )
}

/** The body of a request; a name that is empty is none. */
export const sentOf = ({ firstname, lastname, email, roles }: Typed) => ({
  ...{ firstname: firstname.value.trim() || null, lastname: lastname.value.trim() || null },
  ...{ email: email.value, roles: roles.value.map(Number) },
})
