import { cellAt, columns, movedCell, resized, withoutCell } from '../../model/layout/rows.js'
import type { Layout } from '../../model/meta.js'
import { Check, Choose, Line } from '../shell/boxes.js'
import { addressOfLayout } from '../shell/routes.js'
import { kinds } from '../shell/session.js'
import { t } from '../text.js'
import { addingId } from './form-part.js'
import type { LayoutStore } from './store.js'

/** The most characters of a text about a field. */
const longest = 1000

/** The settings of the field that is chosen in the form. */
export function FieldPart({ store, layout }: { store: LayoutStore; layout: Layout }) {
  const name = store.chosen.value
  const field = name === undefined ? undefined : layout.fields[name]
  const place = name === undefined ? undefined : cellAt(layout.edit, name)
  if (name === undefined || !field || !place) return null
  const { edit } = layout
  const attribute = store.attribute(name)
  const [target] = (attribute?.kind === 'link' && attribute.targets) || []
  const names = kinds.value?.of(target)?.attributes.filter(({ kind, readable }) => kind === 'field' && readable) ?? []
  const isComponent = attribute?.kind === 'link' && attribute.embedded
  return (
    <section class="layout-part" aria-label={t('layout.field', { field: field.label })}>
      <h2>{t('layout.field', { field: field.label })}</h2>
      <div class="layout-choices">
        <Line
          maxLength={longest}
          label={t('layout.label')}
          value={field.label}
          onChange={label => store.setField(name, { label })}
        />
        <Line
          maxLength={longest}
          label={t('layout.description')}
          value={field.description ?? ''}
          onChange={description => store.setField(name, { description })}
        />
        <Line
          maxLength={longest}
          label={t('layout.placeholder')}
          value={field.placeholder ?? ''}
          onChange={placeholder => store.setField(name, { placeholder })}
        />
        <Choose
          label={t('layout.width')}
          value={String(place.cell.size)}
          choices={Array.from({ length: columns }, (_, at) => ({ value: String(at + 1), label: `${at + 1}/12` }))}
          onChange={size => store.set({ edit: resized(edit, name, Number(size)) })}
        />
        <Choose
          label={t('layout.moveToRow')}
          value={String(place.row)}
          choices={[...edit, []].map((_, row) => ({
            value: String(row),
            label: row === edit.length ? t('layout.newRow') : String(row + 1),
          }))}
          onChange={row => {
            const cells = edit[Number(row)]
            store.set({ edit: movedCell(edit, name, { row: Number(row), ...(cells && { at: cells.length }) }) })
          }}
        />
        {field.mainField !== undefined && (
          <Choose
            label={t('layout.relationField')}
            value={field.mainField}
            choices={[...new Set([field.mainField, 'id', ...names.map(one => one.name)])].map(value => ({
              value,
              label: value,
            }))}
            onChange={mainField => store.setField(name, { mainField })}
          />
        )}
      </div>
      <div class="row">
        <Check
          label={t('layout.editable')}
          value={field.editable}
          onChange={editable => store.setField(name, { editable })}
        />
        <button
          type="button"
          class="button"
          onClick={() => {
            store.set({ edit: withoutCell(edit, name) })
            store.chosen.value = undefined
            // These settings go with the field, and the button that brings it back takes the focus.
            setTimeout(() => document.getElementById(addingId(name))?.focus())
          }}
        >
          {t('layout.leaveOut')}
        </button>
      </div>
      {isComponent && (
        <ul>
          {(attribute.targets ?? []).map(uid => (
            <li key={uid}>
              <a href={addressOfLayout(uid)}>{t('layout', { type: kinds.value?.of(uid)?.name ?? uid })}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
