import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { inject } from 'vitest'

/** Projects with code of their own, and what Strapi 4.26.2 answered: see the README of the folder. */
const fixtures = new URL('../../../fixtures/code/', import.meta.url).pathname

export interface Script {
  readonly name: string
  readonly note?: string
  /** The folder of `variants` that is laid over the copy of the project. */
  readonly overlay?: string
  readonly start?: { readonly ok: boolean; readonly name?: string; readonly message?: string }
  readonly steps: readonly Step[]
}

export interface Step {
  readonly request?: RecordedRequest
  readonly response?: RecordedResponse
  /** Values of the body that later steps send, by their names. */
  readonly save?: Readonly<Record<string, string>>
  readonly sql?: string
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly restart?: true
}

export interface RecordedRequest {
  readonly auth: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly multipart?: Multipart
}

export interface Multipart {
  readonly fields?: readonly (readonly [string, unknown])[]
  readonly files?: readonly {
    readonly field: string
    readonly filename: string
    readonly type: string
    readonly text: string
  }[]
}

export interface RecordedResponse {
  readonly status: number
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly text?: string
}

/** What was recorded of a project. */
export const scriptsOf = (project: string): Script[] =>
  readFileSync(join(fixtures, project, 'recorded.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Script)

/** A copy of a project in a folder of its own. */
export interface ProjectCopy {
  readonly folder: string
  /** What its `.env` says. */
  readonly variables: Readonly<Record<string, string>>
  remove(): void
}

export function copyOf(project: string, overlay?: string): ProjectCopy {
  const folder = mkdtempSync(join(inject('folder'), `code-${project}-`))
  const from = join(fixtures, project)
  const isPart = (path: string) => !['recorded.jsonl', 'variants', 'dot-env'].some(name => path === join(from, name))
  cpSync(from, folder, { recursive: true, filter: isPart, mode: 0 })
  cpSync(join(from, 'dot-env'), join(folder, '.env'))
  if (overlay !== undefined) cpSync(join(from, 'variants', overlay), folder, { recursive: true, force: true })
  for (const made of ['.tmp', 'public/uploads']) mkdirSync(join(folder, made), { recursive: true })
  const variables = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>
  return {
    folder,
    variables,
    remove: () => {
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
    },
  }
}
