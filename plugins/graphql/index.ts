import { definePlugin, optional } from '../../core/index.js'
import { events } from '../events/index.js'
import { i18n } from '../i18n/index.js'
import { upload } from '../upload/index.js'
import { usersPermissions } from '../users-permissions/index.js'
import type { Extensions } from './extend/extensions.js'
import { routes } from './http/endpoint.js'
import { checkStart, type GraphqlHost, startGraphql } from './http/service.js'
import { schemaCommand, writeSchema } from './printed-schema.js'
import type { GraphqlService } from './service.js'
import { type GraphqlSettings, schema } from './settings.js'

export type {
  ArgumentDescription,
  FieldDescription,
  RootDescription,
  SchemaDescription,
  TypeDescription,
} from './described.js'
export type { Addition, Extension } from './extend/extensions.js'
export type { Hides, Resolver, SdlParts } from './extend/sdl-parts.js'
export type { ActedOn, FieldMeaning, ListedEntries, OperationContext, RootAround } from './meaning.js'
export type { MadeTypes, OwnFields } from './model/parts.js'

const loadPackage = () => import('graphql')

/** The schema and its execution need the package graphql, so they are loaded once it is known to be there. */
async function loadRunner(
  host: GraphqlHost,
  settings: GraphqlSettings,
  extensions: Extensions,
): Promise<GraphqlService> {
  const { serviceOf } = await import('./service.js')
  return serviceOf(host, settings, extensions)
}

/** The schema is made once all plugins have added to it: what is wrong with it stops the start. */
async function begin(service: GraphqlService): Promise<void> {
  const { schema, host } = service
  if (schema && host.app.environment === 'development') await writeSchema(service, host.app.appDir)
}

/** GraphQL, as @strapi/plugin-graphql has it: one endpoint for the content, the accounts and the files. */
export const graphql = definePlugin({
  name: 'graphql',
  describe: 'GraphQL: queries and mutations of the content, at one endpoint',
  uses: [optional(upload), optional(usersPermissions), optional(i18n), optional(events)],
  standardIn: { strapi4: '@strapi/plugin-graphql' },
  config: schema,
  register: host => startGraphql(host, { package: loadPackage, runner: loadRunner, begin }),
  routes,
  commands: [schemaCommand],
  checks: [{ start: app => checkStart(app, loadPackage) }],
  words: { headers: ['X-Apollo-Operation-Name', 'Apollo-Require-Preflight'] },
})
