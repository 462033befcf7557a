import slugify from '@sindresorhus/slugify'
import type { ContentType, Field } from '../../../core/index.js'
import { snakeCase } from '../../../core/plugin-kit.js'

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
export const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** Words apart as in columns: at signs, at upper case, and between letters and digits. `faq2s` is `Faq2S`. */
export const upperCamel = (text: string): string => snakeCase(text).split('_').map(upperFirst).join('')

type Named = Pick<ContentType, 'uid' | 'kind' | 'singularName' | 'pluralName'>

/** The name of the attributes of a type, from which most others are made: `Article`, `UploadFile`, `ComponentSharedSeo`. */
export function nameOf({ uid, kind, singularName }: Named): string {
  if (kind === 'component') return upperCamel(`component_${uid}`)
  return pluginPart(uid) + upperCamel(singularName)
}

/** `plugin::users-permissions.user` begins with `UsersPermissions`. */
const pluginPart = (uid: string): string => {
  const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? []
  return plugin === undefined ? '' : upperCamel(plugin)
}

export const rootOf = (type: Named): string => lowerFirst(nameOf(type))
export const listRootOf = ({ uid, pluralName }: Named): string => lowerFirst(pluginPart(uid) + upperCamel(pluralName))

export function enumNameOf(type: Named, { name, attribute }: Pick<Field, 'name' | 'attribute'>): string {
  const { enumName } = attribute
  if (typeof enumName === 'string' && enumName !== '') return enumName
  return `ENUM_${nameOf(type).toUpperCase()}_${name.toUpperCase()}`
}

export const zoneNameOf = (type: Named, attribute: string): string =>
  `${nameOf(type)}${upperCamel(attribute)}DynamicZone`

/** Names that the specification keeps for itself begin with two underscores. */
export const isName = (text: string): boolean => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(text)

/** Members of an enum with the stored texts that they stand for. */
export function membersOf(texts: readonly string[]): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  for (const text of new Set(texts)) {
    const plain = memberOf(text)
    let member = plain
    for (let number = 2; members.has(member); number += 1) member = `${plain}_${number}`
    members.set(member, text)
  }
  return members
}

/** `two words` is `two_words`, `Ünï` is `Ueni`. */
function memberOf(text: string): string {
  const plain = slugify(text, { separator: '_', lowercase: false, decamelize: false }) || 'value'
  return isName(plain) && !['true', 'false', 'null'].includes(plain) ? plain : `_${plain}`
}
