import { useSignal } from '@preact/signals'
import { say } from '../../shell/messages.js'
import { mayIn } from '../../shell/sections.js'
import { refresh } from '../../shell/session.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { Table } from '../table.js'
import { AddLanguage } from './add.js'
import { type Language, languagesUrl } from './model.js'
import { RemoveLanguage } from './remove.js'

/** The languages of the content. */
export function Languages() {
  const loaded = useLoaded<readonly Language[]>(languagesUrl)
  const sending = useSending()
  const isAdding = useSignal(false)
  const removing = useSignal<Language | undefined>(undefined)
  // The lists and forms of the page have the languages of the description.
  const changed = async () => {
    await Promise.all([loaded.reload(), refresh()])
  }
  const makeDefault = async ({ id, name }: Language) => {
    const request = { method: 'PUT', url: `${languagesUrl}/${id}`, body: { isDefault: true } }
    if (!(await sending.send(request))) return
    say(t('languages.isDefault', { name }))
    await changed()
  }
  const add = mayIn('languages', 'createLocale') && (
    <button
      type="button"
      class="button primary"
      onClick={() => {
        isAdding.value = true
      }}
    >
      {t('languages.add')}
    </button>
  )
  return (
    <View title={t('settings.languages')} beside={add}>
      <Problems of={sending} />
      <Shown loaded={loaded}>
        {list => (
          <Table
            label={t('settings.languages')}
            keyOf={({ id }) => id}
            rows={list}
            columns={[
              { label: t('languages.name'), show: ({ name }) => <span dir="auto">{name}</span> },
              { label: t('languages.code'), show: ({ code }) => code },
              { label: t('languages.default'), show: ({ isDefault }) => (isDefault ? t('yes') : '') },
            ]}
            actions={{
              label: t('settings.actions'),
              show: language =>
                !language.isDefault && (
                  <LanguageButtons
                    language={language}
                    isSending={sending.isSending}
                    onMakeDefault={() => void makeDefault(language)}
                    onRemove={() => {
                      removing.value = language
                    }}
                  />
                ),
            }}
          />
        )}
      </Shown>
      {isAdding.value && (
        <AddLanguage
          onAdded={() => void changed()}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
      {removing.value && (
        <RemoveLanguage
          language={removing.value}
          onRemoved={() => void changed()}
          onClose={() => {
            removing.value = undefined
          }}
        />
      )}
    </View>
  )
}

interface LanguageButtonsProps {
  readonly language: Language
  readonly isSending: boolean
  readonly onMakeDefault: () => void
  readonly onRemove: () => void
}

const LanguageButtons = ({ language: { name }, isSending, onMakeDefault, onRemove }: LanguageButtonsProps) => (
  <>
    {mayIn('languages', 'updateLocale') && (
      <button
        type="button"
        class="button"
        disabled={isSending}
        aria-label={t('languages.makeDefaultOf', { name })}
        onClick={onMakeDefault}
      >
        {t('languages.makeDefault')}
      </button>
    )}{' '}
    {mayIn('languages', 'deleteLocale') && (
      <button type="button" class="button danger" aria-label={t('languages.removeOf', { name })} onClick={onRemove}>
        {t('languages.remove')}
      </button>
    )}
  </>
)
