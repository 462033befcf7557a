import type { Kinds } from '../../model/form/kinds.js'
import type { PlainValue } from '../../model/form/plain.js'
import type { Conflict, Merged, Side } from '../../model/merge/merge.js'
import { differentWords } from '../../model/merge/words.js'
import type { EntryStore } from '../entry/store/store.js'
import { t } from '../text.js'
import { ComparisonTable } from './comparison-table.js'
import { pathKey, pathLabel } from './path-label.js'
import { valueText } from './value-text.js'

interface ComparisonProps {
  readonly store: EntryStore
  readonly merged: Merged
  readonly sideOf: (conflict: Conflict) => Side
  readonly onChoose: (conflict: Conflict, side: Side) => void
}

/** Changes of both sides: those that meet are chosen, the others are taken. */
export function Comparison({ store, merged, sideOf, onChoose }: ComparisonProps) {
  const { kinds } = store
  const { conflicts, changes, plain, read } = merged
  const label = (path: readonly string[]) => pathLabel(kinds, [plain, read], path)
  const isMet = (path: readonly string[]) => conflicts.some(one => startsWith(one.path, path))
  const taken = changes.filter(({ path }) => !isMet(path) && !changes.some(one => isInside(one.path, path)))
  return (
    <ComparisonTable
      label={t('conflict.table')}
      columns={[t('conflict.before'), t('conflict.theirsShort'), t('conflict.mine')]}
    >
      {conflicts.map(conflict => (
        <Choice
          key={pathKey(conflict.path, conflict.what)}
          kinds={kinds}
          conflict={conflict}
          label={
            conflict.what === 'order' ? t('conflict.order', { label: label(conflict.path) }) : label(conflict.path)
          }
          side={sideOf(conflict)}
          onChoose={side => onChoose(conflict, side)}
        />
      ))}
      {taken.map(({ path, by }) => (
        <tr key={pathKey(path, by)}>
          <th scope="row" dir="auto">
            {label(path)}
          </th>
          <td colSpan={3} class="quiet">
            {t(by === 'mine' ? 'conflict.byMe' : by === 'theirs' ? 'conflict.byThem' : 'conflict.byBoth')}
          </td>
        </tr>
      ))}
    </ComparisonTable>
  )
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((part, index) => path[index] === part)

const isInside = (path: readonly string[], outer: readonly string[]): boolean =>
  path.length > outer.length && startsWith(path, outer)

interface ChoiceProps {
  readonly kinds: Kinds
  readonly conflict: Conflict
  readonly label: string
  readonly side: Side
  readonly onChoose: (side: Side) => void
}

/** Two values of which one is taken. */
function Choice({ kinds, conflict, label, side, onChoose }: ChoiceProps) {
  const name = pathKey(conflict.path, conflict.what)
  const before = valueText(kinds, conflict.before)
  const option = (one: Side, value: PlainValue | undefined) => (
    <td data-label={t(one === 'mine' ? 'conflict.mine' : 'conflict.theirsShort')}>
      {/* Both cells are one group of two radios for those who hear them. */}
      <fieldset aria-label={label}>
        <label class="option">
          <input
            type="radio"
            name={name}
            aria-label={t(one === 'mine' ? 'conflict.mine' : 'conflict.theirsShort')}
            checked={side === one}
            onChange={() => onChoose(one)}
          />
          <Difference before={before} value={value} text={valueText(kinds, value)} />
        </label>
      </fieldset>
    </td>
  )
  return (
    <tr>
      <th scope="row" dir="auto">
        {label}
      </th>
      <td dir="auto" data-label={t('conflict.before')}>
        {shortened(before)}
      </td>
      {option('theirs', conflict.theirs)}
      {option('mine', conflict.mine)}
    </tr>
  )
}

/** A text with the words in which it differs from the one before. */
export function Difference({ before, value, text }: { before: string; value: PlainValue | undefined; text: string }) {
  if (value === undefined) return <i>{t('conflict.removed')}</i>
  if (text === '') return <i>{t('cell.empty')}</i>
  const parts = differentWords(before, text).filter(({ side }) => side !== 'former')
  return (
    <span dir="auto" class="text">
      {parts.map((part, index) => {
        const key = `${index} ${part.text}`
        return part.side === 'later' ? <ins key={key}>{part.text}</ins> : <span key={key}>{inShort(part.text)}</span>
      })}
    </span>
  )
}

const longest = 400
export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** Of what both have, the two ends tell where it is. */
const inShort = (text: string): string => (text.length > 160 ? `${text.slice(0, 70)} … ${text.slice(-70)}` : text)
