import { batch } from '@preact/signals'
import type { ActionMeta } from '../../model/extensions.js'
import { typedOf } from '../../model/form/typed.js'
import type { TypeMeta } from '../../model/meta.js'
import type { ActionContext, Values } from '../../model/mounts.js'
import type { EntryStore } from '../entry/store/store.js'
import type { ListStore } from '../list/store.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { viewContext } from './context.js'
import { valuesOf } from './field.js'
import { loaded, reasonOf } from './loading.js'

type About = Omit<ActionContext, keyof ReturnType<typeof viewContext> | 'type' | 'path'>

/** Does what a plugin does with the entry of a form. */
export function runOnEntry(action: ActionMeta, store: EntryStore): Promise<void> {
  const id = store.head.peek()?.id
  return run(action, store.type, {
    locale: store.locale.peek(),
    ids: id === undefined ? [] : [id],
    entry: () => {
      const form = store.form.peek()
      return form ? valuesOf(form.root.plain()) : {}
    },
    change: values => change(store, values),
    reload: async () => {
      const form = store.form.peek()
      // Unsaved changes are compared with the stored entry, and not lost.
      if (form && store.changes.peek() > 0) await store.compare(form)
      else await store.load()
    },
  })
}

/** Does what a plugin does with the chosen entries of a list. */
export function runOnList(action: ActionMeta, list: ListStore): Promise<void> {
  const selection = list.selection.peek()
  const view = list.view.peek()
  const all = { ids: [], query: list.requests.listOf(view).split('?')[1] ?? '' }
  return run(action, list.type, {
    locale: view.locale ?? null,
    ...(selection.kind === 'some' ? { ids: [...selection.ids] } : { ...all, except: [...selection.except] }),
    reload: () => list.reload(),
  })
}

async function run(action: ActionMeta, { uid, path = '' }: TypeMeta, about: About): Promise<void> {
  try {
    const module = await loaded(action, 'run')
    await module.run({ ...viewContext(module), type: uid, path, ...about })
  } catch (error) {
    say(t('extension.actionFailed', { name: action.name, reason: reasonOf(error) }))
  }
}

/** Puts values into fields that the editor may write. */
function change(store: EntryStore, values: Values): void {
  const form = store.form.peek()
  batch(() => {
    for (const [name, value] of Object.entries(values)) {
      const cell = form?.root.cell(name)
      if (!cell?.canWrite) throw new Error(t('extension.notWritable', { name }))
      cell.value.value = typedOf(cell.attribute, value)
    }
  })
}
