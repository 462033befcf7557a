import type { Drawing, DrawnType } from './drawing.js'

/** A folder of Strapi has types and components below `src`. */
const isBelowSrc = ({ app: { types, components } }: Drawing): boolean =>
  [...types, ...components].some(({ file }) => file?.startsWith('src/') === true)

export const typeFile = (drawing: Drawing, singular: string): string =>
  isBelowSrc(drawing) ? `src/api/${singular}/content-types/${singular}/schema.json` : `content-types/${singular}.json`

export const componentFile = (drawing: Drawing, category: string, name: string): string =>
  `${isBelowSrc(drawing) ? 'src' : 'content-types'}/components/${category}/${name}.json`

export const typeUid = (singular: string): string => `api::${singular}.${singular}`

export const typeTable = (plural: string): string => plural.replaceAll('-', '_')

export const componentTable = (category: string, name: string): string =>
  `components_${category}_${name}`.replaceAll('-', '_')

/** The table of a type that gets other names: the one that follows from its names follows them, except where Strapi reads it, too. */
export const tableOnceNamed = ({ table, path, running }: DrawnType, usual: string, next: string): string =>
  table === usual && (running === undefined || !path.startsWith('src/')) ? next : table
