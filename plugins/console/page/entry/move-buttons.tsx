import { Icon } from '../../../pages/page/controls.js'
import { t } from '../text.js'

interface MoveButtonsProps {
  readonly title: string
  readonly at: number
  readonly count: number
  readonly onMove: (to: number) => void
}

/** Buttons that move an item of a list by one place. */
export const MoveButtons = ({ title, at, count, onMove }: MoveButtonsProps) => (
  <>
    <Icon label={t('items.up', { title })} sign="▲" disabled={at === 0} onClick={() => onMove(at - 1)} />
    <Icon label={t('items.down', { title })} sign="▼" disabled={at === count - 1} onClick={() => onMove(at + 1)} />
  </>
)
