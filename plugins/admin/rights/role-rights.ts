import { createHash } from 'node:crypto'
import { type Caller, type ContentType, type Filters, late, type Registry } from '../../../core/index.js'
import { accountUid } from '../content-types.js'
import {
  actionOf,
  fileActions,
  fileUid,
  folderUid,
  isElsewhere,
  mayUse,
  type Right,
  rightOf,
  userRoleUid,
  userUid,
} from './actions.js'
import { hasWhole } from './giving.js'
import { leavesIn, leavesOf, withWholes } from './names.js'
import {
  asMaker,
  fieldsOf,
  filtersOf,
  type Grant,
  type Grants,
  grantKey,
  grantsOf,
  isWithin,
  limitedGrants,
  noEntry,
  type PermissionRow,
} from './permissions.js'

/** The roles of an account, with their permissions. */
interface HeldRoles {
  readonly ids: readonly number[]
  /** Everything is permitted, whatever the rows are. */
  readonly isSuper: boolean
  readonly rows: readonly PermissionRow[]
}

type Types = Pick<Registry, 'types'>
type MoreFields = NonNullable<ReturnType<NonNullable<Caller['more']>>>[number]
type Names = ReadonlySet<string> | undefined

/** The permissions of some roles as a caller has them: shared by all accounts that have these roles, and no others. */
export class RoleRights implements Pick<Caller, 'scope' | 'can' | 'rows' | 'fields' | 'more' | 'sets' | 'gives'> {
  readonly scope: string
  readonly roles: readonly number[]
  readonly isSuper: boolean
  readonly grants: Grants
  readonly can: Caller['can']
  /** Absent where there is no limit to any entry. */
  readonly rows: Caller['rows']
  readonly fields: NonNullable<Caller['fields']>
  /** Absent where there is no limit to any entry. */
  readonly more: Caller['more']
  readonly sets: NonNullable<Caller['sets']>
  readonly gives: NonNullable<Caller['gives']>
  readonly #types: Types

  constructor({ ids, isSuper, rows }: HeldRoles, types: Types) {
    this.#types = types
    this.roles = ids
    this.isSuper = isSuper
    this.grants = grantsOf(isSuper ? [] : rows, types)
    this.scope = `admin ${ids.join(',')} ${isSuper ? 'super' : stampOf(rows)}`
    this.can = (action, uid) => isSuper || this.#can(action, uid)
    this.rows = isSuper ? undefined : remembered((action, uid) => this.#rows(action, uid))
    this.fields = remembered((action, uid) => this.#fields(action, uid))
    this.more = isSuper ? undefined : remembered((action, uid) => this.#more(action, uid))
    this.sets = remembered((action, uid) => this.#sets(action, uid))
    this.gives = isSuper || ((action, uid) => hasWhole(this, { action, uid }, types))
  }

  /** The permissions of a right to the entries of a type. */
  of(right: Right, uid: string): readonly Grant[] {
    if (this.isSuper) return [{}]
    if (uid !== fileUid) return this.grants.get(grantKey(actionOf(right), uid)) ?? []
    // Who may change files may delete them.
    const action = right === 'read' || right === 'create' ? fileActions[right] : fileActions.update
    return this.grants.get(grantKey(action, null)) ?? []
  }

  /** True if entries of a type may be made in a language. */
  createsIn(locale: string, uid: string): boolean {
    return asMaker(this.of('create', uid)).some(({ locales, makers }) => !makers && (locales?.includes(locale) ?? true))
  }

  #has = (right: Right, uid: string): boolean => this.of(right, uid).length > 0

  #can(action: string, uid: string): boolean {
    const type = this.#types.types.get(uid)
    if (!type || isElsewhere(uid)) return mayUse(this.grants, action, uid) || this.#namesRoles(action, uid)
    const right = rightOf(action)
    if (!right || !this.#has(right, uid)) return false
    // A localization is made of an entry that can be read.
    return action !== 'createLocalization' || this.#has('read', uid)
  }

  /** True for the roles of accounts of the site, where the role of an account may be read or written: their names are shown. */
  #namesRoles(action: string, uid: string): boolean {
    if (uid !== userRoleUid || action !== 'find') return false
    const grants = (['read', 'create', 'update'] as const).flatMap(right => this.of(right, userUid))
    return grants.some(({ fields }) => fields?.has('role') ?? true)
  }

  #rows(action: string, uid: string): Filters | undefined {
    const type = this.#types.types.get(uid)
    // Folders are changed as files are, and all of them are seen.
    if (type && uid === folderUid && (action === 'update' || action === 'delete'))
      return filtersOf(this.of('update', fileUid), this.roles)
    if (!type || type.kind === 'component' || isElsewhere(uid)) return undefined
    // Files of an entry are shown with it: `library` is the permission that lists them.
    if (uid === fileUid && action === 'find') return undefined
    const right = uid === fileUid && action === 'library' ? 'read' : rightOf(action)
    if (!right) return noEntry
    const filters = (grants: readonly Grant[]) => filtersOf(grants, this.roles)
    // Of a localization these are the rules for the entry that it is made of; those for itself are checked with its language.
    if (right === 'read' || action === 'createLocalization') return filters(this.of('read', uid))
    const grants = this.of(right, uid)
    if (right === 'create') return filters(asMaker(grants))
    // The response to a write shows the entry, which has to be one that the caller may read.
    const read = this.of('read', uid)
    const isCovered = read.length === 0 || grants.every(one => read.some(other => isWithin(one, other)))
    const parts = [filters(grants), isCovered ? undefined : filters(read)].filter(part => part !== undefined)
    return parts.length > 1 ? { $and: parts } : parts[0]
  }

  #fields(action: string, uid: string): Names {
    const type = this.#types.types.get(uid)
    if (uid === userRoleUid && !this.isSuper && !mayUse(this.grants, action, uid)) return new Set(['name'])
    if (!type || (isElsewhere(uid) && uid !== accountUid)) return undefined
    if (uid === accountUid) return new Set(['firstname', 'lastname', 'username'])
    // What may be read of a component is for the type to say that has it.
    if (type.kind === 'component') return leavesIn(type, [...type.fields.keys(), ...type.links.keys()])
    if (uid === fileUid) return withWholes(type, leavesOf(type))
    const right = rightOf(action)
    if (right === 'publish') return new Set(['publishedAt'])
    if (right === 'delete' || !right) return undefined
    return right === 'read' ? this.#readable(type) : this.#writable(type, right)
  }

  #readable(type: ContentType): Names {
    const grants = this.of('read', type.uid)
    if (grants.length === 0) return new Set()
    const usual = [...always, ...type.added.filter(name => (type.fields.get(name) ?? type.links.get(name))?.readable)]
    const named = fieldsOf(grants) ?? leavesOf(type)
    return withWholes(type, new Set([...leavesIn(type, usual), ...without(named, secretsOf(type))]))
  }

