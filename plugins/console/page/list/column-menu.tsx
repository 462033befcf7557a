import { errorMessageOf, isDone } from '../../../pages/page/request.js'
import { possibleColumns, usualColumns } from '../../model/list/columns.js'
import { ask } from '../api.js'
import { base } from '../shell/address.js'
import { say } from '../shell/messages.js'
import { Popup } from '../shell/popup.js'
import { addressOfLayout } from '../shell/routes.js'
import { mayConfigure } from '../shell/sections.js'
import { refresh } from '../shell/session.js'
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
          {mayConfigure(type) && <ForAll list={list} onSaved={() => choose(undefined)} />}
        </fieldset>
      )}
    </Popup>
  )
}

/** Gives all editors the columns that are shown, and leads to the rest of the layout. */
function ForAll({ list: { type, columns }, onSaved }: { list: ListStore; onSaved: () => void }) {
  const save = async () => {
    const names = columns.peek().flatMap(({ kind, name }) => (kind === 'attribute' ? [name] : []))
    const reply = await ask({ method: 'PUT', url: `${base}/layouts/${type.uid}`, body: { list: names } })
    say(isDone(reply) ? t('columns.saved') : (errorMessageOf(reply) ?? t('failed')))
    if (!isDone(reply)) return
    await refresh()
    onSaved()
  }
  return (
    <>
      {!type.layout.isDeclared && (
        <button type="button" class="text-button" onClick={() => void save()}>
          {t('columns.saveForAll')}
        </button>
      )}
      <a href={addressOfLayout(type.singular)}>{t('layout', { type: type.name })}</a>
    </>
  )
}
