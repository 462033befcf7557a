import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { errorMessageOf, isDone } from '../../../pages/page/request.js'
import { ask } from '../api.js'
import { t } from '../text.js'

/** The data of a section; it is kept while it is read again. */
export interface Loaded<T> {
  readonly value: Signal<T | undefined>
  readonly problem: Signal<string>
  reload(): Promise<void>
}

/** Reads what a section shows when it is opened, and when its address changes. */
export function useLoaded<T>(url: string): Loaded<T> {
  const value = useSignal<T | undefined>(undefined)
  const problem = useSignal('')
  const read = async (signal?: AbortSignal) => {
    const reply = await ask({ url, ...(signal && { signal }) })
    if (signal?.aborted) return
    if (isDone(reply)) value.value = reply.body as T
    problem.value = isDone(reply)
      ? ''
      : reply.status === 404
        ? t('nowhere.text')
        : (errorMessageOf(reply) ?? t('failed'))
  }
  useEffect(() => {
    const stop = new AbortController()
    void read(stop.signal)
    return () => stop.abort()
  }, [url])
  return { value, problem, reload: () => read() }
}

/** A part of a section that shows what was read. */
export function Shown<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem } = loaded
  return (
    <>
      {problem.value !== '' && (
        <p class="error" role="alert">
          {problem.value}{' '}
          <button type="button" class="text-button" onClick={() => void loaded.reload()}>
            {t('tryAgain')}
          </button>
        </p>
      )}
      {value.value !== undefined
        ? children(value.value)
        : problem.value === '' && (
            <p class="empty" aria-busy="true">
              {t('loading')}
            </p>
          )}
    </>
  )
}
