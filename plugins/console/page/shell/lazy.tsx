import { signal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../text.js'

interface Loaded<P> {
  readonly Part?: ComponentType<P>
  readonly hasFailed?: true
}

/** A part of the page whose script is loaded when the part is first shown, or before by `loadAhead`. */
type LazyPart<P> = ((props: P) => VNode) & { readonly loadAhead: () => void }

/** `Waiting` stands in its place meanwhile, with the room that it takes. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, Waiting?: ComponentType<P>): LazyPart<P> {
  const loaded = signal<Loaded<P>>({})
  let isUnderWay = false
  const start = async () => {
    if (isUnderWay || loaded.peek().Part) return
    isUnderWay = true
    loaded.value = {}
    loaded.value = await load().then(
      Part => ({ Part }),
      () => ({ hasFailed: true }),
    )
    isUnderWay = false
  }
  function Lazy(props: P) {
    const { Part, hasFailed } = loaded.value
    useEffect(() => void start(), [])
    if (Part) return <Part {...props} />
    if (!hasFailed) return Waiting ? <Waiting {...props} /> : <p class="empty" aria-busy="true" />
    return (
      <div class="empty" role="alert">
        <p>{t('lazy.failed')}</p>
        <button type="button" class="button" onClick={() => void start()}>
          {t('tryAgain')}
        </button>
      </div>
    )
  }
  return Object.assign(Lazy, { loadAhead: () => void start() })
}
