import { cut } from '../layouts/cut.js'
import type { Layout, Meta } from '../model/meta.js'
import type { Base } from './base.js'
import type { EditorView } from './view.js'

/** The parts of the description that do not follow from types and rights. */
export type AboutMeta = Pick<Meta, 'app' | 'account' | 'languages' | 'settings'>

/** The description for one editor: what the editor may not read is not in it. */
export function metaOf(base: Base, view: EditorView, about: AboutMeta): Meta {
  const layoutOf = (uid: string): Layout => cut(uid, view.layouts.get(uid) as Layout, view)
  return {
    ...about,
    types: view.types.map(type => {
      const { isComponent: _, isHidden: __, ...described } = type
      return {
        ...described,
        attributes: view.attributes(type.uid),
        search: type.search.filter(name => view.isReadable(type.uid, name)),
        can: view.permissions(type),
        layout: layoutOf(type.uid),
      }
    }),
    components: view.components.map(({ isComponent: _, ...component }) => ({
      ...component,
      attributes: view.attributes(component.uid),
      layout: layoutOf(component.uid),
    })),
    operators: base.operators,
    extensions: [],
    dialect: base.dialect,
    limits: base.limits,
  }
}
