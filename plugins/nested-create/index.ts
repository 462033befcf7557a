import { definePlugin } from '../../core/index.js'
import { checkNested, withCreated } from './nesting.js'

/** Entries that are created together with the one that leads to them. */
export const nestedCreate = definePlugin({
  name: 'nested-create',
  describe: 'relations that create the entries they lead to, in one request',
  appliesTo: ({ kind }) => kind !== 'component',
  words: { relations: ['create'] },
  register: host => host,
  hooks: {
    beforeWrite(write, { type, among }, { types }) {
      checkNested(type, write.data, types, among)
      return write
    },
    async inTransaction(write, { type, create }, { types }) {
      const data = await withCreated(type, write.data, { types, create })
      return data === write.data ? write : { ...write, data }
    },
  },
})
