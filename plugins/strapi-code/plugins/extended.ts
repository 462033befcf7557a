import path from 'node:path'
import { noPlugin } from '../not-carried.js'
import { failureOf } from '../project/failure.js'
import type { Bag, Extension, Failure, LoadedPlugin } from '../types.js'

/** Applies what `src/extensions` says of a plugin: first its schemas, then its `strapi-server`, which gives the plugin back. */
export async function extended(
  plugin: LoadedPlugin,
  extension: Extension | undefined,
  { appDir, fail }: { readonly appDir: string; readonly fail: (failure: Failure) => void },
): Promise<LoadedPlugin> {
  if (!extension) return plugin
  const { contentTypes = {} } = plugin.server
  for (const [name, schema] of extension.contentTypes) {
    const type = (contentTypes as Bag)[name]
    if (type)
      type.schema = { ...type.schema, ...schema, attributes: { ...type.schema.attributes, ...schema.attributes } }
  }
  if (!extension.server) return plugin
  const file = extension.file ?? `src/extensions/${extension.name}/strapi-server`
  try {
    const server = await extension.server(plugin.server)
    if (typeof server === 'object' && server !== null) return { ...plugin, server }
    fail({ file, says: `${file}: ${noPlugin}` })
  } catch (error) {
    fail(failureOf(appDir, path.resolve(appDir, file), error))
  }
  return plugin
}
