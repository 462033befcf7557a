import { BootError, type ContentType, type Registry } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import { superAdminCode } from '../content-types.js'
import { actionOf, type Right, rights, settingsActions, userUid } from './actions.js'
import { leavesIn, storedNames } from './names.js'
import { conditionNames, isLocalized, type Maker, type PermissionRow } from './permissions.js'

/** A role of editors as `config/permissions` declares it, with its inherited permissions. */
export interface DeclaredEditors {
  readonly code: string
  readonly name: string
  readonly description: string | undefined
  readonly rows: readonly PermissionRow[]
}

type Types = Pick<Registry, 'types'>
type Section = Readonly<Record<string, unknown>>
/** Rows by action and subject; undefined takes an inherited one away. */
type Grants = Map<string, PermissionRow | undefined>

const words = ['name', 'description', 'inherits']
const limits = ['fields', 'locales', 'where']
const makers = Object.keys(conditionNames) as Maker[]
const ofRole =
  'an object of what the role may do, such as { "article": ["read", "update"], "plugin::upload": ["read"] }'

/** Reads `editors` of `config/permissions`; everything that is wrong with it is one error, each with a sentence. */
export function readEditors(permissions: unknown, types: Types): readonly DeclaredEditors[] {
  const { editors } = Object(permissions) as { readonly editors?: unknown }
  return editors === undefined ? [] : new Reader(types).read(editors)
}

class Reader {
  readonly #types: readonly ContentType[]
  readonly #problems: string[] = []

  constructor({ types }: Types) {
    this.#types = [...types.values()].filter(({ routed, uid }) => routed || uid === userUid)
  }

  read(written: unknown): readonly DeclaredEditors[] {
    const sections = this.#object(written, 'editors', 'an object such as { "translator": { "article": ["read"] } }')
    const roles = Object.keys(sections).map(code => this.#role(code, sections))
    if (this.#problems.length > 0) throw new BootError(this.#problems.join('\n'))
    return roles
  }

  #role(code: string, sections: Section): DeclaredEditors {
    const at = `editors.${code}`
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(code))
      this.#wrong(at, 'is written in small letters, digits, - and _: it is the code of the role')
    if (code === superAdminCode) this.#wrong(at, 'is the role that may everything; it cannot be declared')
    const section = this.#object(sections[code], at, ofRole)
    const grants = this.#grants(code, sections, [])
    return {
      code,
      name: this.#text(section.name, `${at}.name`) ?? code,
      description: this.#text(section.description, `${at}.description`),
      rows: [...grants.values()].filter(row => row !== undefined),
    }
  }

  /** Own permissions of a role override those that it inherits. */
  #grants(code: string, sections: Section, heirs: readonly string[]): Grants {
    const at = `editors.${code}`
    const section = this.#object(sections[code], at, ofRole)
    const grants: Grants = new Map()
    for (const parent of this.#parents(section.inherits, `${at}.inherits`)) {
      const path = [...heirs, code]
      if (path.includes(parent)) this.#wrong(`${at}.inherits`, `goes in a circle: ${[...path, parent].join(', ')}`)
      else if (!Object.hasOwn(sections, parent))
        this.#wrong(`${at}.inherits`, `names "${parent}", which is not declared here`)
      else for (const [key, row] of this.#grants(parent, sections, path)) grants.set(key, row)
    }
    for (const [key, value] of Object.entries(section))
      if (!words.includes(key))
        for (const [name, row] of this.#subject(`${at}.${key}`, key, value)) grants.set(name, row)
    return grants
  }

  #parents(inherits: unknown, at: string): readonly string[] {
    const list = inherits === undefined ? [] : [inherits].flat()
    if (list.every(name => typeof name === 'string')) return list
    this.#wrong(at, 'is the code of another role, or a list of them')
    return []
  }

  /** The permissions below a key, which is a content type, or the beginning of actions that have none. */
  #subject(at: string, key: string, value: unknown): Grants {
    const type = this.#types.find(({ uid, singularName }) => uid === key || (uid !== userUid && singularName === key))
    const own = settingsActions
      .filter(action => action.startsWith(`${key}.`))
      .map(action => action.slice(key.length + 1))
    if (!type && own.length === 0) {
      const names = [...this.#types.flatMap(({ uid, singularName }) => [singularName, uid]), ...settingsActions]
      const meant = nearest(key, names)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      this.#wrong(at, `is neither a content type nor the beginning of an action such as plugin::upload.read${hint}`)
      return new Map()
    }
    const known = type ? rightsTo(type) : own
    const wanted = this.#wanted(at, value, known)
    return new Map(
      wanted.map(([action, grant]) => {
        const row = grant === false ? undefined : this.#row(`${at}.${action}`, { type, key, action }, grant)
        return [`${action} ${type?.uid ?? key}`, row]
      }),
    )
  }

