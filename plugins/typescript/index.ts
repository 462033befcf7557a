import { definePlugin } from '../../core/index.js'
import { typesFile } from './file.js'

/** Writes the types with which `stele/client` knows what the API of an app takes and returns. */
export const typescript = definePlugin({
  name: 'typescript',
  describe: 'the types of the app for stele/client, its client in TypeScript',
  commands: [
    { file: 'ts', describe: 'write TypeScript types for stele/client to a file, or print them', text: typesFile },
  ],
})
