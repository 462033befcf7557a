import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import type { SectionProps } from '../settings.js'
import { Table } from '../table.js'
import { type ApiRole, rolesUrl } from './model.js'
import { NewApiRole, StoredApiRole } from './one.js'

/** The roles of the accounts of the site: all, or one of them. */
export function ApiRoles({ id }: SectionProps) {
  if (id === 'new') return <NewApiRole />
  return id === undefined ? <AllApiRoles /> : <StoredApiRole id={id} />
}

function AllApiRoles() {
  const loaded = useLoaded<{ readonly roles: readonly ApiRole[] }>(rolesUrl)
  const add = mayIn('api-roles', 'createRole') && (
    <a class="button primary" href={addressOfSection('api-roles', 'new')}>
      {t('apiRoles.new')}
    </a>
  )
  return (
    <View title={t('settings.api-roles')} beside={add}>
      <p class="quiet">{t('apiRoles.text')}</p>
      <Shown loaded={loaded}>
        {({ roles }) => (
          <Table
            label={t('settings.api-roles')}
            keyOf={({ id }) => id}
            rows={roles}
            columns={[
              {
                label: t('apiRoles.name'),
                show: ({ id, name }) => (
                  <a href={addressOfSection('api-roles', id)} dir="auto">
                    {name}
                  </a>
                ),
              },
              { label: t('apiRoles.description'), show: ({ description }) => description },
              { label: t('apiRoles.users'), show: ({ nb_users: users }) => users ?? null },
            ]}
          />
        )}
      </Shown>
    </View>
  )
}
