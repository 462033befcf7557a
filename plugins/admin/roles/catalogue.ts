import type { AppOutline, ContentType } from '../../../core/index.js'
import { actionOf, actionsIn, type Right } from '../rights/actions.js'
import { roleWords, typeNamed } from '../rights/declared.js'
import { type Grant, grantKey, isLocalized } from '../rights/permissions.js'
import { givenNames, isOfFields, rightsTo, typesWithRights } from '../rights/types.js'
import { partsOf, type SettingPart } from './settings.js'

/** A permission that a role can have: a right to the entries of a type, or an action without a subject. */
export interface Known {
  readonly action: string
  readonly type: ContentType | undefined
  readonly right: Right | undefined
  readonly hasFields: boolean
  readonly hasLocales: boolean
  readonly isLimited: boolean
}

type Outline = Pick<AppOutline, 'app' | 'types' | 'plugins' | 'dialect' | 'actions' | 'usualRoutes'>

/** The permissions that roles can be given, with the types and attributes that they are about. */
export class Catalogue {
  readonly types: readonly ContentType[]
  readonly parts: readonly SettingPart[]
  /** The actions without a subject, also those that are not offered. */
  readonly actions: readonly string[]
  readonly #known: ReadonlyMap<string, Known>
  readonly #all: readonly ContentType[]
  readonly #outline: Outline

  constructor(outline: Outline) {
    this.#outline = outline
    this.#all = typesWithRights(outline)
    this.types = this.#all.filter(isShown)
    this.parts = partsOf(outline)
    this.actions = actionsIn(outline)
    const ofTypes = this.types.flatMap(type => rightsTo(type).map(right => knownRight(type, right)))
    const ofParts = this.parts.flatMap(({ actions }) =>
      actions.map(({ action, isLimited }) => ({
        ...{ action, isLimited, type: undefined, right: undefined, hasFields: false, hasLocales: false },
      })),
    )
    this.#known = new Map([...ofTypes, ...ofParts].map(known => [grantKey(known.action, known.type?.uid), known]))
  }

  get all(): readonly Known[] {
    return [...this.#known.values()]
  }

  known(action: string, subject: string | null | undefined): Known | undefined {
    return this.#known.get(grantKey(action, subject))
  }

  /** The name of a type in `config/permissions`: the short one, unless that is another's, or a word of its own there. */
  key(type: ContentType): string {
    const { uid, singularName } = type
    return !roleWords.includes(singularName) && typeNamed(singularName, this.#all) === type ? singularName : uid
  }

  /** The paths of attributes without which no finished entry is made. */
  required(type: ContentType): readonly string[] {
    const { types, dialect } = this.#outline
    const find = (one: ContentType, within: readonly string[]): string[] =>
      Object.entries(one.attributes).flatMap(([name, attribute]) => {
        const {
          component,
          required,
          type: kind,
        } = attribute as { component?: unknown; required?: unknown; type: string }
        if (one.added.includes(name)) return []
        const isMade = attribute.default !== undefined || (kind === 'uid' && dialect.madeUids)
        const inner =
          typeof component === 'string' && !within.includes(component) ? types.types.get(component) : undefined
        const below = inner ? find(inner, [...within, inner.uid]).map(path => `${name}.${path}`) : []
        return [...(required === true && !isMade ? [name] : []), ...below]
      })
    return find(type, [])
  }
}

const knownRight = (type: ContentType, right: Right): Known => ({
  ...{ action: actionOf(right), type, right },
  ...{ hasFields: isOfFields(right), hasLocales: isLocalized(type), isLimited: true },
})

/** Schema files keep types from editors. */
const isShown = ({ pluginOptions }: ContentType): boolean =>
  (Object(pluginOptions['content-manager']) as { readonly visible?: unknown }).visible !== false

/** A type as it is shown with its rights. */
export const shownType = (
  type: ContentType,
  { required, key }: { readonly required: readonly string[]; readonly key: string },
) => ({
  ...{ uid: type.uid, name: type.displayName, key },
  ...{ localized: isLocalized(type), drafts: type.added.includes('publishedAt') },
  ...{ fields: givenNames(type), required, rights: rightsTo(type) },
})

/** The limits of a permission that an editor may give: null is no limit; undefined where it may not be given. */
export function giveable(grants: readonly Grant[]) {
  const some = grants.filter(({ makers }) => makers?.length !== 0)
  if (some.length === 0) return undefined
  const union = <T>(part: (grant: Grant) => Iterable<T> | undefined): T[] | null =>
    some.some(grant => !part(grant)) ? null : [...new Set(some.flatMap(grant => [...(part(grant) as Iterable<T>)]))]
  return {
    fields: union(({ fields }) => fields),
    locales: union(({ locales }) => locales),
    where: union(({ makers }) => makers),
  }
}
