import { Select } from '../../../pages/page/controls.js'
import { firstPage, type Place } from '../../model/list/view.js'
import { t } from '../text.js'
import type { ListStore } from './store.js'

/** The way to the pages beside the one that is shown. */
export function Pages({ list }: { list: ListStore }) {
  const page = list.page.value
  if (!page || (page.rows.length === 0 && !page.previous)) return null
  const { from } = list.view.value.place
  const size = list.requests.size(list.view.value)
  const sizes = [...new Set([...list.meta.limits.pageSizes, size])].sort((one, other) => one - other)
  const turn = (place: Place | undefined) => place && list.change({ place })
  const range = { from: from + 1, to: from + page.rows.length }
  const { total, moreThan } = list
  return (
    <nav class="pages" aria-label={t('pages')}>
      <p role="status">
        {total !== undefined
          ? t('pages.rangeOf', { ...range, count: total })
          : moreThan !== undefined
            ? t('pages.rangeOver', { ...range, count: moreThan })
            : t('pages.range', range)}
      </p>
      {moreThan !== undefined && (
        <button type="button" class="text-button" onClick={() => void list.count()}>
          {t('pages.count')}
        </button>
      )}
      <span class="spread" />
      <Select
        label={t('pages.size')}
        value={String(size)}
        choices={sizes.map(one => ({ value: String(one), label: t('pages.perPage', { count: one }) }))}
        onChange={chosen => list.change({ size: Number(chosen) })}
      />
      <PageButton label={t('pages.first')} sign="«" place={page.previous && firstPage} onTurn={turn} />
      <PageButton label={t('pages.previous')} sign="‹" place={page.previous} onTurn={turn} />
      <PageButton label={t('pages.next')} sign="›" place={page.next} onTurn={turn} />
    </nav>
  )
}

/** The button keeps the focus where there is no such page, so that it is not disabled for the keyboard. */
function PageButton({
  label,
  sign,
  place,
  onTurn,
}: {
  label: string
  sign: string
  place: Place | undefined
  onTurn: (place: Place | undefined) => void
}) {
  return (
    <button
      type="button"
      class="button"
      aria-label={label}
      title={label}
      aria-disabled={place === undefined}
      onClick={() => onTurn(place)}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  )
}
