import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { errorMessageOf, isDone } from '../../../pages/page/request.js'
import { type Query, withQuery } from '../../../pages/values/query-text.js'
import { ask } from '../api.js'
import { t } from '../text.js'

const atOnce = 25

/** Rows that a section reads part by part, the latest first. */
export interface Latest<Row> {
  readonly rows: readonly Row[] | undefined
  readonly isMore: boolean
  /** The reason for which the last part could not be read. */
  readonly problem: string
  /** Reads the latest ones again. */
  reload(): Promise<void>
  readMore(): Promise<void>
}

/** Reads the latest rows that match, anew where the filter is another one, and earlier ones on request. */
export function useLatest<Row extends { readonly id: number }>(url: string, filter: Query): Latest<Row> {
  const rows = useSignal<readonly Row[] | undefined>(undefined)
  const isMore = useSignal(false)
  const problem = useSignal('')
  const last = useRef<AbortController>(undefined)
  const read = async (known: readonly Row[]) => {
    // Rows of another filter, or those that are asked for twice, must not be added when they arrive late.
    last.current?.abort()
    last.current = new AbortController()
    const { signal } = last.current
    const before = known.at(-1)?.id
    const reply = await ask({
      url: withQuery(url, { ...filter, ...(before !== undefined && { before }), limit: atOnce }),
      signal,
    })
    if (signal.aborted) return
    problem.value = isDone(reply) ? '' : (errorMessageOf(reply) ?? t('failed'))
    if (!isDone(reply)) return
    const { data } = reply.body as { readonly data: readonly Row[] }
    rows.value = [...known, ...data]
    isMore.value = data.length === atOnce
  }
  useEffect(() => {
    void read([])
    return () => last.current?.abort()
  }, [url, JSON.stringify(filter)])
  return {
    ...{ rows: rows.value, isMore: isMore.value, problem: problem.value },
    reload: () => read([]),
    readMore: () => read(rows.peek() ?? []),
  }
}
