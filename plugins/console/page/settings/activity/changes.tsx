import { fieldText } from '../../list/field-value.js'
import { isTextKey, t } from '../../text.js'
import type { Record } from './filter.js'

/** The attributes that were changed, with their values as far as these are recorded and may be read. */
export function Changes({ record: { event, changes } }: { record: Pick<Record, 'event' | 'changes'> }) {
  const all = Object.entries(changes ?? {}).map(([name, values]) => [nameIn(event, name), values] as const)
  const plain = all.filter(([, values]) => Object.keys(values).length === 0).map(([name]) => name)
  const valued = all.filter(([, values]) => Object.keys(values).length > 0)
  return (
    <>
      {plain.join(', ')}
      {valued.map(([name, { from, to }]) => (
        <div key={name}>
          {name}: {from !== undefined && <del>{textOf(from)}</del>} {to !== undefined && <ins>{textOf(to)}</ins>}
        </div>
      ))}
    </>
  )
}

/** The name of an attribute, or of what another action has changed. */
function nameIn(event: string, name: string): string {
  const key = `activity.change.${event.startsWith('schema-') ? name : ''}`
  return isTextKey(key) ? t(key) : name
}

const textOf = (value: unknown): string => (value === null ? '–' : fieldText({ type: 'text' }, value))
