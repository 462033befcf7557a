import type { Values } from '../../model/form/plain.js'
import { stateOf } from '../../model/list/entry-state.js'
import { t } from '../text.js'

const signs = { published: '●', scheduled: '◔', draft: '○' } as const

/** The state of an entry, by a sign and a word. */
export function StateMark({ values }: { values: Values }) {
  const state = stateOf(values)
  return (
    <span class="state">
      <span class={`sign ${state}`} aria-hidden="true">
        {signs[state]}
      </span>{' '}
      {t(`mark.${state}`)}
    </span>
  )
}
