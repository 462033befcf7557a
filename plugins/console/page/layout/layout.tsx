import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { guardLeaving, leaving } from '../shell/address.js'
import { AskDiscard } from '../shell/ask-discard.js'
import { returningFocus } from '../shell/focus.js'
import { addressOfType } from '../shell/routes.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { FieldPart } from './field-part.js'
import { FormPart } from './form-part.js'
import { ListPart } from './list-part.js'
import { Preview } from './preview.js'
import { type Kind, LayoutStore } from './store.js'
import './layout.css'

/** The layout of lists and forms of a type, for all editors. */
export function LayoutView({ kind }: { kind: Kind }) {
  const store = useMemo(() => new LayoutStore(kind), [kind.uid])
  useEffect(() => {
    void store.load()
    return guardLeaving(() => store.change.peek() !== undefined)
  }, [store])
  const layout = store.layout.value
  const asked = leaving.value
  return (
    <View title={t('layout', { type: kind.name })} beside={layout && <Buttons store={store} />}>
      {'can' in kind && (
        <p>
          <a href={addressOfType(kind)}>{t('layout.back', { type: kind.name })}</a>
        </p>
      )}
      {layout?.isDeclared && <p role="note">{t('layout.declared')}</p>}
      {store.failure.value !== '' && (
        <p class="problem" role="alert">
          {store.failure.value}{' '}
          {!layout && (
            <button type="button" class="text-button" onClick={() => void returningFocus(() => store.load())}>
              {t('tryAgain')}
            </button>
          )}
        </p>
      )}
      {!layout && store.failure.value === '' && <p class="empty" aria-busy="true" />}
      <p class="narrow-only">{t('layout.narrow')}</p>
      {layout && (
        <div class="layout-editor">
          <fieldset class="plain" disabled={layout.isDeclared}>
            {store.isType && <ListPart store={store} layout={layout} />}
            <FormPart store={store} layout={layout} />
          </fieldset>
          <div class="layout-side">
            <fieldset class="plain layout-field" disabled={layout.isDeclared}>
              <FieldPart store={store} layout={layout} />
            </fieldset>
            <Preview store={store} layout={layout} />
          </div>
        </div>
      )}
      {asked && <AskDiscard text={t('layout.unsaved')} onStay={asked.stay} onDiscard={asked.leave} />}
    </View>
  )
}

function Buttons({ store }: { store: LayoutStore }) {
  const isAsking = useSignal(false)
  const layout = store.layout.value
  if (!layout || layout.isDeclared) return null
  const stay = () => {
    isAsking.value = false
  }
  const reset = () => {
    stay()
    void store.reset()
  }
  return (
    <div class="row layout-buttons">
      {layout.isStored && (
        <button
          type="button"
          class="button"
          disabled={store.isBusy.value}
          onClick={() => {
            isAsking.value = true
          }}
        >
          {t('layout.reset')}
        </button>
      )}
      <button
        type="button"
        class="button primary"
        disabled={store.isBusy.value || store.change.value === undefined}
        onClick={() => void store.save()}
      >
        {t('entry.save')}
      </button>
      {isAsking.value && (
        <AskDiscard title={t('layout.reset')} text={t('layout.reset.text')} onStay={stay} onDiscard={reset} />
      )}
    </div>
  )
}
