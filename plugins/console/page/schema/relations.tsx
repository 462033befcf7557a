import type { ToldRelation } from '../../model/relations.js'
import { addressOfSchema } from '../shell/routes.js'
import { t } from '../text.js'

/** Relations as sentences, with links to the types. */
export function Relations({ title, relations }: { title: string; relations: readonly ToldRelation[] }) {
  if (relations.length === 0) return null
  return (
    <section class="settings-part wide">
      <h2>{title}</h2>
      <ul class="schema-relations">
        {relations.map(relation => (
          <li key={`${relation.from.uid} ${relation.attribute}`}>
            <Told relation={relation} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Told({ relation: { from, attribute, kind, to, other } }: { relation: ToldRelation }) {
  return (
    <>
      <a href={addressOfSchema(from)}>
        <code>
          {from.name}.{attribute}
        </code>
      </a>{' '}
      <span>{t(`schema.relation.${kind}`, { from: from.name, to: to?.name ?? t('schema.unknownType') })}</span>{' '}
      {to && other !== undefined && (
        <span>
          {t('schema.otherSide')}{' '}
          <a href={addressOfSchema(to)}>
            <code>
              {to.name}.{other}
            </code>
          </a>
        </span>
      )}
    </>
  )
}