  #wanted(at: string, value: unknown, known: readonly string[]): (readonly [string, unknown])[] {
    if (value === true) return known.map(action => [action, true] as const)
    const wanted = Array.isArray(value)
      ? value.map(action => [String(action), true] as const)
      : Object.entries(this.#object(value, at, 'true, a list such as ["read"] or an object such as { "read": true }'))
    return wanted.filter(([action]) => {
      if (known.includes(action)) return true
      this.#wrong(at, `has no action "${action}"; there are ${known.join(', ')}`)
      return false
    })
  }

  #row(at: string, { type, key, action }: GrantPlace, grant: unknown): PermissionRow {
    const said =
      grant === true ? {} : this.#object(grant, at, 'true, false or an object with fields, locales and where')
    for (const word of Object.keys(said))
      if (!limits.includes(word)) this.#wrong(at, `takes ${limits.join(', ')}, not "${word}"`)
    const locales = type && isLocalized(type) ? this.#locales(said.locales, at) : undefined
    if (said.locales !== undefined && locales === undefined) this.#wrong(at, 'has locales, and no localized entries')
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
    this.#wrong(`${at}.locales`, 'is a list of languages, such as ["de"]')
    return null
  }

  #fields(at: string, { type, action }: GrantPlace, written: unknown): { readonly fields?: readonly string[] } {
    const isTaken = action === 'create' || action === 'read' || action === 'update'
    if (type && isTaken && (written === undefined || isTexts(written)))
      return { fields: this.#names(`${at}.fields`, type, written ?? ['*']) }
    if (type && isTaken) this.#wrong(`${at}.fields`, 'is a list such as ["title", "seo.metaTitle"] or ["*"]')
    else if (written !== undefined) this.#wrong(`${at}.fields`, 'belongs to create, read and update of a content type')
    return {}
  }

  #names(at: string, type: ContentType, written: readonly string[]): readonly string[] {
    const own = Object.keys(type.attributes).filter(name => !type.added.includes(name))
    const found = new Set<string>()
    for (const name of written) {
      const isOwn = name === '*' || own.includes(name.split('.', 1)[0] ?? '')
      const leaves = isOwn ? leavesIn(type, name === '*' ? own : [name]) : []
      for (const leaf of leaves) found.add(leaf)
      if ([...leaves].length > 0) continue
      const meant = nearest(name, own)
      const hint = meant === undefined ? `there are ${own.join(', ')}` : `did you mean "${meant}"?`
      this.#wrong(at, `names "${name}", which is no attribute of ${type.uid}; ${hint}`)
    }
    return storedNames(type, found)
  }

  #conditions(where: unknown, at: string): readonly string[] {
    const list = where === undefined ? [] : [where].flat()
    if (list.every(one => makers.includes(one as Maker))) return list.map(one => conditionNames[one as Maker])
    this.#wrong(
      `${at}.where`,
      'is "own", for entries of the editor, "role", for those of accounts with the same role, or both',
    )
    return []
  }

  #object(value: unknown, at: string, accepted: string): Section {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Section
    this.#wrong(at, `is ${Array.isArray(value) ? 'a list' : JSON.stringify(value)}; expected ${accepted}`)
    return {}
  }

  #text(value: unknown, at: string): string | undefined {
    if (value !== undefined && typeof value !== 'string') this.#wrong(at, 'is text')
    return value as string | undefined
  }

  #wrong(at: string, reason: string): void {
    const sentence = `config/permissions: ${at} ${reason}`
    if (!this.#problems.includes(sentence)) this.#problems.push(sentence)
  }
}

interface GrantPlace {
  readonly type: ContentType | undefined
  readonly key: string
  readonly action: string
}

const rightsTo = ({ added }: ContentType): readonly string[] =>
  rights.filter(right => right !== 'publish' || added.includes('publishedAt'))

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
