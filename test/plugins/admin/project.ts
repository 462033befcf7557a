import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TestApp } from '../../../core/index.js'
import { commandsOf } from '../../../core/plugin/running.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'

const fixture = new URL('../../fixtures/console/', import.meta.url)

/** What the recording knows of people: see the README of the fixture. */
export const made = JSON.parse(readFileSync(new URL('made.json', fixture), 'utf8')) as {
  readonly accounts: Readonly<Record<string, { readonly email: string; readonly password: string }>>
  readonly invited: { readonly email: string; readonly registrationToken: string }
  readonly entries: Readonly<Record<string, readonly number[]>>
}

/** A project of Strapi 4.26 with editors, roles and entries of theirs; `config/plugins` enables `admin`. */
export function copyEditors(settings: unknown = true): ProjectFolder {
  const project = copyProject()
  writeFileSync(project.database, gunzipSync(readFileSync(new URL('start.db.gz', fixture))))
  const file = join(project.folder, 'config/plugins.js')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('({ env }) => ({', `({ env }) => ({\n  admin: ${JSON.stringify(settings)},`))
  return project
}

/** Opens such a project, with its commands. */
export async function openEditors(project: ProjectFolder): Promise<OpenProject & Pick<TestApp, 'commands'>> {
  const open = await openProject(project)
  return { ...open, commands: commandsOf(open.app) }
}
