import { Moment } from '../list/field-value.js'
import { t } from '../text.js'
import type { EntryStore } from './store/store.js'

/** The account may say when the entry is published, and when that ends. */
export function canPlan(store: EntryStore): boolean {
  const { attributes, options } = store.type
  const isWritable = attributes.some(({ name, writable }) => name === 'publishAt' && writable)
  return (
    options.scheduling && isWritable && store.head.value !== undefined && store.may('publish') && store.may('update')
  )
}

/** The times at which the entry will be published, and at which that will end. */
export function Plans({ store }: { store: EntryStore }) {
  const { publishAt, unpublishAt } = store.head.value ?? {}
  const isBusy = store.isBusy.value
  return (
    <>
      {publishAt && (
        <p>
          ◔ {t('schedule.published')} <Moment time={publishAt} />
        </p>
      )}
      {unpublishAt && (
        <p>
          {t('schedule.unpublished')} <Moment time={unpublishAt} />
        </p>
      )}
      {canPlan(store) && (
        <div class="row">
          <button
            type="button"
            class="text-button"
            disabled={isBusy}
            onClick={() => {
              store.isPlanning.value = true
            }}
          >
            {t('schedule')}
          </button>
          {(publishAt || unpublishAt) && (
            <button
              type="button"
              class="text-button"
              disabled={isBusy}
              onClick={() => void store.plan({ publishAt: null, unpublishAt: null })}
            >
              {t('schedule.cancel')}
            </button>
          )}
        </div>
      )}
    </>
  )
}
