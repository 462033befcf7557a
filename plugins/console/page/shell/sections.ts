import { computed } from '@preact/signals'
import { configuring } from '../../model/configuring.js'
import type { ComponentMeta, TypeMeta } from '../../model/meta.js'
import { meta } from './session.js'

/** The sections of the settings, as addresses and `meta.json` name them, in the order of their links. */
export const sections = [
  'accounts',
  'roles',
  'tokens',
  'webhooks',
  'languages',
  'api-roles',
  'activity',
  'profile',
] as const
export type Section = (typeof sections)[number]

/** The sections that the account may open. */
export const openSections = computed((): readonly Section[] =>
  sections.filter(name => meta.value?.settings.includes(name)),
)

/** True if the account may do something in a section; the server looks again. */
export const mayIn = (section: Section, action: string): boolean =>
  meta.value?.sectionRights[section]?.includes(action) === true

/** True if the account may change the layout of a type or a component. */
export const mayConfigure = (kind: TypeMeta | ComponentMeta): boolean =>
  meta.value?.sectionRights.layouts?.includes(configuring['can' in kind ? kind.kind : 'component']) === true
