import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Content and responses of a real Strapi 4.26.2: see the README of the folder. */
export const fixture = new URL('../fixtures/strapi4/', import.meta.url).pathname

interface Credentials {
  readonly users: Readonly<Record<string, { readonly jwt: string; readonly password: string }>>
  readonly apiTokens: Readonly<Record<string, string>>
}
export const credentials = JSON.parse(readFileSync(join(fixture, 'credentials.json'), 'utf8')) as Credentials

/** The value behind a name of the recordings. */
export function keyOf(auth: string): string | undefined {
  if (auth === 'none') return undefined
  return credentials.users[auth]?.jwt ?? credentials.apiTokens[auth] ?? auth
}

/** An answer of Strapi 4. */
export interface RecordedResponse {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
}

export interface RecordedRead extends RecordedResponse {
  readonly id: number
  readonly group: string
  readonly auth: string
  readonly method: string
  readonly path: string
  /** The response of the same project on MariaDB, if it differs. */
  readonly mariadb?: RecordedResponse
  /** The same on PostgreSQL. */
  readonly postgres?: RecordedResponse
}

export interface Script {
  readonly name: string
  readonly steps: readonly Step[]
}

export interface Step {
  /** Run on the database before the next request. */
  readonly sql?: string
  readonly request?: RecordedRequest
  readonly response?: RecordedResponse
}

export interface RecordedRequest {
  readonly auth: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly raw?: string
  readonly contentType?: string
  readonly multipart?: Multipart
}

export interface Multipart {
  readonly fields: readonly (readonly [string, string])[]
  readonly files: readonly {
    readonly field: string
    readonly file: string
    readonly filename: string
    readonly type: string
  }[]
}

const lines = <T>(file: string): T[] =>
  readFileSync(join(fixture, file), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)

export const recordedReads = (): RecordedRead[] => lines('recorded.jsonl')
export const recordedScripts = (): Script[] => lines('recorded-writes.jsonl')

/** The schemas of the project's types and components, as Strapi 4 tells them. */
export const recordedSchemas = (): Readonly<
  Record<'content-types' | 'components', readonly { readonly uid: string }[]>
> => JSON.parse(readFileSync(join(fixture, 'content-type-builder.json'), 'utf8'))
