import { Moment } from '../../list/field-value.js'
import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import type { SectionProps } from '../settings.js'
import { Table } from '../table.js'
import { Expiry } from './expiry.js'
import { type Token, tokensUrl } from './model.js'
import { NewToken, StoredToken } from './one.js'

/** Tokens for programs: all, or one of them. */
export function Tokens({ id }: SectionProps) {
  if (id === 'new') return <NewToken />
  return id === undefined ? <AllTokens /> : <StoredToken id={id} />
}

function AllTokens() {
  const loaded = useLoaded<{ readonly data: readonly Token[] }>(tokensUrl)
  const add = mayIn('tokens', 'create') && (
    <a class="button primary" href={addressOfSection('tokens', 'new')}>
      {t('tokens.new')}
    </a>
  )
  return (
    <View title={t('settings.tokens')} beside={add}>
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="empty">{t('tokens.none')}</p>
          ) : (
            <Table
              label={t('settings.tokens')}
              keyOf={({ id }) => id}
              rows={data}
              columns={[
                {
                  label: t('tokens.name'),
                  show: ({ id, name }) => (
                    <a href={addressOfSection('tokens', id)} dir="auto">
                      {name}
                    </a>
                  ),
                },
                { label: t('tokens.description'), show: ({ description }) => description },
                { label: t('tokens.type'), show: ({ type }) => t(`tokens.type.${type}`) },
                { label: t('tokens.expires'), show: token => <Expiry token={token} /> },
                {
                  label: t('tokens.used'),
                  show: ({ lastUsedAt }) => (lastUsedAt === null ? t('tokens.never') : <Moment time={lastUsedAt} />),
                },
              ]}
            />
          )
        }
      </Shown>
    </View>
  )
}
