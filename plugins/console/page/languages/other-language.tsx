import { useEffect, useMemo } from 'preact/hooks'
import type { Form } from '../../model/form/form.js'
import type { Item } from '../../model/form/item.js'
import { canTakeOver, takeOver } from '../../model/form/take-over.js'
import { Conflict } from '../conflict/conflict.js'
import { EntryContext } from '../entry/context.js'
import { Field } from '../entry/fields/field.js'
import { NewsRegion } from '../entry/meanwhile/news-region.js'
import { Watching } from '../entry/meanwhile/watching.js'
import { Problems } from '../entry/problems-region.js'
import { Rows } from '../entry/rows.js'
import type { EntryStore } from '../entry/store/store.js'
import { Keeping } from '../entry/unsaved/keeping.js'
import { KeptRegion } from '../entry/unsaved/kept-region.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { languageName, OtherBar } from './other-bar.js'

/** The entry in another language: its fields stand beside those of the form, and may be copied into it. */
export function OtherLanguage({ store, other, isShown }: { store: EntryStore; other: EntryStore; isShown: boolean }) {
  const form = other.form.value
  const keeping = useMemo(() => new Keeping(other), [other])
  useEffect(() => keeping.start(), [keeping])
  const watching = useMemo(() => new Watching(other), [other])
  useEffect(() => watching.start(), [watching])
  const context = useMemo(
    () => form && { store: other, form, fieldsOf: (item: Item) => <Rows item={item} /> },
    [other, form],
  )
  if (!form || !context) return null
  return (
    <EntryContext.Provider value={context}>
      <section class={isShown ? 'language-side other-language' : 'language-side other-language away'}>
        <div class="language-head">
          <OtherBar store={store} other={other} />
          <KeptRegion keeping={keeping} />
          <Problems store={other} />
          <NewsRegion watching={watching} />
        </div>
        <form
          key={form.root.key}
          aria-label={languageName(other)}
          class="entry-form"
          noValidate
          autocomplete="off"
          onSubmit={event => {
            event.preventDefault()
          }}
        >
          <Fields store={store} other={other} form={form} />
        </form>
      </section>
      {other.conflict.value && <Conflict store={other} conflict={other.conflict.value} />}
    </EntryContext.Provider>
  )
}

/** The fields that the form has, in its order. What all languages share stands there alone. */
function Fields({ store, other, form }: { store: EntryStore; other: EntryStore; form: Form }) {
  const mine = store.form.value
  const { fields } = other.type.layout
  return (
    <div class="rows">
      {mine &&
        fieldNames(store).map(name => {
          const node = form.root.nodes.get(name)
          const label = fields[name]?.label ?? name
          const isShared = node && node.attribute.localized !== true && node.attribute.type !== 'uid'
          return (
            <div key={name} class="place">
              {isShared ? (
                <p class="quiet" dir="auto">
                  {label}: {t('field.shared')}
                </p>
              ) : (
                node && <Field item={form.root} node={node} name={name} layout={fields[name]} />
              )}
              {canTakeOver(node, mine.root.nodes.get(name)) && (
                <button
                  type="button"
                  class="text-button copy-over"
                  aria-label={t('together.copyField', { label, name: languageName(store) })}
                  onClick={() => {
                    takeOver(form, mine, name, label)
                    say(t('together.copied', { label, name: languageName(store) }))
                  }}
                >
                  {t('together.copy')} <span aria-hidden="true">→</span>
                </button>
              )}
            </div>
          )
        })}
    </div>
  )
}

/** The names of the fields of a form, in the order of its layout. */
export function fieldNames({ type, form }: EntryStore): readonly string[] {
  const nodes = form.value?.root.nodes
  return type.layout.edit.flat().flatMap(({ name }) => (nodes?.has(name) ? [name] : []))
}
