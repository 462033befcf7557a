import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { inject } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import { commandsOf } from '../../../core/plugin/running.js'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'
import type { Engine } from '../../support/engines.js'

const fixture = new URL('../../fixtures/console/', import.meta.url)

/** What the recording knows of people: see the README of the fixture. */
export const made = JSON.parse(readFileSync(new URL('made.json', fixture), 'utf8')) as {
  readonly accounts: Readonly<Record<string, { readonly email: string; readonly password: string }>>
  readonly invited: { readonly email: string; readonly registrationToken: string }
  readonly entries: Readonly<Record<string, readonly number[]>>
}

/** A project of Strapi 4.26 with editors, roles and entries of theirs; `config/plugins` enables `admin`. */
export function copyEditors(settings: unknown = true): ProjectFolder {
  const project = copyProject(unpacked())
  enable(project, settings)
  return project
}

/** The same with its rows on one engine. */
export const editorsOn = (engine: Engine, settings: unknown = true): Promise<Pristine> =>
  pristineOn(engine, project => enable(project, settings), unpacked())

/** Writes files of a project, by their paths in it. */
export function addFiles({ folder }: Pick<ProjectFolder, 'folder'>, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Opens such a project, with its commands. */
export async function openEditors(
  project: Pick<ProjectFolder, 'folder'>,
  variables: Readonly<Record<string, string>> = {},
): Promise<OpenProject & Pick<TestApp, 'commands'>> {
  const open = await openProject(project, variables)
  return { ...open, commands: commandsOf(open.app) }
}

function unpacked(): string {
  const file = join(mkdtempSync(join(inject('folder'), 'editors-')), 'start.db')
  writeFileSync(file, gunzipSync(readFileSync(new URL('start.db.gz', fixture))))
  return file
}

function enable({ folder }: ProjectFolder, settings: unknown): void {
  const file = join(folder, 'config/plugins.js')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('({ env }) => ({', `({ env }) => ({\n  admin: ${JSON.stringify(settings)},`))
}
