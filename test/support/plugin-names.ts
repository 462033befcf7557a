import { existsSync, readdirSync } from 'node:fs'

const folder = new URL('../../plugins/', import.meta.url)

/** The built-in plugins: other folders beside theirs have parts that several of them share. */
export const pluginNames = (): string[] =>
  readdirSync(folder).filter(name => existsSync(new URL(`${name}/index.ts`, folder)))
