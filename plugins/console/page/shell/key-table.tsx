import { Dialog } from '../../../pages/page/dialog.js'
import { t } from '../text.js'
import { hasLetters, isShowingKeys } from './keys.js'
import './key-table.css'

/** The key that commands are given with. */
const control = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** The keys of the page by where they work, each with what it does. */
const keys = {
  everywhere: [
    { keys: [[control, 'K']], does: 'goTo' },
    { keys: [['F6'], ['Shift', 'F6']], does: 'regions' },
    { keys: [['Esc']], does: 'close' },
  ],
  list: [
    { keys: [['/']], does: 'search', isLetter: true },
    { keys: [['n']], does: 'new', isLetter: true },
    { keys: [['e']], does: 'edit', isLetter: true },
    { keys: [['?']], does: 'keys', isLetter: true },
    { keys: [['Space'], ['Shift', 'Space']], does: 'choose' },
  ],
  entry: [
    { keys: [[control, 'S']], does: 'save' },
    { keys: [[control, 'Enter']], does: 'publish' },
    { keys: [[control, 'Shift', 'Enter']], does: 'saveNext' },
    {
      keys: [
        [control, 'Z'],
        [control, 'Shift', 'Z'],
      ],
      does: 'undo',
    },
    {
      keys: [
        ['Alt', '↑'],
        ['Alt', '↓'],
        ['Alt', 'Home'],
        ['Alt', 'End'],
      ],
      does: 'move',
    },
    { keys: [['Alt', 'Enter']], does: 'open' },
  ],
} as const

/** The table of all keys, and the switch of those that are single letters. */
export function KeyTable() {
  const close = () => {
    isShowingKeys.value = false
  }
  return (
    <Dialog title={t('keys')} closeLabel={t('close')} onClose={close}>
      <div class="key-tables">
        {(['everywhere', 'list', 'entry'] as const).map(where => (
          <table key={where} class="key-table">
            <caption>{t(`keys.in.${where}`)}</caption>
            <tbody>
              {keys[where].map(one => (
                <tr key={one.does} class={'isLetter' in one && !hasLetters.value ? 'off' : undefined}>
                  <th scope="row">{one.keys.map(combination)}</th>
                  <td>{t(`keys.does.${one.does}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <LettersChoice />
    </Dialog>
  )
}

const combination = (names: readonly string[]) => (
  <span key={names.join('+')} class="combination">
    {names.map(name => (
      <kbd key={name}>{name}</kbd>
    ))}
  </span>
)

/** Turns single letters on and off, in this browser. */
export function LettersChoice() {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={hasLetters.value}
        onChange={event => {
          hasLetters.value = event.currentTarget.checked
        }}
      />
      {t('keys.letters')}
    </label>
  )
}
