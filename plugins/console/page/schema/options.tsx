import type { SchemaAttribute, SchemaType } from '../../model/schema.js'
import { addressOfSchema } from '../shell/routes.js'
import { t } from '../text.js'

/** The type of an attribute, with links to those that it leads to. */
export function Kind({
  attribute: { type, options, added },
  all,
}: {
  attribute: SchemaAttribute
  all: readonly SchemaType[]
}) {
  const leadsTo = [options.target, options.component, ...(Array.isArray(options.components) ? options.components : [])]
  const targets = all.filter(({ uid }) => leadsTo.includes(uid))
  return (
    <>
      {type === 'unserved' ? t('schema.unserved') : <code>{type}</code>}{' '}
      {targets.map((target, index) => (
        <span key={target.uid}>
          {index > 0 && ', '}
          <a href={addressOfSchema(target)}>{target.name}</a>
        </span>
      ))}{' '}
      {added && <span class="quiet">{t('schema.added')}</span>}
    </>
  )
}

/** Options in the words of the file; one that is switched on is its name alone. */
export function Options({ options }: { options: SchemaAttribute['options'] }) {
  const entries = Object.entries(options)
  if (entries.length === 0) return null
  return (
    <ul class="schema-options">
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{value === true ? name : `${name}: ${shown(value)}`}</code>
        </li>
      ))}
    </ul>
  )
}

export const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
