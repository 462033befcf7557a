import type { ComponentChildren } from 'preact'
import { emptyGroup } from '../../../pages/values/filters.js'
import { FailureText } from '../failure-text.js'
import { addressOfType } from '../shell/routes.js'
import { t } from '../text.js'
import { useConditionTexts } from './condition-text.js'
import type { ListProblem, ListStore } from './store.js'

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

/** A text in place of the rows: why there are none, and what to do about it. */
export function NoRows({ list }: { list: ListStore }) {
  const { search, filters, state } = list.view.value
  const conditions = useConditionTexts(list)
  const said = [
    ...(search === '' ? [] : [t('list.search.said', { text: search })]),
    ...(state === 'all' ? [] : [t(`state.${state}`)]),
    ...conditions,
  ]
  const { plural, can } = list.type
  if (state === 'trash' && said.length === 1) return <Empty>{t('list.trash.empty')}</Empty>
  if (said.length === 0)
    return (
      <Empty>
        {t('list.empty', { type: plural })}{' '}
        {can.create && <a href={`${addressOfType(list.type)}/new`}>{t('list.new')}</a>}
      </Empty>
    )
  return (
    <Empty>
      {t('list.nothing', { conditions: said.join(' · ') })}{' '}
      <button
        type="button"
        class="text-button"
        onClick={() => list.change({ search: '', state: 'all', filters: { ...emptyGroup, rows: [] } })}
      >
        {t(filters.rows.length > 0 ? 'filters.clear' : 'list.showAll')}
      </button>
    </Empty>
  )
}

/** The reason why the list is not shown. */
export function Problem({ list, problem: { status, message } }: { list: ListStore; problem: ListProblem }) {
  if (status === 403 || status === 401) return <Empty>{t('list.forbidden', { type: list.type.plural })}</Empty>
  return (
    <div class="empty" role="alert">
      <p>
        <FailureText text={message ?? t('failed')} />
      </p>
      <button type="button" class="button" onClick={() => void list.reload()}>
        {t('tryAgain')}
      </button>
    </div>
  )
}
