import type { Values } from '../../model/form/plain.js'
import { t } from '../text.js'

/** The state of an entry, by a sign and a word. */
export function StateMark({ values: { publishedAt, publishAt } }: { values: Values }) {
  const isPublished = publishedAt !== null && publishedAt !== undefined
  const isScheduled = !isPublished && publishAt !== null && publishAt !== undefined
  const state = isPublished ? 'published' : isScheduled ? 'scheduled' : 'draft'
  return (
    <span class="state">
      <span class={`sign ${state}`} aria-hidden="true">
        {isPublished ? '●' : isScheduled ? '◔' : '○'}
      </span>{' '}
      {t(`mark.${state}`)}
    </span>
  )
}
