import { type AppOutline, BootError, type ContentType } from '../../../core/index.js'
import { FileProblems, nearest } from '../../../core/plugin-kit.js'
import { superAdminCode } from '../content-types.js'
import { actionOf, actionsIn, type Right } from './actions.js'
import { leavesIn, storedNames } from './names.js'
import { conditionNames, isLocalized, type Maker, type PermissionRow } from './permissions.js'
import { isOfFields, ownNames, rightsTo, typesWithRights } from './types.js'

/** A role of editors as `config/permissions` declares it, with its inherited permissions. */
export interface DeclaredEditors {
  readonly code: string
  readonly name: string
  readonly description: string | undefined
  readonly rows: readonly PermissionRow[]
}

/** The types of an app, its permissions, and the plugins of the server. */
type Outline = Pick<AppOutline, 'types' | 'plugins' | 'actions'>
type Section = Readonly<Record<string, unknown>>
/** Rows by action and subject; undefined takes an inherited one away. */
type Grants = Map<string, PermissionRow | undefined>

/** Keys of a role that are no types. */
export const roleWords: readonly string[] = ['name', 'description', 'inherits']
const limits = ['fields', 'locales', 'where']
const makers = Object.keys(conditionNames) as Maker[]
const ofRole =
  'an object of what the role may do, such as { "article": ["read", "update"], "plugin::upload": ["read"] }'

/** The codes of the roles that `config/permissions` declares. */
export const declaredCodes = (permissions: unknown): readonly string[] =>
  Object.keys((Object(permissions) as { readonly editors?: object }).editors ?? {})

/** Reads `editors` of `config/permissions`; everything that is wrong with it is one error, each with a sentence. */
export function readEditors(permissions: unknown, outline: Outline): readonly DeclaredEditors[] {
  const { editors } = Object(permissions) as { readonly editors?: unknown }
  return editors === undefined ? [] : new Reader(outline).read(editors)
}

/** The type that a key stands for: its uid, or its short name. */
export const typeNamed = (key: string, types: readonly ContentType[]): ContentType | undefined =>
  types.find(({ uid }) => uid === key) ?? types.find(({ routed, singularName }) => routed && singularName === key)

class Reader {
  readonly #types: readonly ContentType[]
  readonly #actions: readonly string[]
  readonly #problems = new FileProblems('config/permissions')

  constructor(outline: Outline) {
    this.#types = typesWithRights(outline)
    this.#actions = actionsIn(outline)
  }

