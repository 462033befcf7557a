import { appOption, defineCommand, jsonOption } from '../command.js'
import type { TypesOptions } from '../lists/types.js'
import type { TypesFileOptions } from '../types-file/write.js'

export const command = defineCommand<TypesOptions & TypesFileOptions>({
  says: 'list the content types, and what their files have that is not served, with the reason; or write their TypeScript types',
  place: 11,
  options: [
    appOption,
    jsonOption,
    { flags: '--count', says: 'count the entries of each' },
    { flags: '--ts [file]', says: 'write TypeScript types for stele/client to a file, or print them' },
    { flags: '--schemas <folder>', says: 'write JSON schemas by which editors check content types' },
    { flags: '--check', says: 'with --ts or --schemas: fail if a file is out of date, and write nothing' },
    { flags: '--watch', says: 'with --ts or --schemas: write the files whenever content types or settings change' },
  ],
  run: async ({ options, io }) => {
    const { ts, schemas, check, watch } = options
    if (ts !== undefined || schemas !== undefined || check || watch)
      return (await import('../types-file/write.js')).writeTypes(options, io)
    await (await import('../lists/types.js')).listTypes(options, io)
    return 0
  },
})
