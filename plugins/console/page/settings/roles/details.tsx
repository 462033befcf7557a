import type { ComponentChildren } from 'preact'
import { fieldRows, givenFor, namesGiven } from '../../../model/roles/drafts.js'
import { actionOf, isOfFields, type Maker, type Right, type RoleType, rights } from '../../../model/roles/types.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { Box } from './box.js'
import { RightsHead, RightsRow } from './rights-table.js'
import type { RoleStore } from './store.js'

interface Props {
  readonly store: RoleStore
  readonly type: RoleType
}

/** The attributes, languages and makers for which each right to a type holds. */
export function Details(props: Props) {
  const { type } = props
  return (
    <table class="role-grid inner" aria-label={t('roles.details', { type: type.name })}>
      <RightsHead title={t('roles.limits')} />
      <Fields {...props} />
      {type.localized && <Languages {...props} />}
      <Makers {...props} />
    </table>
  )
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={rights.length + 1} class="group-title">
          {title}
        </th>
      </tr>
      {children}
    </tbody>
  )
}

const about = (right: Right, { uid }: RoleType) => ({ action: actionOf(right), subject: uid })

function Fields({ store, type }: Props) {
  const cell = (right: Right, names: readonly string[], label: string) => {
    const draft = store.of(about(right, type))
    if (!draft || !isOfFields(right)) return null
    const given = namesGiven(store.role, type, right)
    const chosen = draft.fields ?? type.fields
    const some = names.filter(name => chosen.includes(name)).length
    const isOpen = !store.isFixed && names.some(name => given.includes(name))
    if (some === 0 && !isOpen) return <>–</>
    return (
      <Box
        label={label}
        state={some === names.length ? 'all' : some > 0 ? 'some' : 'none'}
        isFixed={!isOpen}
        onChange={isWanted => {
          const isChanged = (name: string) => names.includes(name) && given.includes(name)
          const has = (name: string) => (isChanged(name) ? isWanted : chosen.includes(name))
          store.change(about(right, type), { fields: type.fields.filter(has) })
        }}
      />
    )
  }
  return (
    <Group title={t('roles.fields')}>
      {fieldRows(type.fields).map(({ path, name, depth, names }) => (
        <RightsRow
          key={path}
          class={`depth-${Math.min(depth, 4)}`}
          cell={right => cell(right, names, `${path}: ${t(`roles.right.${right}`)}`)}
        >
          <span title={path}>{name}</span>
          {type.required.includes(path) && <span class="quiet"> ({t('field.required')})</span>}
        </RightsRow>
      ))}
    </Group>
  )
}

function Languages({ store, type }: Props) {
  const known = meta.value?.languages ?? []
  const stored = rights.flatMap(right => store.of(about(right, type))?.locales ?? [])
  const codes = [...new Set([...known.map(({ code }) => code), ...stored])]
  const nameOf = (code: string) => known.find(one => one.code === code)?.name ?? code
  const whole = (right: Right) => {
    const draft = store.of(about(right, type))
    const given = givenFor(store.role, about(right, type))
    if (!draft) return null
    if (draft.locales !== null && given?.locales !== null) return <>–</>
    return (
      <Box
        label={`${t('roles.languages.all')}: ${t(`roles.right.${right}`)}`}
        state={draft.locales === null ? 'all' : 'none'}
        isFixed={!store.isOpen(about(right, type))}
        onChange={isWanted => store.change(about(right, type), { locales: isWanted ? null : codes })}
      />
    )
  }
  const cell = (right: Right, code: string) => {
    const draft = store.of(about(right, type))
    const given = givenFor(store.role, about(right, type))
    if (!draft) return null
    const isGiven = !given?.locales || given.locales.includes(code)
    const has = draft.locales?.includes(code) ?? true
    return (
      <Box
        label={`${nameOf(code)}: ${t(`roles.right.${right}`)}`}
        state={has ? 'all' : 'none'}
        isFixed={!store.isOpen(about(right, type)) || draft.locales === null || !isGiven}
        onChange={isWanted => {
          const others = (draft.locales ?? codes).filter(one => one !== code)
          store.change(about(right, type), { locales: isWanted ? [...others, code].sort() : others })
        }}
      />
    )
  }
  return (
    <Group title={t('roles.languages')}>
      <RightsRow cell={whole}>{t('roles.languages.all')}</RightsRow>
      {codes.map(code => (
        <RightsRow key={code} cell={right => cell(right, code)}>
          {nameOf(code)}
        </RightsRow>
      ))}
    </Group>
  )
}

export const makers = ['own', 'role'] as const satisfies readonly Maker[]

function Makers({ store, type }: Props) {
  const cell = (right: Right, maker: Maker) => {
    const draft = store.of(about(right, type))
    const given = givenFor(store.role, about(right, type))?.where
    if (!draft) return null
    const has = draft.where.includes(maker)
    const others = draft.where.filter(one => one !== maker)
    // Without a condition it would hold for entries that the account may not give.
    const isNeeded = has && others.length === 0 && given !== null
    return (
      <Box
        label={`${t(`roles.where.${maker}`)}: ${t(`roles.right.${right}`)}`}
        state={has ? 'all' : 'none'}
        isFixed={!store.isOpen(about(right, type)) || isNeeded || (!has && given !== null && !given?.includes(maker))}
        onChange={isWanted => store.change(about(right, type), { where: isWanted ? [...others, maker] : others })}
      />
    )
  }
  return (
    <Group title={t('roles.where')}>
      {makers.map(maker => (
        <RightsRow key={maker} cell={right => cell(right, maker)}>
          {t(`roles.where.${maker}`)}
        </RightsRow>
      ))}
    </Group>
  )
}
