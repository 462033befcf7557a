import type { GraphQLSchema } from 'graphql'
import { optional } from '../../core/index.js'
import { events } from '../events/index.js'
import { descriptionOf } from './described.js'
import type { Extensions } from './extend/extensions.js'
import { extendedModel } from './extend/index.js'
import type { Runner } from './http/runner.js'
import type { GraphqlHost } from './http/service.js'
import type { Records } from './live/model.js'
import { Documents } from './query/documents.js'
import { Operations } from './query/operation.js'
import type { GraphqlSettings } from './settings.js'
import { rootsOfPlugins } from './write/more.js'

/** The schema of the app, and the running of operations on it. */
export interface GraphqlService extends Runner {
  readonly host: GraphqlHost
  readonly settings: GraphqlSettings
  readonly schema: GraphQLSchema
  readonly documents: Documents
}

/** Makes what runs operations on the schema of an app, and the schema when it is asked for: until then, plugins may add to it. */
export function serviceOf(host: GraphqlHost, settings: GraphqlSettings, extensions: Extensions): GraphqlService {
  const schema = once(() =>
    extendedModel(
      {
        types: host.types.types.values(),
        settings,
        plugins: host.outline.plugins,
        more: rootsOfPlugins(host),
        isLenient: host.app.project !== 'stele',
        note: sentence => host.log.warn(sentence),
        records: recordsOf(host, settings),
      },
      extensions,
    ),
  )
  const documents = once(() => new Documents(schema(), settings))
  const operations = once(() => new Operations(service))
  const service: GraphqlService = {
    ...{ host, settings },
    get schema() {
      return schema()
    },
    get documents() {
      return documents()
    },
    describe: () => descriptionOf(service),
    run: (request, call, options) => operations().run(request, call, options),
    ...(recordsOf(host, settings) && { subscribe: (request, call) => operations().subscribe(request, call) }),
  }
  return service
}

/** The types whose changes can be followed; undefined where there are no subscriptions. */
function recordsOf(host: GraphqlHost, { subscriptions }: GraphqlSettings): Records | undefined {
  const recorded = subscriptions ? host.service(optional(events)) : undefined
  if (!recorded) return undefined
  const except: ReadonlySet<string> = new Set(recorded.host.config.except)
  return ({ uid }) => !except.has(uid)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
