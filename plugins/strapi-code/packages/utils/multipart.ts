import type { Bag, Loose } from '../../types.js'

/** The entry and the files of a form: `data` is parsed, and files are found under what follows `files.` in their names. */
export function parseMultipartData(ctx: Loose): { readonly data: Loose; readonly files: Bag } {
  if (!ctx.is('multipart')) return { data: ctx.request.body, files: {} }
  const { body = {}, files = {} } = ctx.request
  if (!body.data) throw new Error('the form has no field "data"; the entry is sent there, as JSON')
  const found: Bag = {}
  for (const [name, file] of Object.entries(files as Bag)) {
    const [first, ...path] = name.split('.')
    if (first !== 'files' || path.length === 0)
      throw new Error(`the file "${name}" is not named after an attribute; expected files.<attribute>`)
    found[path.join('.')] = file
  }
  return { data: JSON.parse(body.data), files: found }
}
