import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Config, Overrides } from '../../core/config/types.js'
import { foreignProjects } from '../../core/foreign/known.js'

/** An app folder with these files, gone when the test ends. */
export function app(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export interface World {
  readonly files?: Record<string, string>
  readonly env?: NodeJS.ProcessEnv
  readonly overrides?: Overrides
}

/** The settings of an app with these files, environment and overrides, and nothing else. */
export function load({ files = {}, env = {}, overrides = {} }: World): Promise<Config> {
  return loadConfig(app(files), { projects: foreignProjects, env, overrides })
}

/** A file in CommonJS that exports this value. */
export function exporting(value: unknown): string {
  return `module.exports = ${JSON.stringify(value)}`
}
