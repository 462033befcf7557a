import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { EntryStore } from '../entry/store/store.js'
import { t } from '../text.js'
import { languageName } from './other-bar.js'
import { fieldNames, OtherLanguage } from './other-language.js'
import './side-by-side.css'

interface SidesProps {
  readonly store: EntryStore
  readonly other: EntryStore
  /** The form of the entry. */
  readonly children: ComponentChildren
}

/** An entry in two languages: their fields stand in the same rows, or behind tabs where the window is narrow. */
export function SideBySide({ store, other, children }: SidesProps) {
  const place = useRef<HTMLDivElement>(null)
  const isOther = useSignal(false)
  const rows = fieldNames(store).length + 1
  useLayoutEffect(() => place.current?.style.setProperty('--rows', String(rows)), [rows])
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of the forms */}
      <div class="language-tabs" role="group" aria-label={t('list.language')}>
        {[store, other].map(one => (
          <button
            key={String(one.locale.value)}
            type="button"
            class="button"
            aria-pressed={(one === other) === isOther.value}
            onClick={() => {
              isOther.value = one === other
            }}
          >
            {languageName(one)}
          </button>
        ))}
      </div>
      <div class="together" ref={place}>
        <OtherLanguage key={other.head.value?.id} store={store} other={other} isShown={isOther.value} />
        <div class={isOther.value ? 'language-side away' : 'language-side'}>
          <div class="language-head">
            <h2>{languageName(store)}</h2>
          </div>
          {children}
        </div>
      </div>
    </>
  )
}