  read(written: unknown): readonly DeclaredEditors[] {
    const sections = this.#problems.object(
      written,
      'editors',
      'an object such as { "translator": { "article": ["read"] } }',
    )
    const roles = Object.keys(sections).map(code => this.#role(code, sections))
    if (this.#problems.found.length > 0) throw new BootError(this.#problems.found.join('\n'))
    return roles
  }

  #role(code: string, sections: Section): DeclaredEditors {
    const at = `editors.${code}`
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(code))
      this.#problems.add(at, 'is written in small letters, digits, - and _: it is the code of the role')
    if (code === superAdminCode) this.#problems.add(at, 'is the role that may everything; it cannot be declared')
    const section = this.#problems.object(sections[code], at, ofRole)
    const grants = this.#grants(code, sections, [])
    return {
      code,
      name: this.#problems.text(section.name, `${at}.name`) ?? code,
      description: this.#problems.text(section.description, `${at}.description`),
      rows: [...grants.values()].filter(row => row !== undefined),
    }
  }

  /** Own permissions of a role override those that it inherits. */
  #grants(code: string, sections: Section, heirs: readonly string[]): Grants {
    const at = `editors.${code}`
    const section = this.#problems.object(sections[code], at, ofRole)
    const grants: Grants = new Map()
    for (const parent of this.#parents(section.inherits, `${at}.inherits`)) {
      const path = [...heirs, code]
      if (path.includes(parent))
        this.#problems.add(`${at}.inherits`, `goes in a circle: ${[...path, parent].join(', ')}`)
      else if (!Object.hasOwn(sections, parent))
        this.#problems.add(`${at}.inherits`, `names "${parent}", which is not declared here`)
      else for (const [key, row] of this.#grants(parent, sections, path)) grants.set(key, row)
    }
    for (const [key, value] of Object.entries(section))
      if (!roleWords.includes(key))
        for (const [name, row] of this.#subject(`${at}.${key}`, key, value)) grants.set(name, row)
    return grants
  }

  #parents(inherits: unknown, at: string): readonly string[] {
    const list = inherits === undefined ? [] : [inherits].flat()
    if (list.every(name => typeof name === 'string')) return list
    this.#problems.add(at, 'is the code of another role, or a list of them')
    return []
  }

  /** The permissions below a key, which is a content type, or the beginning of actions that have none. */
  #subject(at: string, key: string, value: unknown): Grants {
    const type = typeNamed(key, this.#types)
    const own = this.#actions.filter(action => action.startsWith(`${key}.`)).map(action => action.slice(key.length + 1))
    if (!type && own.length === 0) {
      const hint = this.#hint(key)
      this.#problems.add(
        at,
        `is neither a content type nor the beginning of an action such as plugin::upload.read${hint && `; ${hint}`}`,
      )
      return new Map()
    }
    const known: readonly string[] = type ? rightsTo(type) : own
    const wanted = this.#wanted(at, value, known)
    return new Map(
      wanted.map(([action, grant]) => {
        const row = grant === false ? undefined : this.#row(`${at}.${action}`, { type, key, action }, grant)
        return [`${action} ${type?.uid ?? key}`, row]
      }),
    )
  }

  /** The name that is closest to an unknown one, as it is written here. */
  #hint(key: string): string {
    const types = this.#types.flatMap(({ uid, routed, singularName }) => (routed ? [singularName, uid] : [uid]))
    const meant = nearest(key, [...types, ...this.#actions.flatMap(beginningsOf), ...this.#actions])
    if (meant === undefined) return ''
    const dot = meant.indexOf('.')
    if (!this.#actions.includes(meant)) return `did you mean ${meant}?`
    return `did you mean "${meant.slice(0, dot)}": ["${meant.slice(dot + 1)}"]?`
  }

  #wanted(at: string, value: unknown, known: readonly string[]): (readonly [string, unknown])[] {
    if (value === true) return known.map(action => [action, true] as const)
    const wanted = Array.isArray(value)
      ? value.map(action => [String(action), true] as const)
      : Object.entries(
          this.#problems.object(value, at, 'true, a list such as ["read"] or an object such as { "read": true }'),
        )
    return wanted.filter(([action]) => {
      if (known.includes(action)) return true
      const meant = nearest(action, known)
      const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`
      this.#problems.add(at, `has no action "${action}"; ${hint}`)
      return false
    })
  }

  #row(at: string, { type, key, action }: GrantPlace, grant: unknown): PermissionRow {
    const said =
      grant === true ? {} : this.#problems.object(grant, at, 'true, false or an object with fields, locales and where')
    for (const word of Object.keys(said))
      if (!limits.includes(word)) this.#problems.add(at, `takes ${limits.join(', ')}, not "${word}"`)
    const locales = type && isLocalized(type) ? this.#locales(said.locales, at) : undefined
    if (said.locales !== undefined && locales === undefined)
      this.#problems.add(at, 'has locales, and no localized entries')
    return {
      action: type ? actionOf(action as Right) : `${key}.${action}`,
      subject: type?.uid ?? null,
      properties: {
        ...this.#fields(at, { type, key, action }, said.fields),
        ...(locales !== undefined && { locales }),
      },
      conditions: this.#conditions(said.where, at),
      actionParameters: {},
    }
  }

  /** All languages are null in Strapi 4, and a role without a word about them has all. */
  #locales(locales: unknown, at: string): readonly string[] | null {
    if (locales === undefined || isTexts(locales)) return locales ?? null
    this.#problems.add(`${at}.locales`, 'is a list of languages, such as ["de"]')
    return null
  }

  #fields(at: string, { type, action }: GrantPlace, written: unknown): { readonly fields?: readonly string[] } {
    const isTaken = isOfFields(action)
    if (type && isTaken && (written === undefined || isTexts(written)))
      return { fields: this.#names(`${at}.fields`, type, written ?? ['*']) }
    if (type && isTaken) this.#problems.add(`${at}.fields`, 'is a list such as ["title", "seo.metaTitle"] or ["*"]')
    else if (written !== undefined)
      this.#problems.add(`${at}.fields`, 'belongs to create, read and update of a content type')
    return {}
  }

  #names(at: string, type: ContentType, written: readonly string[]): readonly string[] {
    const own = ownNames(type)
    const found = new Set<string>()
    for (const name of written) {
      const isOwn = name === '*' || own.includes(name.split('.', 1)[0] ?? '')
      const leaves = isOwn ? leavesIn(type, name === '*' ? own : [name]) : []
      for (const leaf of leaves) found.add(leaf)
      if ([...leaves].length > 0) continue
      const meant = nearest(name, own)
      const hint = meant === undefined ? `there are ${own.join(', ')}` : `did you mean "${meant}"?`
      this.#problems.add(at, `names "${name}", which is no attribute of ${type.uid}; ${hint}`)
    }
    return storedNames(type, found)
  }

  #conditions(where: unknown, at: string): readonly string[] {
    const list = where === undefined ? [] : [where].flat()
    if (list.every(one => makers.includes(one as Maker))) return list.map(one => conditionNames[one as Maker])
    this.#problems.add(
      `${at}.where`,
      'is "own", for entries of the editor, "role", for those of accounts with the same role, or both',
    )
    return []
  }
}

/** `plugin::upload` and `plugin::upload.assets` of `plugin::upload.assets.create`. */
const beginningsOf = (action: string): readonly string[] =>
  [...action.matchAll(/\./g)].map(({ index }) => action.slice(0, index))

interface GrantPlace {
  readonly type: ContentType | undefined
  readonly key: string
  readonly action: string
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
