import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
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
  const last = useRef<AbortController>(undefined)
  const read = async () => {
    // A response that arrives late must not replace a later one.
    last.current?.abort()
    last.current = new AbortController()
    const { signal } = last.current
    const reply = await ask({ url, signal })
    if (signal.aborted) return
    if (isDone(reply)) value.value = reply.body as T
    problem.value = isDone(reply)
      ? ''
      : reply.status === 404
        ? t('nowhere.text')
        : (errorMessageOf(reply) ?? t('failed'))
  }
  useEffect(() => {
    void read()
    return () => last.current?.abort()
  }, [url])
  return { value, problem, reload: read }
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