  /** Attributes that a permission for some entries adds to those of all that are reached. */
  #more(action: string, uid: string): readonly MoreFields[] | undefined {
    const type = this.#types.types.get(uid)
    const right = rightOf(action)
    if (!type || isElsewhere(uid) || uid === fileUid) return undefined
    if (right !== 'read' && right !== 'create' && right !== 'update') return undefined
    const all = leavesIn(type, this.fields(action, uid) ?? [])
    const own = right === 'create' ? asMaker(this.of(right, uid)) : this.of(right, uid)
    const parts = limitedGrants(own).flatMap(({ grant, fields = leavesOf(type) }) => {
      const left = without(fields, [...publication, ...secretsOf(type)])
      const named = right === 'read' ? left : left.filter(name => isWritable(type, name))
      if (named.every(name => all.has(name))) return []
      return [{ rows: filtersOf([grant], this.roles) as Filters, fields: withWholes(type, new Set(named)) }]
    })
    return parts.length > 0 ? parts : undefined
  }

  #writable(type: ContentType, right: 'create' | 'update'): Names {
    const grants = this.of(right, type.uid)
    const own = right === 'create' ? asMaker(grants) : grants
    const all = (own.length > 0 ? fieldsOf(own) : new Set<string>()) ?? leavesOf(type)
    const named = new Set([...all].filter(name => isWritable(type, name)))
    const plans = this.#mayPublish(type, right, own) ? planNames.filter(name => type.added.includes(name)) : []
    return withWholes(type, new Set([...without(named, [...publication, ...secretsOf(type)]), ...plans]))
  }

  /** True if every entry that may be written is one that may be published: a plan publishes it in time. */
  #mayPublish({ uid }: ContentType, right: 'create' | 'update' | 'delete', written: readonly Grant[]): boolean {
    const publish = this.of('publish', uid)
    const published = right === 'create' ? asMaker(publish) : publish
    return written.every(one => published.some(other => isWithin(one, other)))
  }

  /** The dates that an entry from the trash loses, as not every one that may be restored may be published. */
  #drafted(type: ContentType): readonly string[] {
    return this.#mayPublish(type, 'delete', this.of('delete', type.uid)) ? [] : publication
  }

  #sets(action: string, uid: string): Readonly<Record<string, unknown>> | undefined {
    const type = this.#types.types.get(uid)
    if (!type || type.kind === 'component') return undefined
    const isNew = rightOf(action) === 'create'
    const by = ['createdBy', 'updatedBy'].filter(name => type.links.has(name) && (isNew || name === 'updatedBy'))
    // A create without a word about publishing would publish, as would the return of an entry that was published.
    const drafted = isNew ? ['publishedAt'] : action === 'restore' ? this.#drafted(type) : []
    return {
      ...Object.fromEntries(by.map(name => [name, accountId])),
      ...Object.fromEntries(drafted.filter(name => type.added.includes(name)).map(name => [name, null])),
    }
  }
}

const accountId = late<Caller>(({ id }) => id)

/** Attributes that can be read of every entry which can. */
const always = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy']
const planNames = ['publishAt', 'unpublishAt']
const publication = ['publishedAt', ...planNames]

/** Codes with which an account of the site can be taken over are no text for editors. */
const secretsOf = ({ uid }: ContentType): readonly string[] =>
  uid === userUid ? ['resetPasswordToken', 'confirmationToken'] : []

function isWritable({ fields, links }: ContentType, path: string): boolean {
  const [name = ''] = path.split('.', 1)
  return (fields.get(name) ?? links.get(name))?.writable === true
}

const without = (names: ReadonlySet<string>, others: readonly string[]): string[] =>
  [...names].filter(name => !others.includes(name))

/** Every caller of a scope gets the same values, so that they are made once. */
function remembered<T>(make: (action: string, uid: string) => T): (action: string, uid: string) => T {
  const known = new Map<string, T>()
  return (action, uid) => {
    const key = `${action} ${uid}`
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as T
    const made = make(action, uid)
    known.set(key, made)
    return made
  }
}

/** Plans are kept by scope: roles that may something else must have another one. */
function stampOf(rows: readonly PermissionRow[]): string {
  const texts = rows
    .map(row => JSON.stringify([row.action, row.subject, row.properties, row.conditions, row.actionParameters]))
    .sort()
  return createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 16)
}
