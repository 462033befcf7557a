import { useSignal } from '@preact/signals'
import { componentNamesProblem, typeNamesProblem } from '../../../model/schema/names.js'
import { addComponent, addType } from '../../../model/schema/types.js'
import { ChoiceBox, TextBox } from '../../settings/fields.js'
import { go } from '../../shell/address.js'
import { Check } from '../../shell/boxes.js'
import { addressOfSchema } from '../../shell/routes.js'
import { t } from '../../text.js'
import { draw, drawing } from '../store.js'
import { FormDialog } from './form-dialog.js'
import { pathsOf } from './type-part.js'
import { told, toldProblem } from './words.js'

interface Props {
  readonly onClose: () => void
}

/** A new content type: its names, and its options as switches. */
export function NewType({ onClose }: Props) {
  const kind = useSignal('collectionType')
  const [displayName, singular, plural] = [useSignal(''), useSignal(''), useSignal('')]
  const switches = useSignal<readonly string[]>([])
  const problem = useSignal('')
  const now = drawing.value
  if (!now) return null
  const { words } = now.app
  const paths = pathsOf(words, { kind: 'collectionType' }).filter(
    ([, one = '', word = '']) => Object(words.options[one] ?? words.pluginOptions[one]?.[word]).type === 'boolean',
  )
  const values = () => [kind.value, displayName.value, singular.value, plural.value, switches.value]
  const submit = () => {
    const names = {
      kind: kind.value as 'collectionType' | 'singleType',
      singular: singular.value,
      plural: plural.value,
    }
    const found = typeNamesProblem(now, names)
    problem.value = toldProblem(found)
    if (found) return
    const next = addType(now, {
      ...names,
      displayName: displayName.value || singular.value,
      switches: paths.filter(path => switches.value.includes(path.join('.'))),
    })
    draw(next)
    onClose()
    go(addressOfSchema({ uid: `api::${singular.value}.${singular.value}`, singular: singular.value }))
  }
  return (
    <FormDialog title={t('schema.newType')} {...{ values, problem: problem.value, submit, onClose }}>
      <TextBox label={told('word', 'displayName')} value={displayName} />
      <TextBox label={t('schema.singular')} value={singular} isRequired note={t('schema.singular.note')} />
      <TextBox label={t('schema.plural')} value={plural} isRequired note={t('schema.plural.note')} />
      <ChoiceBox
        label={t('schema.kind')}
        value={kind}
        choices={(['collectionType', 'singleType'] as const).map(value => ({
          value,
          label: t(`schema.kind.${value}`),
        }))}
      />
      {paths.map(path => {
        const name = path.join('.')
        return (
          <Check
            key={name}
            label={told('word', path.slice(1).join('.'))}
            value={switches.value.includes(name)}
            onChange={isOn => {
              const others = switches.peek().filter(one => one !== name)
              switches.value = isOn ? [...others, name] : others
            }}
          />
        )
      })}
    </FormDialog>
  )
}

/** A new component in a category. */
export function NewComponent({ onClose }: Props) {
  const [category, name, displayName] = [useSignal(''), useSignal(''), useSignal('')]
  const problem = useSignal('')
  const now = drawing.value
  if (!now) return null
  const submit = () => {
    const names = { category: category.value, name: name.value }
    const found = componentNamesProblem(now, names)
    problem.value = toldProblem(found)
    if (found) return
    draw(addComponent(now, { ...names, displayName: displayName.value || name.value }))
    onClose()
    go(addressOfSchema({ uid: `${category.value}.${name.value}`, singular: name.value }))
  }
  const values = () => [category.value, name.value, displayName.value]
  return (
    <FormDialog title={t('schema.newComponent')} {...{ values, problem: problem.value, submit, onClose }}>
      <TextBox label={told('word', 'displayName')} value={displayName} />
      <TextBox label={t('schema.category')} value={category} isRequired note={t('schema.singular.note')} />
      <TextBox label={t('schema.name')} value={name} isRequired note={t('schema.singular.note')} />
    </FormDialog>
  )
}
