import { useEffect } from 'preact/hooks'
import type { Plan } from '../../model/schema.js'
import { Problems, useSending } from '../settings/sending.js'
import { base } from '../shell/address.js'
import { Check } from '../shell/boxes.js'
import { t } from '../text.js'
import { Difference } from './difference.js'
import { Changes } from './plan-changes.js'
import { type Answer, discardAll, drafts, hasDrafts, outdated, plan, problems, removals, written } from './store.js'
import { WritePart } from './write/write-part.js'

/** The plan of the files as they are in the page; `isAtOnce` asks for it when the view is opened. */
export function PlanPart({ isAtOnce = false }: { isAtOnce?: boolean }) {
  const sending = useSending()
  const see = async () => {
    const [files, isWithRemovals] = [drafts.peek(), removals.peek()]
    problems.value = []
    written.value = written.peek()?.state === 'running' ? written.peek() : undefined
    const body = { files, ...(isWithRemovals && { removals: true }) }
    const reply = await sending.send({ method: 'POST', url: `${base}/schema/plan`, body })
    // A plan is not about letters that were typed meanwhile, nor with removals that are not wanted any more.
    if (files !== drafts.peek() || isWithRemovals !== removals.peek()) return
    plan.value = reply && (reply.body as Answer<Plan>).data
  }
  useEffect(() => {
    if (isAtOnce && !plan.peek()) void see()
  }, [])
  useEffect(() => {
    problems.value = sending.problems
  }, [sending.problems])
  const changed = Object.keys(drafts.value)
  const hasRemovals = plan.value?.changes.some(({ group }) => group === 'removals') === true
  return (
    <section class="settings-part wide" aria-busy={sending.isSending}>
      <h2>{t('schema.plan')}</h2>
      <p class="quiet">{hasDrafts.value ? t('schema.plan.ofDrafts') : t('schema.plan.now')}</p>
      {changed.length > 0 && (
        <ul class="schema-relations">
          {changed.map(path => (
            <li key={path}>
              <code>{path}</code>
              {drafts.value[path] === null && <span class="quiet"> {t('schema.toRemove')}</span>}
              {outdated.value.includes(path) && <strong class="problem"> {t('schema.outdated')}</strong>}
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <button type="button" class="button primary" disabled={sending.isSending} onClick={() => void see()}>
          {t('schema.see')}
        </button>
        {changed.length > 0 && (
          <button type="button" class="button" onClick={discardAll}>
            {t('schema.discardAll')}
          </button>
        )}
        <span class="quiet" role="status">
          {plan.value && !isAtOnce && !sending.isSending && t('schema.planned', { count: plan.value.changes.length })}
        </span>
      </div>
      <Problems of={sending} />
      {plan.value && (
        <>
          {plan.value.files.map(file => (
            <Difference key={file.path} file={file} />
          ))}
          <Changes plan={plan.value} />
          {hasRemovals && (
            <Check
              label={t('schema.removals')}
              value={removals.value}
              onChange={isOn => {
                removals.value = isOn
                void see()
              }}
            />
          )}
        </>
      )}
      <WritePart />
    </section>
  )
}
