import { useMemo } from 'preact/hooks'
import { Form } from '../../model/form/form.js'
import type { Item } from '../../model/form/item.js'
import { Kinds } from '../../model/form/kinds.js'
import type { Layout, Meta, TypeMeta } from '../../model/meta.js'
import { EntryContext } from '../entry/context.js'
import { Rows } from '../entry/rows.js'
import { EntryStore } from '../entry/store/store.js'
import { meta } from '../shell/session.js'
import { t } from '../text.js'
import type { Kind, LayoutStore } from './store.js'

/** The form of a new entry as the layout makes it; nothing in it can be used. */
export function Preview({ store, layout }: { store: LayoutStore; layout: Layout }) {
  const app = meta.value
  const context = useMemo(() => app && contextOf(app, store.kind, layout), [app, store.kind, layout])
  if (!context) return null
  return (
    <section class="layout-preview" aria-label={t('layout.preview')}>
      <h2>{t('layout.preview')}</h2>
      <div class="entry-form" inert>
        <EntryContext.Provider value={context}>
          <Rows item={context.form.root} />
        </EntryContext.Provider>
      </div>
    </section>
  )
}

function contextOf(app: Meta, kind: Kind, layout: Layout) {
  const known = new Set(kind.attributes.map(({ name }) => name))
  const edit = layout.edit.map(row => row.filter(({ name }) => known.has(name)))
  const type = { ...previewed, ...kind, layout: { ...layout, edit } } as TypeMeta
  const kinds = new Kinds({ ...app, types: [...app.types.filter(({ uid }) => uid !== kind.uid), type] })
  const store = new EntryStore(app, kinds, type, {})
  const form = new Form(kinds, type, undefined)
  store.form.value = form
  return { store, form, fieldsOf: (item: Item) => <Rows item={item} /> }
}

/** A component is shown as if it were an entry. */
const previewed: Partial<TypeMeta> = {
  ...{ kind: 'collectionType', singular: 'preview', plural: 'preview', path: '/preview', search: [] },
  can: { read: {}, create: {}, update: {}, delete: null, publish: null },
  options: {
    ...{ drafts: false, scheduling: false, versions: false, trash: false, localized: false },
    ...{ bulk: false, events: false, uid: false, aggregate: false },
  },
}
