import { BootError, type ContentType, type KnownAction, type Registry } from '../../../core/index.js'
import { FileProblems, nearest } from '../../../core/plugin-kit.js'
import { userUid } from '../content-types.js'
import { defaultRoles } from './defaults.js'
import { type ActionLimits, type Details, readGranted } from './granted.js'

/** A role as `config/permissions` declares it, with its inherited grants. */
export interface DeclaredRole {
  readonly type: string
  readonly name: string | undefined
  readonly description: string | undefined
  /** `<uid>.<action>` */
  readonly actions: ReadonlySet<string>
  readonly details: Details
}

export interface RoleDeclarations {
  /** The moment when roles are written to the database: at every start, or only by the command. */
  readonly apply: 'boot' | 'command'
  readonly roles: ReadonlyMap<string, DeclaredRole>
}

export interface RoleContext {
  readonly types: Registry
  readonly actions: readonly KnownAction[]
}

/** False removes an inherited grant. */
type Grant = boolean | ActionLimits
type Section = Readonly<Record<string, unknown>>
const none: RoleDeclarations = { apply: 'boot', roles: new Map() }
/** `editors` is for the plugin that has their accounts. */
const settings = ['apply', 'roles', 'editors']
const words = ['name', 'description', 'inherits']
const ofRole = 'an object of what the role may do, such as { "article": ["find", "findOne"], "tag": true }'

/** Reads `config/permissions`; everything that is wrong with it stops the start at once, each with a sentence. */
export function readDeclared(written: unknown, known: RoleContext): RoleDeclarations {
  if (written === undefined) return none
  return new Reader(known).read(written)
}

class Reader {
  readonly #known: RoleContext
  readonly #problems = new FileProblems('config/permissions')
  readonly #uids: ReadonlyMap<string, readonly string[]>

  constructor(known: RoleContext) {
    this.#known = known
    const uids = new Map<string, string[]>()
    for (const { uid, action } of known.actions) uids.set(uid, [...(uids.get(uid) ?? []), action])
    this.#uids = uids
  }

