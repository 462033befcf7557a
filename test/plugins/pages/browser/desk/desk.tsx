import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { Combobox } from '../../../../../plugins/pages/page/combobox.js'
import { Input } from '../../../../../plugins/pages/page/controls.js'
import { Dialog } from '../../../../../plugins/pages/page/dialog.js'
import { type EditedValues, Filters, type Vocabulary } from '../../../../../plugins/pages/page/filters.js'
import { atPath, emptyGroup, groupQuery } from '../../../../../plugins/pages/values/filters.js'

/** A page of words: relations are entries that are picked, or a way to their fields. */
type Field = 'text' | 'entry'
const fields: Readonly<Record<string, Field>> = { title: 'text', author: 'entry', 'author.name': 'text' }
const empty = { value: '$null', label: 'is empty', takes: 'flag' } as const
const operators = {
  text: [{ value: '$contains', label: 'contains', takes: 'one' }, empty],
  entry: [{ value: '$eq', label: 'is', takes: 'one' }, empty],
} as const
const authors = ['Ada Lind', 'Ben Okafor', 'Carla Ruiz'].map((name, index) => ({ id: index + 1, name }))

const words: Vocabulary<Field> = {
  levelAt: ([first, ...rest]) => {
    if (first === undefined)
      return {
        placeholder: 'Field',
        choices: [
          { value: 'title', label: 'Title' },
          { value: 'author', label: 'Author' },
        ],
      }
    if (first !== 'author' || rest.length > 0) return undefined
    return { placeholder: 'the entry', choices: [{ value: 'name', label: 'Name' }] }
  },
  fieldAt: path => fields[path.join('.')],
  operators: field => operators[field],
  isComplete: ({ operator, values }) => operator === '$null' || values[0] !== '',
  values: edited => <Value {...edited} />,
  texts: {
    ...{ about: 'Filters', join: 'Match', addCondition: 'Add condition', addGroup: 'Add group', incomplete: '…' },
    joins: [
      { value: '$and', label: 'all' },
      { value: '$or', label: 'any' },
    ],
    removeGroup: number => `Remove group ${number}`,
    field: (number, within) => (within.length > 0 ? `Field of ${within.join(' ')} ${number}` : `Field ${number}`),
    operator: number => `Operator ${number}`,
    remove: number => `Remove condition ${number}`,
  },
  depth: 1,
}

function Value({ field, operator, condition: { values }, number, onChange }: EditedValues<Field>) {
  const [value = ''] = values
  if (operator.takes === 'flag') return null
  if (field === 'text')
    return (
      <Input
        kind="text"
        aria-label={`Value ${number}`}
        invalid={false}
        value={value}
        onType={text => onChange([text])}
      />
    )
  if (value !== '') return <b>{authors.find(({ id }) => String(id) === value)?.name}</b>
  return (
    <Combobox
      label={`Value ${number}`}
      placeholder="Search"
      listLabel="Authors"
      nothing="No author has that name"
      search={async text => authors.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))}
      keyOf={({ id }) => id}
      show={({ name }) => name}
      onPick={({ id }) => onChange([String(id)])}
    />
  )
}

function Desk() {
  const group = useSignal(emptyGroup)
  const isOpen = useSignal(false)
  const query = groupQuery(group.value, condition => {
    const { path, operator, values } = condition
    if (!words.fieldAt(path) || !words.isComplete(condition)) return undefined
    return atPath(path, { [operator]: operator === '$null' ? true : values[0] })
  })
  return (
    <main>
      <Filters words={words} group={group.value} onChange={next => (group.value = next)} />
      <output>{JSON.stringify(query)}</output>
      <button type="button" onClick={() => (isOpen.value = true)}>
        Lamp
      </button>
      {isOpen.value && (
        <Dialog title="Lamp" onClose={() => (isOpen.value = false)}>
          <input aria-label="Colour" />
        </Dialog>
      )}
    </main>
  )
}

render(<Desk />, document.body)
