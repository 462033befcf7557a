import type { GraphQLSchema } from 'graphql'
import type { Runner } from './http/runner.js'
import type { GraphqlHost } from './http/service.js'
import { modelOf } from './model/index.js'
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

/** Makes the schema of an app, and what runs operations on it. */
export async function serviceOf(host: GraphqlHost, settings: GraphqlSettings): Promise<GraphqlService> {
  const schema = modelOf({
    types: host.types.types.values(),
    settings,
    plugins: host.outline.plugins,
    more: rootsOfPlugins(host),
    note: sentence => host.log.warn(sentence),
  })
  const documents = new Documents(schema, settings)
  const service: GraphqlService = {
    ...{ host, settings, schema, documents },
    run: (request, call, options) => operations.run(request, call, options),
  }
  const operations = new Operations(service)
  return service
}
