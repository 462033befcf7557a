import { appOption, defineCommand, jsonOption } from '../command.js'
import type { TypesOptions } from '../lists/types.js'
import type { FileOptions } from '../types-file/watch.js'

interface Options extends TypesOptions, Omit<FileOptions, 'files'> {
  /** The files of plugins. */
  readonly [file: string]: unknown
}

export const command = defineCommand<Options>({
  says: 'list the content types, and what their files have that is not served, with the reason; or write their TypeScript types',
  place: 11,
  options: [
    appOption,
    jsonOption,
    { flags: '--count', says: 'count the entries of each' },
    // Declared by a plugin like those of `furtherOptions`, and said here so that the help needs no app.
    { flags: '--ts [file]', says: 'write TypeScript types for stele/client to a file, or print them' },
    { flags: '--schemas <folder>', says: 'write JSON schemas by which editors check content types' },
    { flags: '--check', says: 'with --ts or --schemas: fail if a file is out of date, and write nothing' },
    { flags: '--watch', says: 'with --ts or --schemas: write the files whenever content types or settings change' },
  ],
  furtherOptions: async (app, io) => (await import('../types-file/write.js')).fileOptions(app, io),
  run: async ({ options, io }) => {
    const { app, json, count, schemas, check, watch, ...rest } = options
    const files = rest as FileOptions['files']
    if (Object.keys(files).length > 0 || schemas !== undefined || check || watch)
      return (await import('../types-file/write.js')).writeFiles({ app, files, schemas, check, watch }, io)
    await (await import('../lists/types.js')).listTypes({ app, json, count }, io)
    return 0
  },
})
