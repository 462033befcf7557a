import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isDone } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import type { Values } from '../../model/form/plain.js'
import { entryQuery } from '../../model/form/query.js'
import { entryOf } from '../../model/form/read.js'
import type { TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { Content } from '../list/cell.js'
import { StateMark } from '../list/state-mark.js'
import { addressOfType } from '../shell/routes.js'
import { kinds, meta } from '../shell/session.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'

/** An entry to read, in the order of its form. */
export function Entry({ type, id }: { type: TypeMeta; id?: string }) {
  const entry = useSignal<Values | undefined>(undefined)
  const isMissing = useSignal(false)
  const known = kinds.value
  const api = meta.value?.app.api
  useEffect(() => {
    if (!known || id === 'new') {
      isMissing.value = id === 'new'
      return
    }
    const url = withQuery(`${api}${type.path}${id === undefined ? '' : `/${id}`}`, entryQuery(known, type))
    void ask({ url }).then(reply => {
      entry.value = isDone(reply) ? entryOf(reply.body) : undefined
      isMissing.value = entry.value === undefined
    })
  }, [known, api, type, id, entry, isMissing])
  const values = entry.value
  const title = values?.[type.layout.settings.mainField]
  const list = type.kind === 'collectionType' && (
    <a class="back" href={addressOfType(type)}>
      ← {type.name}
    </a>
  )
  if (isMissing.value)
    return (
      <View title={id === 'new' ? t('list.new') : type.name}>
        {list}
        <p class="empty">{t(id === 'new' ? 'entry.readOnly' : 'entry.missing')}</p>
      </View>
    )
  if (!values) return <p class="empty" aria-busy="true" />
  return (
    <View
      title={title === null || title === undefined || title === '' ? `${type.name} #${values.id}` : String(title)}
      beside={type.options.drafts && <StateMark values={values} />}
    >
      {list}
      <dl class="entry">
        {known?.shown(type.uid).map(attribute => (
          <div key={attribute.name}>
            <dt>{type.layout.fields[attribute.name]?.label ?? attribute.name}</dt>
            <dd>
              <Content type={type} kinds={known} values={values} attribute={attribute} />
            </dd>
          </div>
        ))}
      </dl>
    </View>
  )
}
