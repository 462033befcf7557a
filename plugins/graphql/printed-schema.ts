import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BootError, type Command } from '../../core/index.js'
import type { EndpointService } from './http/service.js'
import type { GraphqlService } from './service.js'

/** `stele graphql schema`: for tools that generate code, where the endpoint does not tell its schema. */
export const schemaCommand: Command<EndpointService<GraphqlService>> = {
  name: 'graphql schema',
  describe: 'print the GraphQL schema of the app, in SDL',
  run: async ({ print }, { runner }) => {
    if (typeof runner === 'string') throw new BootError(runner)
    print(await textOf(runner))
  },
}

/** Writes the schema to the file of the settings, unless it is there as it is. */
export async function writeSchema(service: GraphqlService, appDir: string): Promise<void> {
  const { host, settings } = service
  if (settings.schemaFile === undefined) return
  const file = path.resolve(appDir, settings.schemaFile)
  const text = `${await textOf(service)}\n`
  try {
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
  } catch (error) {
    host.log.warn({ err: error, file }, 'the GraphQL schema could not be written to the file of artifacts.schema')
  }
}

async function textOf({ schema }: Pick<GraphqlService, 'schema'>): Promise<string> {
  const { printSchema } = await import('graphql')
  return printSchema(schema)
}
