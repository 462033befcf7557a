import { t } from '../text.js'
import { run, startRun } from './run.js'

/** Work on many entries: how far it is, and what failed. */
export function Progress() {
  const work = run.value
  if (!work) return null
  const { action, done, failed, total, isRunning, list, stop } = work
  const finished = done + failed.length
  if (isRunning)
    return (
      <div class="run">
        <progress aria-label={t('run.progress')} value={finished} max={Math.max(total, finished, 1)} />
        <span>{t('run.of', { done: finished, total })}</span>
        <button type="button" class="button" onClick={stop}>
          {t('run.stop')}
        </button>
      </div>
    )
  if (failed.length === 0) return null
  const again = () => {
    const ids = new Set(failed.map(({ id }) => id))
    void startRun({ list, action, selection: { kind: 'some', ids }, total: ids.size })
  }
  const dismiss = () => {
    run.value = undefined
  }
  return (
    <section class="run failed" aria-label={t('run.failures')}>
      <p>
        {t(`run.${action}`, { count: done })} {t('run.failed', { count: failed.length })}
      </p>
      <ul>
        {failed.slice(0, mostShown).map(({ id, error }) => (
          <li key={id}>
            #{id}: {error}
          </li>
        ))}
      </ul>
      {failed.length > mostShown && <p class="quiet">{t('cell.more', { count: failed.length - mostShown })}</p>}
      <div class="row">
        <button type="button" class="button" onClick={again}>
          {t('run.again')}
        </button>
        <button type="button" class="text-button" onClick={dismiss}>
          {t('shell.dismiss')}
        </button>
      </div>
    </section>
  )
}

const mostShown = 20
