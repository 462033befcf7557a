import type { AppOutline, ContentType, Field, Link, RouteOutline } from '../../core/index.js'
import { isRequired } from '../../core/plugin-kit.js'
import type { AttributeInfo, FieldInfo, LinkInfo, Metadata, OperatorInfo, TypeInfo } from './builder/metadata.js'

export interface Names {
  /** The name of the app. */
  readonly name: string
  /** The version of the server. */
  readonly version: string
}

/** Builds the page's description of the app: all of it follows from the app's outline, so it is built once. */
export function metadataOf(host: AppOutline, { name, version }: Names, graphql?: Metadata['graphql']): Metadata {
  const { app, dialect, types, routes, params, operators, plugins } = host
  const { prefix, rest } = app.api
  const signIn = routes.find(({ method, path }) => method === 'POST' && path === `${prefix}/auth/local`)
  return {
    app: { name, version, environment: app.environment, prefix },
    paging: {
      defaultLimit: rest.defaultLimit,
      maxLimit: rest.maxLimit ?? null,
      withCount: rest.withCount,
      withPopulate: dialect.populateWithPagination,
    },
    limits: rest.limits,
    types: reached(types.types).map(type => describeType(type, routes, dialect)),
    operators: operators.flatMap(({ name, describe, takes, families, types }): OperatorInfo[] =>
      takes === 'group' || takes === 'groups' ? [] : [{ name, describe, takes, families, ...given({ types }) }],
    ),
    params: params.flatMap(({ name, plugin, describe, actions, types, schema }) =>
      plugin === undefined
        ? []
        : [{ name, plugin, types, ...given({ describe, actions, choices: choicesOf(schema) }) }],
    ),
    plugins: plugins.map(({ name, describe }) => ({ name, ...given({ describe }) })),
    routes: routes
      .filter(({ generated, plugin }) => !generated && plugin !== 'explorer')
      .map(({ method, path, describe, plugin, action, uid }) => ({
        ...{ method, path },
        ...given({ describe, plugin, uid, permission: action && `${uid}.${action}` }),
      })),
    ...given({ signIn: signIn?.path }),
    queryBody: routes.some(({ method }) => method === 'QUERY'),
    ...given({ graphql }),
  }
}

/** Leaves out undefined values: the text becomes shorter, and means the same. */
function given<T extends object>(table: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

/** The types with endpoints, and all types behind their links. */
function reached(types: ReadonlyMap<string, ContentType>): ContentType[] {
  const found = new Set([...types.values()].filter(({ routed }) => routed))
  // The set grows while it is gone through.
  for (const type of found)
    for (const link of type.links.values()) if (link.readable) for (const target of link.types()) found.add(target)
  return [...found]
}

function describeType(type: ContentType, routes: readonly RouteOutline[], dialect: AppOutline['dialect']): TypeInfo {
  const { uid, kind, displayName, singularName, pluralName, info } = type
  const own = routes.filter(route => route.uid === uid && route.generated)
  const path = own.find(({ path }) => !path.includes(':'))?.path
  const lists = routes.find(
    ({ method, path, answers }) =>
      method === 'GET' && !path.includes(':') && answers?.[200]?.kind === 'entries' && answers[200].uid === uid,
  )
  const described = info.description
  return {
    ...{ uid, kind, name: displayName, singular: singularName, plural: pluralName },
    ...(typeof described === 'string' && described !== '' && { description: described }),
    ...given({ path, listedAt: kind === 'collectionType' ? (lists?.path ?? path) : undefined }),
    ...given({ searched: type.search?.fields.map(({ name }) => name) }),
    actions: [...new Set(own.flatMap(({ action }) => action ?? []))],
    attributes: attributesOf(type, dialect),
  }
}

/** Attributes in the order of the schema file, followed by those of the server and of plugins. */
function attributesOf(type: ContentType, dialect: AppOutline['dialect']): AttributeInfo[] {
  const names = [...type.fields.keys(), ...type.links.keys()]
  const inFile = Object.keys(type.attributes).filter(name => names.includes(name) && !type.added.includes(name))
  const own = new Set(inFile)
  return [...inFile, ...names.filter(name => !own.has(name))].flatMap((name): AttributeInfo[] => {
    const field = type.fields.get(name)
    const link = type.links.get(name)
    // The server generates a value that is not sent.
    const isMade = dialect.madeUids && type.kind !== 'component' && field?.madeFrom !== undefined
    if (field) return [describeField(isMade ? optional(field) : field, !own.has(name))]
    if (!link || !isShown(link)) return []
    return [describeLink(isRequired(link, dialect) ? link : optional(link), !own.has(name))]
  })
}

const optional = <T extends Field | Link>(one: T): T => ({ ...one, attribute: { ...one.attribute, required: false } })

/** Links that only the server follows are nothing to build a query of. */
const isShown = ({ attribute, readable, writable }: Link): boolean =>
  attribute.visible !== false && (readable || writable || attribute.private === true)

function describeField({ name, type, attribute, readable, writable }: Field, added: boolean): FieldInfo {
  return {
    kind: 'field',
    ...{ name, type: type.name, readable, writable, family: type.operators },
    ...rulesOf(attribute, added),
    ...given({
      unique: attribute.unique === true || type.unique === true || undefined,
      default: attribute.default,
      enum: attribute.enum as readonly string[] | undefined,
      minLength: attribute.minLength as number | undefined,
      maxLength: attribute.maxLength as number | undefined,
      regex: attribute.regex as string | undefined,
    }),
  }
}

function describeLink(link: Link, added: boolean): LinkInfo {
  const { name, attribute, readable, writable, shape, many, targets, open, embedded, only, polymorphic } = link
  return {
    kind: 'link',
    ...{ name, type: attribute.type, readable, writable, shape, many },
    ...rulesOf(attribute, added),
    ...given({ targets, only, relation: attribute.relation as string | undefined }),
    ...given({ accepts: attribute.allowedTypes as readonly string[] | undefined }),
    followed: readable && shape !== 'zone' && targets?.length === 1 && polymorphic !== true,
    open: open === true,
    embedded: embedded === true,
  }
}

function rulesOf(attribute: Field['attribute'], added: boolean) {
  const { i18n } = (attribute.pluginOptions ?? {}) as { readonly i18n?: { readonly localized?: unknown } }
  return given({
    required: attribute.required === true || undefined,
    private: attribute.private === true || undefined,
    added: added || undefined,
    localized: i18n?.localized === true || undefined,
    min: attribute.min as number | undefined,
    max: attribute.max as number | undefined,
  })
}

/** The words that a parameter takes, where its schema lists them. */
function choicesOf(schema: unknown): readonly string[] | undefined {
  const { enum: words, type } = Object(schema) as { readonly enum?: unknown; readonly type?: unknown }
  if (Array.isArray(words)) return words.map(String)
  return type === 'boolean' ? ['true', 'false'] : undefined
}
