import type { LinkType } from '../../core/index.js'
import { snakeCase } from '../../core/plugin-kit.js'

/** The other localizations of an entry. A caller who may see the entry may see them: they are the same content in other languages. */
export const localizations: LinkType = {
  name: 'localizations',
  kind: 'link',
  link: ({ uid, table, singularName }) => {
    const column = snakeCase(singularName)
    return {
      many: true,
      shape: 'data',
      targets: [uid],
      owning: true,
      open: true,
      storage: {
        via: 'table',
        table: `${table}_localizations_links`,
        from: `${column}_id`,
        to: `inv_${column}_id`,
        order: `${column}_order`,
        match: {},
      },
    }
  },
}
