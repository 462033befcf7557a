import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** True if one of `files` imports `target`, directly or through other files of ours: then it is worth preparing for. */
export function reaches(files: readonly string[], target: string): boolean {
  const seen = new Set<string>()
  const look = (file: string): boolean => {
    if (file === target) return true
    if (seen.has(file)) return false
    seen.add(file)
    return importsOf(file).some(look)
  }
  return files.some(look)
}

// An import of types only is gone when the tests run.
const typeImport = /^(?:import|export) type\b[^'"]*['"][^'"]+['"]/gm
const relativeImport = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

function importsOf(file: string): string[] {
  if (!existsSync(file)) return []
  const found = readFileSync(file, 'utf8').replace(typeImport, '').matchAll(relativeImport)
  return [...found].map(([, path = '']) => join(dirname(file), path.replace(/\.js$/, '.ts')))
}
