import { definePlugin } from '../../core/index.js'
import { typesFile } from './file.js'

/** Writes the types of an app's requests and responses for `stele/client`. */
export const typescript = definePlugin({
  name: 'typescript',
  describe: 'the types of the app for stele/client, its client in TypeScript',
  commands: [
    { file: 'ts', describe: 'write TypeScript types for stele/client to a file, or print them', text: typesFile },
  ],
})
