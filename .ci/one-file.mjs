import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the files are that the build makes of many. */
export const folder = path.resolve(import.meta.dirname, '../dist/core/packages')

/**
 * Writes one of them, as the function that a CommonJS module is; gives what tells its text from others. What V8 compiled of
 * earlier ones is of no use any more.
 */
export function writeOne(name, code) {
  // Of ASCII alone: V8 takes such a text as it is read, where others have to be decoded and copied.
  const ascii = code.replace(/[^\0-\x7f]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const text = `(function (exports, require, module, __filename, __dirname) {${ascii}\n})\n`
  for (const file of readdirSync(folder))
    if (file.startsWith(`${name}.`) && file.endsWith('.v8')) rmSync(path.join(folder, file))
  writeFileSync(path.join(folder, `${name}.cjs`), text)
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
