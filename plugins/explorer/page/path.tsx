import { type Choice, Select } from '../../pages/page/controls.js'
import type { Model, TypeInfo } from '../builder/metadata.js'
import { model } from './store.js'

/** The way to a field: a select for each name, where links lead on to the next. */
export function FieldPath({
  label,
  type,
  path,
  only,
  onChange,
}: {
  label: string
  type: TypeInfo
  path: readonly string[]
  only?: readonly string[] | undefined
  onChange: (path: readonly string[]) => void
}) {
  const known = model.value
  if (!known) return null
  return (
    <>
      {steps(known, type, path, { only }).map(({ choices, value, at }) => (
        <Select
          key={at}
          class="step"
          label={at === 0 ? label : `${label}, within ${path.slice(0, at).join(' ')}`}
          value={value}
          placeholder="choose…"
          choices={choices}
          onChange={name => onChange(name === '' ? path.slice(0, at) : [...path.slice(0, at), name])}
        />
      ))}
    </>
  )
}

interface Step {
  readonly at: number
  readonly value: string
  readonly choices: readonly Choice[]
}

/** The deepest way that is offered: databases plan a chain of links together. */
const deepest = 5

function steps(known: Model, type: TypeInfo, path: readonly string[], { only, at = 0 }: Way): Step[] {
  const links = only || at >= deepest ? [] : known.followed(type)
  const choices = [
    ...known.fields(type, only).map(({ name }) => ({ value: name, label: name })),
    ...links.map(([{ name }, target]) => ({ value: name, label: `${name} → ${target.name}` })),
  ]
  const value = path[at] ?? ''
  const [link, target] = links.find(([{ name }]) => name === value) ?? []
  const own = { at, value, choices }
  return link && target ? [own, ...steps(known, target, path, { only: link.only, at: at + 1 })] : [own]
}

interface Way {
  readonly only?: readonly string[] | undefined
  readonly at?: number
}
