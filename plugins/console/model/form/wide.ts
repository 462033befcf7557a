import type { AttributeInfo, Permissions, Right, TypeMeta } from '../meta.js'

/** A type for forms of entries, of which some have fields that others lack. A response has those of its entry alone. */
export function wideType(type: TypeMeta): TypeMeta {
  if (!type.attributes.some(({ ofSome }) => ofSome)) return type
  const { read } = type.can
  return {
    ...type,
    attributes: type.attributes.map(wideAttribute),
    can: { ...type.can, read: read && withNames(read, read.more ?? []) },
  }
}

function wideAttribute<A extends AttributeInfo>(attribute: A): A {
  const { ofSome, readable, writable } = attribute
  if (!ofSome) return attribute
  return {
    ...attribute,
    readable: readable || ofSome.readable === true,
    writable: writable || ofSome.writable === true,
  }
}

/** The permissions for one entry: a new one by its language, a stored one by what the server tells. */
export function permissionsFor(
  can: Permissions,
  { locale, update }: { readonly locale: string | null; readonly update: readonly string[] },
): Permissions {
  return {
    ...can,
    read: can.read && inLanguage(can.read, locale),
    create: can.create && inLanguage(can.create, locale),
    update: can.update && withNames(can.update, update),
  }
}

function inLanguage(right: Right, locale: string | null): Right {
  const isMeant = (locales: readonly string[] | undefined) =>
    locales === undefined || (locale !== null && locales.includes(locale))
  const parts = (right.moreIn ?? []).filter(({ locales }) => isMeant(locales))
  return withNames(
    right,
    parts.flatMap(({ fields }) => fields),
  )
}

const withNames = (right: Right, names: readonly string[]): Right =>
  right.fields && names.length > 0 ? { ...right, fields: [...right.fields, ...names] } : right
