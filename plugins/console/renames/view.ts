import type { FilterState } from '../../pages/values/filters.js'
import { viewIn, viewText } from '../model/list/view.js'
import type { SavedView } from '../model/meta.js'
import type { Renames } from './renames.js'

/** A saved view with the present names of its type, and of the attributes in its filters and its order. */
export function renamedView<View extends Pick<SavedView, 'uid' | 'query'>>(view: View, renames: Renames): View {
  const uid = renames.uid(view.uid)
  const { filters, sort, ...others } = viewIn(view.query)
  const named = <State extends FilterState>(state: State): State =>
    state.kind === 'group'
      ? { ...state, rows: state.rows.map(named) }
      : { ...state, path: renames.path(uid, state.path) }
  const query = viewText({
    ...{ ...others, filters: named(filters) },
    ...(sort && { sort: { ...sort, name: renames.path(uid, sort.name.split('.')).join('.') } }),
  })
  // A query that names nothing of this stays as it was written.
  const isSame = query === viewText(viewIn(view.query))
  return { ...view, uid, query: isSame ? view.query : query }
}
