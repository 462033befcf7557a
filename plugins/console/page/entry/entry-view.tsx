import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Item } from '../../model/form/item.js'
import { StateMark } from '../list/state-mark.js'
import { address, goIn, guardLeaving } from '../shell/address.js'
import { lazy } from '../shell/lazy.js'
import { addressOfEntry } from '../shell/routes.js'
import { View } from '../shell/view.js'
import { EntryBar } from './actions/bar.js'
import { Back } from './back.js'
import { EntryContext } from './context.js'
import { NewsRegion } from './meanwhile/news-region.js'
import { Watching } from './meanwhile/watching.js'
import { Problems } from './problems-region.js'
import { Rows } from './rows.js'
import { Side, showBeside } from './side.js'
import type { EntryStore } from './store/store.js'
import { Keeping } from './unsaved/keeping.js'
import { KeptRegion } from './unsaved/kept-region.js'
import { Leaving } from './unsaved/leaving.js'

const Conflict = lazy(() => import('../conflict/conflict.js').then(part => part.Conflict))

const Beside = lazy(() => import('./beside/entry-dialog.js').then(part => part.EntryDialog))

const SideBySide = lazy(() => import('../languages/side-by-side.js').then(part => part.SideBySide))

/** Files on their way to the form, and to the other language. */
const arrivingAt = ({ arriving, beside }: EntryStore) => [...arriving.peek(), ...(beside.peek()?.arriving.peek() ?? [])]

/** The form with its side column, or with another language. */
function Sides({ store, children }: { store: EntryStore; children: ComponentChildren }) {
  const other = store.beside.value
  if (other)
    return (
      <SideBySide store={store} other={other}>
        {children}
      </SideBySide>
    )
  return (
    <div class="entry">
      {children}
      <Side store={store} />
    </div>
  )
}

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
      const to = id === undefined ? undefined : addressOfEntry(store.type, id)
      if (!store.isSingle && to !== undefined && to !== address.peek().path) goIn(to)
    }
    const end = guardLeaving(() => store.unsaved.peek() + arrivingAt(store).length > 0)
    return () => {
      end()
      // A response that comes now belongs to another view than the address.
      store.onStored = () => {}
      for (const upload of arrivingAt(store)) upload.stop()
    }
  }, [store])
  useEffect(() => {
    const code = new URLSearchParams(address.peek().search).get('beside')
    if (code !== null) void showBeside(store, code)
  }, [store])
  const context = useMemo(
    () => form && { store, form, Beside, fieldsOf: (item: Item) => <Rows item={item} /> },
    [store, form],
  )
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
        <Sides store={store}>
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
        </Sides>
        <NewsRegion watching={watching} />
      </View>
      {store.conflict.value && <Conflict store={store} conflict={store.conflict.value} />}
      <Leaving keeping={keeping} />
    </EntryContext.Provider>
  )
}
