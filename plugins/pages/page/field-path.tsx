import { type Choice, Select } from './controls.js'

/** The choices after the names of a path: fields, and links that lead on. */
interface PathLevel {
  readonly choices: readonly Choice[]
  /** The word while nothing is chosen. */
  readonly placeholder: string
}

/** The level after a path; undefined where nothing follows. */
export type LevelAt = (path: readonly string[]) => PathLevel | undefined

/** The way to a field: a select for each name, where links lead on to the next. */
export function FieldPath({
  label,
  path,
  levelAt,
  onChange,
}: {
  /** The label of a select, by the names before it. */
  label: (within: readonly string[]) => string
  path: readonly string[]
  levelAt: LevelAt
  onChange: (path: readonly string[]) => void
}) {
  return (
    <>
      {levelsOf(path, levelAt).map(({ choices, placeholder }, at) => (
        <Select
          key={at}
          class="step"
          label={label(path.slice(0, at))}
          value={path[at] ?? ''}
          placeholder={placeholder}
          choices={choices}
          onChange={name => onChange(name === '' ? path.slice(0, at) : [...path.slice(0, at), name])}
        />
      ))}
    </>
  )
}

function levelsOf(path: readonly string[], levelAt: LevelAt, at = 0): PathLevel[] {
  const level = at <= path.length ? levelAt(path.slice(0, at)) : undefined
  return level ? [level, ...levelsOf(path, levelAt, at + 1)] : []
}
