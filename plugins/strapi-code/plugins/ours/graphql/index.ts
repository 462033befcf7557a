import { type Host, optional } from '../../../../../core/index.js'
import { graphql } from '../../../../graphql/index.js'
import type { Bag, LoadedPlugin, Loose, Runtime, Strapi } from '../../../types.js'
import { facadeOf } from '../facade.js'
import { CodeSchema } from './schema.js'

const schemas = new WeakMap<Strapi, CodeSchema>()

/** The schema of GraphQL, as code extends it while it starts. */
export function graphqlFacade(runtime: Runtime, config: Bag): LoadedPlugin {
  const schema = new CodeSchema(runtime)
  schemas.set(runtime.strapi, schema)
  return facadeOf(runtime, {
    name: 'graphql',
    plugin: graphql,
    config,
    services: {
      extension: () => ({
        use: (extension: Loose) => schema.use(extension),
        shadowCRUD: (uid: string) => schema.shadowing(uid),
      }),
      format: () => ({ returnTypes: { toEntityResponse, toEntityResponseCollection } }),
    },
  })
}

const toEntityResponse = (value: Loose, info: Bag = {}): Bag => ({ value, info })
const toEntityResponseCollection = (nodes: Loose, info: Bag = {}): Bag => ({ nodes, info })

/** Hands what the code has said to the plugin that makes the schema. */
export function extendSchema({ strapi, log }: Pick<Runtime, 'strapi' | 'log'>, host: Host): void {
  const said = schemas.get(strapi)?.parts()
  if (!said) return
  const service = host.service(optional(graphql))
  if (service) service.extend(said)
  else log.warn('the code extends the schema of GraphQL, and the plugin graphql is disabled')
}
