import { Icon, Select } from '../../pages/page/controls.js'
import { FieldPath } from '../../pages/page/field-path.js'
import { moved, replaced, without } from '../../pages/values/lists.js'
import type { TypeInfo } from '../builder/metadata.js'
import type { SortState } from '../builder/state.js'
import { levelsOf, withinOf } from './path.js'
import { model } from './store.js'

const directions = [
  { value: 'asc', label: 'ascending' },
  { value: 'desc', label: 'descending' },
]

export function Sorts({
  type,
  sort,
  only,
  onChange,
}: {
  type: TypeInfo
  sort: readonly SortState[]
  only?: readonly string[] | undefined
  onChange: (sort: readonly SortState[]) => void
}) {
  const known = model.value
  if (!known) return null
  const levelAt = levelsOf(known, type, only)
  return (
    <fieldset class="rows" aria-label={`Order of ${type.name}`}>
      {sort.map((term, index) => (
        <div class="row" key={index}>
          <FieldPath
            label={within => withinOf(`Sort ${index + 1}: field`, within)}
            path={term.path}
            levelAt={levelAt}
            onChange={path => onChange(replaced(sort, index, { ...term, path }))}
          />
          <Select
            label={`Sort ${index + 1}: direction`}
            value={term.descending ? 'desc' : 'asc'}
            choices={directions}
            onChange={value => onChange(replaced(sort, index, { ...term, descending: value === 'desc' }))}
          />
          <Icon
            label={`Sort ${index + 1}: earlier`}
            sign="↑"
            disabled={index === 0}
            onClick={() => onChange(moved(sort, index, index - 1))}
          />
          <Icon label={`Sort ${index + 1}: remove`} sign="×" onClick={() => onChange(without(sort, index))} />
        </div>
      ))}
      <button type="button" class="text-button" onClick={() => onChange([...sort, { path: [], descending: false }])}>
        Add an order
      </button>
    </fieldset>
  )
}
