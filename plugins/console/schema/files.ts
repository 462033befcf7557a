import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../../../core/index.js'

/** The schema files of an app as they were at one moment. */
export interface FileTexts {
  /** The text of a file; undefined where there was no schema file of this path. */
  text(path: string): string | undefined
  readonly texts: ReadonlyMap<string, string>
}

export function filesOf({ app, schemas }: Pick<Host, 'app' | 'schemas'>): FileTexts {
  const texts = new Map<string, string>()
  for (const { source } of schemas.read()) {
    const text = textIn(join(app.appDir, source))
    if (text !== undefined) texts.set(source, text)
  }
  return { text: path => texts.get(path), texts }
}

/** A file may go at any moment, and the types of an app without files are code. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
