import type { ItemList } from '../../model/form/item.js'
import { FailureText } from '../failure-text.js'
import { t } from '../text.js'
import { nameOf } from './fields/item-name.js'
import { fieldId, itemsOn, type ShownProblem } from './store/problems.js'
import type { EntryStore } from './store/store.js'

/** The problems that keep the entry from being saved or published, with links to the fields. */
export function Problems({ store }: { store: EntryStore }) {
  const problems = store.standing.value
  const failures = store.failures.value
  const count = problems.length + failures.length
  if (count === 0) return null
  return (
    <section class="problems" id={store.problemsId} tabIndex={-1} aria-labelledby={`${store.problemsId}-title`}>
      <h2 id={`${store.problemsId}-title`}>{t('problems', { count })}</h2>
      <ul>
        {failures.map(text => (
          <li key={text}>
            <FailureText text={text} />
          </li>
        ))}
        {problems.map(problem => (
          <li key={problem.path.join(' ')}>
            <ProblemLink store={store} problem={problem} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProblemLink({ store, problem: { path, text } }: { store: EntryStore; problem: ShownProblem }) {
  const form = store.form.value
  if (!form) return null
  const items = itemsOn(form, path)
  const holder = items.at(-1) ?? form.root
  const name = path.at(-1) ?? ''
  const places = items.slice(1).map((item, at) => {
    const list = items[at]?.list(path[at * 2] ?? '') as ItemList
    return nameOf(store.kinds, list, item)
  })
  const label = store.kinds.of(holder.uid)?.layout.fields[name]?.label ?? name
  return (
    <a
      href={`#${fieldId(holder, name)}`}
      onClick={event => {
        event.preventDefault()
        store.goTo(path)
      }}
    >
      {[...places, label].join(' › ')}: {text}
    </a>
  )
}
