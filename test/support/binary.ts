import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of `names` that can be executed, on PATH or else in `folders`: servers often live outside a user's PATH. */
export function findBinary(names: readonly string[], folders: readonly string[]): string | undefined {
  const places = [...(process.env.PATH ?? '').split(delimiter), ...folders].filter(place => place !== '')
  return names.flatMap(name => places.map(place => join(place, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
