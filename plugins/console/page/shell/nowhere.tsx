import { t } from '../text.js'
import { View } from './view.js'

/** An address without a view, or of what the account may not see. */
export function Nowhere() {
  return (
    <View title={t('nowhere')}>
      <p class="empty">{t('nowhere.text')}</p>
    </View>
  )
}
