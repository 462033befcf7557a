import { base } from '../../shell/address.js'
import { LettersChoice } from '../../shell/key-table.js'
import { SchemeChoice } from '../../shell/scheme.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { OwnAccount } from './account.js'
import { PasswordForm } from './password.js'
import { Sessions } from './sessions.js'

/** The own account of the editor. */
export function Profile() {
  return (
    <View title={t('settings.profile')}>
      <section class="settings-part">
        <h2>{t('profile.account')}</h2>
        <OwnAccount />
      </section>
      <section class="settings-part">
        <h2>{t('profile.page')}</h2>
        <SchemeChoice />
        <LettersChoice />
      </section>
      <section class="settings-part">
        <h2>{t('profile.password')}</h2>
        <PasswordForm />
      </section>
      <section class="settings-part">
        <h2>{t('profile.sessions')}</h2>
        <Sessions />
      </section>
      <section class="settings-part">
        <h2>{t('profile.data')}</h2>
        <p class="quiet">{t('profile.data.text')}</p>
        <p>
          <a class="button" href={`${base}/session/data`} download="account.json">
            {t('profile.data.export')}
          </a>
        </p>
      </section>
    </View>
  )
}
