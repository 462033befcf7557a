import type { AppOutline, ContentType, RouteOutline } from '../../../core/index.js'
import { formatOf } from '../../../core/plugin-kit.js'
import { attributesOf as all, given, isUsable, operatorsOf } from '../../pages/serving/attributes.js'
import type { ComponentMeta, DialectInfo, LimitsInfo, OperatorInfo, TypeMeta } from '../model/meta.js'

/** A content type as any caller could see it. */
export type BaseType = Omit<TypeMeta, 'can' | 'layout' | 'isChosen'> & {
  readonly isComponent: false
  /** Its schema file keeps it from editors: its entries are seen through others, as far as these lead to them. */
  readonly isHidden: boolean
}
/** The same of a component. */
export type BaseComponent = Omit<ComponentMeta, 'layout'> & { readonly isComponent: true }

/** The description of the app before it is cut to a caller: all of it follows from the app's outline, so it is made once. */
export interface Base {
  readonly types: readonly BaseType[]
  readonly components: readonly BaseComponent[]
  /** The types whose entries are seen through some link without a permission to find them. */
  readonly opened: ReadonlySet<string>
  /** Both, by uid. */
  readonly all: ReadonlyMap<string, BaseType | BaseComponent>
  readonly operators: readonly OperatorInfo[]
  readonly dialect: DialectInfo
  readonly limits: LimitsInfo
}

type Languages = Pick<DialectInfo, 'sharing' | 'bareLocalizations'>

const usual: Languages = { sharing: 'always', bareLocalizations: false }

export function baseOf(outline: AppOutline, languages = usual): Base {
  const found = reached(outline)
  const types = found.filter(({ kind }) => kind !== 'component').map(type => typeOf(type, outline))
  const components = found.filter(({ kind }) => kind === 'component').map(type => componentOf(type, outline.dialect))
  return {
    ...{ types, components },
    opened: new Set([...types, ...components].flatMap(openedBy)),
    all: new Map([...types, ...components].map(one => [one.uid, one])),
    operators: operatorsOf(outline),
    dialect: dialectOf(outline, languages),
    limits: limitsOf(outline),
  }
}

/** The types with endpoints of their own or of plugins, and all that their attributes lead to. */
function reached({ types: { types }, usualRoutes }: AppOutline): readonly ContentType[] {
  const found = new Set(
    [...types.values()].filter(({ uid, routed }) => routed || pathOf(uid, usualRoutes) !== undefined),
  )
  // The set grows while it is gone through.
  for (const type of found) for (const link of type.links.values()) for (const target of link.types()) found.add(target)
  return [...found]
}

/** The makers of entries are shown to editors, unlike to clients; values that plugins keep for themselves are not. */
const attributesOf = (type: ContentType, dialect: AppOutline['dialect']) =>
  all(type, dialect, link => ['createdBy', 'updatedBy'].includes(link.name) || isUsable(link)).filter(
    ({ name }) => !isKeptBy(type, name),
  )

function isKeptBy({ added, fields }: ContentType, name: string): boolean {
  const { writable, attribute } = fields.get(name) ?? {}
  return added.includes(name) && attribute?.private === true && writable === false
}

const openedBy = ({ attributes }: BaseType | BaseComponent): readonly string[] =>
  attributes.flatMap(one => (one.kind === 'link' && one.open ? (one.targets ?? []) : []))

function typeOf(type: ContentType, outline: AppOutline): BaseType {
  const { uid, displayName, singularName, pluralName, search } = type
  const { prefix } = outline.app.api
  const { usualRoutes } = outline
  const own = usualRoutes.filter(route => route.uid === uid)
  const whole = pathOf(uid, usualRoutes)
  const path = whole?.startsWith(`${prefix}/`) ? whole.slice(prefix.length) : undefined
  const format = formatOf(outline, type, 'find')
  const isAdded = (name: string) => type.added.includes(name)
  const has = (end: string) => path !== undefined && usualRoutes.some(one => one.path === `${whole}/${end}`)
  return {
    ...{ uid, kind: type.kind as TypeMeta['kind'], name: displayName, singular: singularName, plural: pluralName },
    ...describedBy(type),
    ...given({ path }),
    entry: format.entry,
    isBare: format.shape?.one(anyEntry) === anyEntry,
    attributes: attributesOf(type, outline.dialect),
    options: {
      ...{ drafts: isAdded('publishedAt'), scheduling: isAdded('publishAt'), localized: isAdded('locale') },
      ...{ trash: isAdded('trashKey'), versions: own.some(({ action }) => action === 'versions') },
      ...{ bulk: has('bulk'), uid: has('uid'), aggregate: has('aggregate') },
      events: outline.plugins.some(({ name }) => name === 'events'),
    },
    search: search?.fields.map(({ name }) => name) ?? [],
    isComponent: false,
    isHidden: (Object(type.pluginOptions['content-manager']) as { visible?: unknown }).visible === false,
  }
}

const anyEntry = { type: 'object' }

/** The path of the list of a type: generated, or that of the plugin that has the type. */
const pathOf = (uid: string, routes: readonly RouteOutline[]): string | undefined =>
  (routes.find(route => route.uid === uid && route.generated && !route.path.includes(':')) ?? listOf(uid, routes))?.path

const listOf = (uid: string, routes: readonly RouteOutline[]): RouteOutline | undefined =>
  routes.find(({ method, path, answers }) => {
    const answer = answers?.[200]
    return method === 'GET' && !path.includes(':') && answer?.kind === 'entries' && answer.uid === uid
  })

const componentOf = (type: ContentType, dialect: AppOutline['dialect']): BaseComponent => ({
  ...{ uid: type.uid, name: type.displayName, category: type.uid.split('.')[0] as string },
  ...describedBy(type),
  attributes: attributesOf(type, dialect),
  isComponent: true,
})

const describedBy = ({ info: { description } }: ContentType) =>
  typeof description === 'string' && description !== '' ? { description } : {}

function dialectOf({ app, dialect }: AppOutline, { sharing, bareLocalizations }: Languages): DialectInfo {
  return {
    ...{ sharing, bareLocalizations },
    ...{ pagingInPopulate: dialect.pagingInPopulate, countInPopulate: dialect.countInPopulate },
    ...{ populateWithPagination: dialect.populateWithPagination, withCount: app.api.rest.withCount },
    ...{ openZones: dialect.openZones, madeUids: dialect.madeUids, rankedSearch: dialect.rankedSearch },
    ...{ incompleteLists: dialect.incompleteLists, nullClearsLists: dialect.nullClearsLists },
  }
}

function limitsOf({ app: { api }, dialect }: AppOutline): LimitsInfo {
  const { statements, joins, conditions, entries } = api.rest.limits
  const { defaultLimit, maxLimit = dialect.defaultMaxLimit as number | null } = api.rest
  const pageSizes = [25, 50, 100].filter(size => size <= (maxLimit ?? 100))
  return {
    pageSizes: pageSizes.length > 0 ? pageSizes : [maxLimit as number],
    ...{ defaultLimit, maxLimit, statements, joins, conditions, entries },
    filterDepth: 3,
  }
}
