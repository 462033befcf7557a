import { cut } from '../layouts/cut.js'
import type { Layout, Meta } from '../model/meta.js'
import { placeholdersIn } from '../model/preview.js'
import type { Base } from './base.js'
import { shownGroups } from './groups.js'
import { shownLabels } from './labels.js'
import type { EditorView } from './view.js'

/** The parts of the description that do not follow from types and rights. */
export type AboutMeta = Pick<
  Meta,
  'app' | 'account' | 'languages' | 'groups' | 'labels' | 'settings' | 'sectionRights' | 'views' | 'extensions'
>

/** The description for one editor: what the editor may not read is not in it. */
export function metaOf(base: Base, view: EditorView, about: AboutMeta): Meta {
  const layoutOf = (uid: string): Layout => cut(uid, view.layouts.get(uid) as Layout, view)
  const seen = new Set(view.types.map(({ uid }) => uid))
  const components = new Set(view.components.map(({ uid }) => uid))
  const attributesOf = (uid: string) =>
    seen.has(uid) || components.has(uid) ? view.attributes(uid).map(({ name }) => name) : undefined
  const isOffered = ({ types }: { types?: readonly string[] }) => types?.some(uid => seen.has(uid)) ?? true
  return {
    ...about,
    groups: shownGroups(about.groups, uid => seen.has(uid)),
    labels: shownLabels(about.labels, attributesOf),
    types: view.types.map(type => {
      const { isComponent: _, isHidden: __, preview, ...described } = type
      const isPreviewed =
        preview !== undefined && placeholdersIn(preview).every(name => view.isReadable(type.uid, name))
      return {
        ...described,
        ...(isPreviewed && { preview }),
        ...(view.isChosen(type) && { isChosen: true as const }),
        attributes: view.attributes(type.uid),
        // An index with more than the editor may read is not used for them.
        search: type.search.every(name => view.isReadable(type.uid, name)) ? type.search : [],
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
    extensions: { ...about.extensions, actions: about.extensions.actions.filter(isOffered) },
    dialect: base.dialect,
    limits: base.limits,
  }
}
