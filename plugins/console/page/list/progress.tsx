import { restOf } from '../../model/list/rest.js'
import { FailureText } from '../failure-text.js'
import { addressOfEntry } from '../shell/routes.js'
import { t } from '../text.js'
import { type Run, run, startRun } from './run.js'

/** Work on many entries: how far it is, and what failed. */
export function Progress() {
  const work = run.value
  if (!work) return null
  const { action, change, done, failed, isCut, total, isRunning, list, stop } = work
  const finished = done + failed.length
  if (isRunning)
    return (
      <div class="run">
        <progress aria-label={t('run.progress')} value={finished} max={Math.max(total, finished, 1)} />
        <span>{t('run.of', { done: finished, total })}</span>
        <Rest work={work} />
        <button type="button" class="button" onClick={stop}>
          {t('run.stop')}
        </button>
      </div>
    )
  if (failed.length === 0 && !isCut) return null
  const again = () => {
    const ids = new Set(failed.map(({ id }) => id))
    void startRun({ list, action, change, selection: { kind: 'some', ids }, total: ids.size })
  }
  const dismiss = () => {
    run.value = undefined
  }
  return (
    <section class="run failed" aria-label={t('run.failures')}>
      <p>
        {t(`run.${action}`, { count: done })} {failed.length > 0 && t('run.failed', { count: failed.length })}{' '}
        {isCut && t('run.cut')}
      </p>
      <div class="failures" hidden={failed.length === 0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('run.entry')}</th>
              <th scope="col">{t('run.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {failed.slice(0, mostShown).map(({ id, error = '' }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={addressOfEntry(list.type, id)} dir="auto">
                    {work.titles.get(id) ?? `#${id}`}
                  </a>
                </th>
                <td>
                  <FailureText text={error} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {failed.length > mostShown && <p class="quiet">{t('cell.more', { count: failed.length - mostShown })}</p>}
      <div class="row">
        {failed.length > 0 && (
          <button type="button" class="button" onClick={again}>
            {t('run.again')}
          </button>
        )}
        <button type="button" class="text-button" onClick={dismiss}>
          {t('shell.dismiss')}
        </button>
      </div>
    </section>
  )
}

const mostShown = 20

/** The rest of the time, once it can be told. */
function Rest({ work: { begun, done, failed, total } }: { work: Run }) {
  const rest = restOf({ since: Date.now() - begun, done: done + failed.length, total })
  if (rest === undefined) return null
  return (
    <span class="quiet">
      {rest < 90 ? t('run.rest.seconds', { count: rest }) : t('run.rest.minutes', { count: Math.round(rest / 60) })}
    </span>
  )
}
