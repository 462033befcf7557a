import type { Bag, Loose } from '../types.js'

/** The facts about a type that a router needs, before types are made. */
export interface RoutedType {
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType'
  readonly singularName: string
  readonly pluralName: string
}

export interface RouterOptions {
  readonly prefix?: string
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  readonly config?: Readonly<Record<string, Bag>>
  readonly type?: string
}

/** The router of a type: which of its standard routes there are, and with what around them. Read late, as the type is. */
export function coreRouter(typeOf: () => RoutedType, options: RouterOptions = {}): Loose {
  const { prefix, config = {}, only, except = [], type = 'content-api' } = options
  let routes: Bag[] | undefined
  return {
    type,
    prefix,
    get routes(): Bag[] {
      routes ??= standardRoutes(typeOf(), config)
        .filter(({ action }) => (only ? only.includes(action) : true) && !except.includes(action))
        .map(({ route }) => route)
      return routes
    },
  }
}

function standardRoutes({ uid, kind, singularName, pluralName }: RoutedType, config: Readonly<Record<string, Bag>>) {
  const isSingle = kind === 'singleType'
  const all = isSingle ? `/${singularName}` : `/${pluralName}`
  const one = isSingle ? all : `${all}/:id`
  const table: readonly (readonly [action: string, method: string, path: string])[] = [
    ['find', 'GET', all],
    ...(isSingle
      ? []
      : ([
          ['findOne', 'GET', one],
          ['create', 'POST', all],
        ] as const)),
    ['update', 'PUT', one],
    ['delete', 'DELETE', one],
  ]
  return table.map(([action, method, path]) => ({
    action,
    route: { method, path, handler: `${uid}.${action}`, config: config[action] ?? {} } as Bag,
  }))
}
