import type { Signal } from '@preact/signals'
import { relationKinds } from '../../../model/relations.js'
import type { DrawnType } from '../../../model/schema/drawing.js'
import { type DrawnRelation, isMutual, leadsAnywhere, morphsOf } from '../../../model/schema/relate.js'
import { Choose, Line } from '../../shell/boxes.js'
import { t } from '../../text.js'
import { drawing } from '../store.js'

/** A relation from both ends at once: how many lead to how many, to which type, and the attribute that shows it there. */
export function RelationEnds({
  type,
  relation,
  problem,
}: {
  type: DrawnType
  relation: Signal<DrawnRelation>
  problem: string | undefined
}) {
  const now = drawing.value
  const { relation: kind, target, other } = relation.value
  const set = (change: Partial<DrawnRelation>) => {
    relation.value = { ...relation.peek(), ...change }
  }
  if (!now) return null
  const to = now.targets.find(({ uid }) => uid === target)
  const told = relationKinds.find(one => one === kind)
  const isInFile = target !== undefined && now.type(target)?.schema !== undefined
  const mayHaveOther = isMutual(kind) && isInFile && type.kind !== 'component'
  const morphs = target === undefined ? [] : morphsOf(now, target)
  return (
    <>
      <Choose
        label={t('schema.relationKind')}
        value={kind}
        choices={relationKinds.map(value => ({ value, label: value }))}
        onChange={value => set({ relation: value, other: isMutual(value) === isMutual(kind) ? other : '' })}
      />
      {!leadsAnywhere(kind) && (
        <Choose
          label={t('schema.target')}
          value={target ?? ''}
          choices={[
            { value: '', label: t('schema.choose') },
            ...now.targets.map(one => ({ value: one.uid, label: `${one.name} (${one.uid})` })),
          ]}
          onChange={value => set({ target: value === '' ? undefined : value })}
        />
      )}
      {told && (to || leadsAnywhere(kind)) && (
        <p class="quiet" aria-live="polite">
          {t(`schema.relation.${told}`, { from: type.name, to: to?.name ?? '' })}
        </p>
      )}
      {mayHaveOther && (
        <Line
          label={t('schema.other', { type: to?.name ?? '' })}
          value={other}
          onChange={value => set({ other: value })}
        >
          <span class={problem === undefined ? 'note' : 'problem'} role={problem === undefined ? undefined : 'alert'}>
            {problem ?? t('schema.other.note')}
          </span>
        </Line>
      )}
      {isMutual(kind) && !mayHaveOther && target !== undefined && <p class="note">{t('schema.other.none')}</p>}
      {!isMutual(kind) && !leadsAnywhere(kind) && (
        <Choose
          label={t('schema.morphBy')}
          value={other}
          choices={[{ value: '', label: t('schema.choose') }, ...morphs.map(value => ({ value, label: value }))]}
          onChange={value => set({ other: value })}
        />
      )}
    </>
  )
}
