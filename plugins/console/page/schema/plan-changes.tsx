import { changeGroups as groups, type Plan, type PlanChange } from '../../model/schema.js'
import { t } from '../text.js'

/** The plan for the database, by kinds of changes. */
export function Changes({ plan: { changes, prevented, warnings, notes } }: { plan: Plan }) {
  const others = changes.filter(({ group }) => !groups.some(known => known === group))
  return (
    <div class="schema-plan">
      {changes.length + prevented.length === 0 && <p>{t('schema.upToDate')}</p>}
      {groups.map(group => (
        <Group key={group} title={t(`schema.group.${group}`)} changes={changes.filter(one => one.group === group)} />
      ))}
      <Group title={t('schema.group.foreign')} changes={others} />
      <Group
        title={t('schema.prevented')}
        changes={prevented.map(({ describe, advice, statements }) => ({
          ...{ group: '', describe: `${describe}; ${advice}`, statements, loses: 0, isMade: false },
        }))}
      />
      <Sentences title={t('schema.warnings')} sentences={warnings} />
      <Sentences title={t('schema.notes')} sentences={notes} />
    </div>
  )
}

function Group({ title, changes }: { title: string; changes: readonly PlanChange[] }) {
  if (changes.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {changes.map(({ describe, loses, statements }) => (
          <li key={describe}>
            <span>{describe}</span>
            {loses > 0 && <strong class="problem"> {t('schema.loses', { count: loses })}</strong>}
            {statements.length > 0 && (
              <details>
                <summary>
                  {t('schema.sql')}
                  <span class="hidden"> {describe}</span>
                </summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by keys, too */}
                <pre dir="ltr" tabIndex={0}>
                  {statements.map(sql => (sql.startsWith('--') ? `${sql}\n` : `${sql};\n`)).join('')}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}
