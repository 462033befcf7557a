import { useEffect, useMemo } from 'preact/hooks'
import type { Item } from '../../model/form/item.js'
import { Conflict } from '../conflict/conflict.js'
import { StateMark } from '../list/state-mark.js'
import { goIn, guardLeaving } from '../shell/address.js'
import { addressOfEntry } from '../shell/routes.js'
import { View } from '../shell/view.js'
import { Back } from './back.js'
import { EntryBar } from './bar.js'
import { EntryContext } from './context.js'
import { NewsRegion } from './meanwhile/news-region.js'
import { Watching } from './meanwhile/watching.js'
import { Problems } from './problems-region.js'
import { Rows } from './rows.js'
import { Side } from './side.js'
import type { EntryStore } from './store.js'
import { Keeping } from './unsaved/keeping.js'
import { KeptRegion } from './unsaved/kept-region.js'
import { Leaving } from './unsaved/leaving.js'

/** The form of an entry, with what is around it. */
export function EntryView({ store }: { store: EntryStore }) {
  const form = store.form.value
  const keeping = useMemo(() => new Keeping(store), [store])
  useEffect(() => keeping.start(), [keeping])
  const watching = useMemo(() => new Watching(store), [store])
  useEffect(() => watching.start(), [watching])
  useEffect(() => {
    store.onStored = () => {
      const { id } = store.head.peek() ?? {}
      if (!store.isSingle && id !== undefined) goIn(addressOfEntry(store.type, id))
    }
    return guardLeaving(() => store.changes.peek() > 0)
  }, [store])
  const context = useMemo(() => form && { store, form, fieldsOf: (item: Item) => <Rows item={item} /> }, [store, form])
  if (!form || !context) return null
  const head = store.head.value
  const title = store.title.value
  return (
    <EntryContext.Provider value={context}>
      <View title={title} beside={<EntryBar store={store} form={form} />}>
        <div class="entry-line">
          <Back type={store.type} />
          {store.type.options.drafts && <StateMark values={{ ...head }} />}
        </div>
        <KeptRegion keeping={keeping} />
        <Problems store={store} />
        <div class="entry">
          <form
            key={form.root.key}
            aria-label={title}
            class="entry-form"
            noValidate
            autocomplete="off"
            onSubmit={event => {
              event.preventDefault()
            }}
          >
            <Rows item={form.root} />
          </form>
          <Side store={store} />
        </div>
        <NewsRegion watching={watching} />
      </View>
      {store.conflict.value && <Conflict store={store} conflict={store.conflict.value} />}
      <Leaving keeping={keeping} />
    </EntryContext.Provider>
  )
}
