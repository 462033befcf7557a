import { addressOfType } from './shell/routes.js'
import { listedTypes, meta } from './shell/session.js'
import { View } from './shell/view.js'
import { t } from './text.js'

/** The types that the account may read. */
export function Home() {
  const types = listedTypes.value
  return (
    <View title={t('home.title', { name: meta.value?.account.name ?? '' })}>
      {types.length === 0 ? (
        <p class="empty">{t('home.nothing')}</p>
      ) : (
        <ul class="home">
          {types.map(type => (
            <li key={type.uid}>
              <a href={addressOfType(type)}>{type.name}</a>
              {type.description !== undefined && <span class="quiet">{type.description}</span>}
            </li>
          ))}
        </ul>
      )}
    </View>
  )
}
