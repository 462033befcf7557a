import type { LevelAt } from '../../pages/page/field-path.js'
import type { Model, TypeInfo } from '../builder/metadata.js'

/** The deepest way that is offered: databases plan a chain of links together. */
const deepest = 5

/** The levels of ways from a type: its fields, and links that lead on to those of another one. */
export function levelsOf(known: Model, type: TypeInfo, only?: readonly string[], left = deepest): LevelAt {
  const links = only || left === 0 ? [] : known.followed(type)
  return ([name, ...rest]) => {
    if (name !== undefined) {
      const [link, target] = links.find(([link]) => link.name === name) ?? []
      return link && target && levelsOf(known, target, link.only, left - 1)(rest)
    }
    const fields = known.fields(type, only).map(({ name }) => ({ value: name, label: name }))
    const ways = links.map(([{ name }, target]) => ({ value: name, label: `${name} → ${target.name}` }))
    return { placeholder: 'choose…', choices: [...fields, ...ways] }
  }
}

/** The label of a select behind links. */
export const withinOf = (label: string, within: readonly string[]): string =>
  within.length === 0 ? label : `${label}, within ${within.join(' ')}`
