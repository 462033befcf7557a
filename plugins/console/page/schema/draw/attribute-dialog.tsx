import { useSignal } from '@preact/signals'
import { originOf } from '../../../model/schema/attributes.js'
import { attributeOf, type DrawnType } from '../../../model/schema/drawing.js'
import { attributeProblem } from '../../../model/schema/names.js'
import { drawAttribute, lacking, withKind } from '../../../model/schema/options.js'
import { type DrawnRelation, isMutual, leadsAnywhere, relationIn } from '../../../model/schema/relate.js'
import type { JsonObject } from '../../../model/schema/text.js'
import { TextBox } from '../../settings/fields.js'
import { Choose } from '../../shell/boxes.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { draw, drawing } from '../store.js'
import { RelationEnds } from './ends.js'
import { FormDialog } from './form-dialog.js'
import { AttributeOptions } from './options.js'
import { told } from './words.js'

interface Props {
  readonly type: DrawnType
  /** The attribute that is changed; undefined for a new one. */
  readonly current: string | undefined
  readonly onClose: () => void
}

/** The form of an attribute, of any type and with all its options. */
export function AttributeDialog({ type, current, onClose }: Props) {
  const now = drawing.value
  const before: JsonObject = (current === undefined ? undefined : attributeOf(type, current)) ?? { type: 'string' }
  const name = useSignal(current ?? '')
  const attribute = useSignal(before)
  const relation = useSignal<DrawnRelation>(relationIn(before))
  const wrong = useSignal<readonly string[]>([])
  const isTried = useSignal(false)
  if (!now) return null
  const isRelation = attribute.value.type === 'relation'
  const found = problemsOf({ type, current, name: name.value, attribute: attribute.value, relation: relation.value })
  const submit = () => {
    isTried.value = true
    if (found.name !== undefined || found.other !== undefined || found.others.length + wrong.value.length > 0) return
    const drawn = { name: name.value, attribute: attribute.value, ...(isRelation && { relation: relation.value }) }
    draw(drawAttribute(now, type.uid, current, drawn))
    say(t('schema.drawn', { name: name.value }))
    onClose()
  }
  const isRenamed =
    current !== undefined && !['', current].includes(name.value) && originOf(type, current) !== undefined
  const kinds = now.app.words.kinds.map(kind => kind.name)
  const kind = String(attribute.value.type)
  return (
    <FormDialog
      title={current === undefined ? t('schema.addAttribute') : t('schema.changeOf', { name: current })}
      values={() => [name.value, attribute.value, relation.value]}
      {...{ submit, onClose }}
    >
      <TextBox label={t('schema.name')} value={name} isRequired />
      {isTried.value && found.name !== undefined && (
        <p class="problem" role="alert">
          {t(`schema.problem.${found.name}`)}
        </p>
      )}
      {isRenamed && (
        <p class="note">
          {t('schema.rename.attribute', { name: current })} {t('schema.rename.apart')}
        </p>
      )}
      <Choose
        label={t('schema.type')}
        value={kind}
        choices={[...kinds, ...(kinds.includes(kind) ? [] : [kind])].map(value => ({
          value,
          label: told('typeName', value),
        }))}
        onChange={value => {
          wrong.value = []
          attribute.value = withKind(now.app.words, attribute.peek(), value)
        }}
      />
      {isRelation && (
        <RelationEnds
          type={type}
          relation={relation}
          problem={isTried.value && found.other !== undefined ? t(`schema.problem.${found.other}`) : undefined}
        />
      )}
      <AttributeOptions uid={type.uid} attribute={attribute} before={before} wrong={wrong} />
      {isTried.value && found.others.length > 0 && (
        <p class="problem" role="alert">
          {t('schema.problem.lacking', { words: found.others.map(word => told('word', word)).join(', ') })}
        </p>
      )}
    </FormDialog>
  )
}

/** The reasons for which a form cannot be taken, by the same rules as the server's. */
function problemsOf({
  type,
  current,
  name,
  attribute,
  relation: { relation, target, other },
}: { name: string; attribute: JsonObject; relation: DrawnRelation } & Pick<Props, 'type' | 'current'>) {
  const now = drawing.peek()
  if (!now) return { name: undefined, other: undefined, others: [] }
  const others = [...lacking(now.app.words, attribute)]
  const isRelation = attribute.type === 'relation'
  if (isRelation && !leadsAnywhere(relation) && target === undefined) others.push('target')
  if (isRelation && !isMutual(relation) && !leadsAnywhere(relation) && other === '') others.push('morphBy')
  const to = isRelation && isMutual(relation) && other !== '' ? now.type(target ?? '') : undefined
  const former = current === undefined ? undefined : attributeOf(type, current)
  const shown = former && former.target === target ? relationIn(former).other : undefined
  const isItself = to?.uid === type.uid && other === name
  return {
    name: attributeProblem(now, type, name, current),
    other: isItself ? ('taken' as const) : to && attributeProblem(now, to, other, shown || undefined),
    others,
  }
}