  read(written: unknown): RoleDeclarations {
    const section = this.#problems.object(
      written,
      'it',
      'an object such as { "roles": { "public": { "article": ["find"] } } }',
    )
    for (const key of Object.keys(section))
      if (!settings.includes(key)) this.#problems.add(key, `is not a setting; there are ${settings.join(', ')}`)
    const { apply = 'boot', roles = {} } = section
    if (apply !== 'boot' && apply !== 'command') this.#problems.add('apply', 'is "boot" or "command"')
    const sections = new Map(
      Object.entries(
        this.#problems.object(roles, 'roles', 'an object such as { "public": { "article": ["find"] } }'),
      ).map(([type, role]) => [type, this.#problems.object(role, `roles.${type}`, ofRole)]),
    )
    const declared = new Map([...sections.keys()].map(type => [type, this.#role(type, sections)]))
    if (this.#problems.found.length > 0) throw new BootError(this.#problems.found.join('\n'))
    return { apply: apply as RoleDeclarations['apply'], roles: declared }
  }

  #role(type: string, sections: ReadonlyMap<string, Section>): DeclaredRole {
    const section = sections.get(type) as Section
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(type))
      this.#problems.add(`roles.${type}`, 'is written in small letters, digits, - and _: it is the type of the role')
    const grants = this.#withDefaults(type, section, this.#grants(type, sections, []))
    return {
      type,
      name: this.#problems.text(section.name, `roles.${type}.name`),
      description: this.#problems.text(section.description, `roles.${type}.description`),
      actions: new Set(grants.keys()),
      details: new Map([...grants].flatMap(([action, grant]) => this.#details(action, grant))),
    }
  }

  /**
   * The entry of a single type is found like one by its id, and its first write is a create: of the actions that make these
   * out, a role is granted `find` and `update` alone.
   */
  #details(action: string, grant: Grant): [string, ActionLimits][] {
    if (typeof grant === 'boolean') return []
    const uid = action.slice(0, action.lastIndexOf('.'))
    if (this.#known.types.types.get(uid)?.kind !== 'singleType') return [[action, grant]]
    const { where: _, ...others } = grant
    if (action === `${uid}.find`)
      return [
        [action, grant],
        [`${uid}.findOne`, grant],
      ]
    return action === `${uid}.update`
      ? [
          [action, grant],
          [`${uid}.create`, others],
        ]
      : [[action, grant]]
  }

  /** A role's own grants override those that it inherits. */
  #grants(type: string, sections: ReadonlyMap<string, Section>, heirs: readonly string[]): Map<string, Grant> {
    const grants = new Map<string, Grant>()
    const section = sections.get(type) as Section
    for (const parent of this.#parents(section.inherits, type)) {
      const path = [...heirs, type]
      if (path.includes(parent))
        this.#problems.add(`roles.${type}.inherits`, `goes in a circle: ${[...path, parent].join(', ')}`)
      else if (!sections.has(parent))
        this.#problems.add(`roles.${type}.inherits`, `names "${parent}", which is not declared here`)
      else
        for (const [action, grant] of this.#withDefaults(
          parent,
          sections.get(parent) as Section,
          this.#grants(parent, sections, path),
        ))
          grants.set(action, grant)
    }
    for (const [key, value] of Object.entries(section))
      if (!words.includes(key))
        for (const [action, grant] of this.#uid(`roles.${type}`, key, value))
          if (grant === false) grants.delete(action)
          else grants.set(action, grant)
    return grants
  }

  /** Signing in stays possible if no setting mentions it. */
  #withDefaults(type: string, section: Section, grants: Map<string, Grant>): Map<string, Grant> {
    const actions = defaultRoles.find(role => role.type === type)?.actions ?? {}
    for (const [uid, names] of Object.entries(actions))
      if (!Object.hasOwn(section, uid))
        for (const name of names) if (!grants.has(`${uid}.${name}`)) grants.set(`${uid}.${name}`, true)
    return grants
  }

  #parents(inherits: unknown, type: string): readonly string[] {
    const list = inherits === undefined ? [] : Array.isArray(inherits) ? inherits : [inherits]
    if (list.every(name => typeof name === 'string')) return list
    this.#problems.add(`roles.${type}.inherits`, 'is the type of another role, or a list of them')
    return []
  }

  #uid(role: string, key: string, value: unknown): [string, Grant][] {
    const at = `${role}.${key}`
    const uid = this.#uidOf(key)
    if (uid === undefined) {
      const names = [...this.#singularNames(), ...this.#uids.keys()]
      const meant = nearest(key, names)
      const hint = meant === undefined ? `there are ${names.join(', ')}` : `did you mean ${meant}?`
      this.#problems.add(at, `is neither a uid nor the singular name of a content type; ${hint}`)
      return []
    }
    const known = this.#uids.get(uid) as readonly string[]
    if (value === true) return known.map(action => [`${uid}.${action}`, true])
    const wanted: [string, unknown][] = Array.isArray(value)
      ? value.map(action => [String(action), true])
      : Object.entries(
          this.#problems.object(value, at, 'true, a list such as ["find"] or an object such as { "find": true }'),
        )
    return wanted.flatMap(([action, grant]) => {
      if (!known.includes(action)) {
        this.#problems.add(at, `has no action "${action}"; there are ${known.join(', ')}`)
        return []
      }
      return this.#grant(`${at}.${action}`, { uid, action }, grant).map((one): [string, Grant] => [
        `${uid}.${action}`,
        one,
      ])
    })
  }

  #uidOf(key: string): string | undefined {
    if (this.#uids.has(key)) return key
    return this.#served().find(({ singularName }) => singularName === key)?.uid
  }

  /** The content types with actions that may also be called by their singular names. */
  #served(): readonly ContentType[] {
    return [...this.#known.types.types.values()].filter(({ routed, uid }) => routed && this.#uids.has(uid))
  }

  #singularNames(): readonly string[] {
    return this.#served().map(({ singularName }) => singularName)
  }

  #grant(at: string, { uid, action }: KnownAction, grant: unknown): Grant[] {
    if (typeof grant === 'boolean') return [grant]
    const type: ContentType | undefined = this.#known.types.types.get(uid)
    const isObject = typeof grant === 'object' && grant !== null && !Array.isArray(grant)
    if (!isObject || !type) {
      this.#problems.add(
        at,
        type
          ? 'is true, false or a filter, or an object with where, set and fields'
          : 'is true or false: there are no entries that a filter could choose from',
      )
      return []
    }
    try {
      const account = this.#known.types.get(userUid)
      return [readGranted(grant as Readonly<Record<string, unknown>>, { type, action, account })]
    } catch (reason) {
      if (typeof reason !== 'string') throw reason
      this.#problems.add(at, reason)
      return []
    }
  }
}
