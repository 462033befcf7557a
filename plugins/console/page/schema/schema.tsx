import { useEffect, useMemo } from 'preact/hooks'
import { typeOfKey } from '../../model/relations.js'
import { shownTypes } from '../../model/schema/shown.js'
import { Shown, useLoaded } from '../settings/loaded.js'
import '../settings/settings.css'
import { base, visit } from '../shell/address.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { isRead, keeping } from './keeping.js'
import { OneType } from './one-type.js'
import { Overview } from './overview.js'
import { drawing, hasDrafts, type SchemaAnswer, taken } from './store.js'
import './schema.css'

/** The content types of the app with their files, what is drawn over them, and its plan. */
export function Schema({ name }: { name: string | undefined }) {
  const loaded = useLoaded<SchemaAnswer>(`${base}/schema.json`)
  // The draft stays in the page while other views are open, and in the browser after that.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => hasDrafts.peek() && event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const { data } = loaded.value.value ?? {}
  useEffect(() => {
    if (data) taken(data)
  }, [data])
  useEffect(() => keeping(), [])
  const now = drawing.value
  const all = useMemo(() => now && shownTypes(now), [now])
  const type = name === undefined || !all ? undefined : typeOfKey(name, all)
  const title = type?.name ?? (name === undefined || !all ? t('schema') : t('nowhere'))
  return (
    <View key={`${name ?? ''} ${type === undefined} ${visit.value}`} title={title}>
      <Shown loaded={loaded}>
        {() =>
          all === undefined || !isRead.value ? null : type ? (
            <OneType type={type} all={all} />
          ) : name === undefined ? (
            <Overview all={all} />
          ) : (
            <p class="empty">{t('nowhere.text')}</p>
          )
        }
      </Shown>
    </View>
  )
}
