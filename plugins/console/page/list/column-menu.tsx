import { possibleColumns, usualColumns } from '../../model/list/columns.js'
import { Popup } from '../shell/popup.js'
import { t } from '../text.js'
import { columnLabel } from './cell.js'
import { chooseColumns } from './own-columns.js'
import type { ListStore } from './store.js'

/** The editor's own columns, in this browser. */
export function ColumnMenu({ list }: { list: ListStore }) {
  const { type, kinds, meta } = list
  const shown = list.columns.value
  const choose = (names: readonly string[] | undefined) => chooseColumns(meta.account.id, type.uid, names)
  const toggle = (name: string, isOn: boolean) => {
    const names = shown.map(column => column.name)
    choose(isOn ? [...names, name] : names.filter(other => other !== name))
  }
  const isTitle = (name: string) => name === type.layout.settings.mainField
  const possible = possibleColumns(kinds, type)
  return (
    <Popup class="at-end" label={t('columns')}>
      {() => (
        <fieldset class="choices">
          <legend class="hidden">{t('columns')}</legend>
          {possible.map(column => (
            <label key={column.name} class="check">
              <input
                type="checkbox"
                checked={shown.some(({ name }) => name === column.name)}
                disabled={isTitle(column.name)}
                onChange={event => toggle(column.name, event.currentTarget.checked)}
              />
              {columnLabel(column)}
            </label>
          ))}
          <button type="button" class="text-button" onClick={() => choose(undefined)}>
            {t('columns.usual', { count: usualColumns(type).length })}
          </button>
        </fieldset>
      )}
    </Popup>
  )
}
