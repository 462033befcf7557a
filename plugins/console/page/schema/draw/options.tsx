import type { Signal } from '@preact/signals'
import { type Control, controlOf, controlOfDefault, wordsOfKind } from '../../../model/schema/options.js'
import type { Json, JsonObject } from '../../../model/schema/text.js'
import { withWord, wordIn } from '../../../model/schema/types.js'
import type { WordSchemas } from '../../../model/schema.js'
import { t } from '../../text.js'
import { app } from '../store.js'
import { OptionControl } from './control.js'
import { told } from './words.js'

interface OptionsProps {
  readonly uid: string
  readonly attribute: Signal<JsonObject>
  readonly before: JsonObject
  /** Options whose texts are no values. */
  readonly wrong: Signal<readonly string[]>
}

/** All options that an attribute of its type may have; those that are rarely needed are folded. */
export function AttributeOptions(props: OptionsProps) {
  const words = app.value?.words
  const kind = words?.kinds.find(({ name }) => name === props.attribute.value.type)
  if (!words || !kind) return <p class="quiet">{t('schema.unknownKind')}</p>
  const { usual, rare } = wordsOfKind(words, kind)
  const { default: _, ...plain } = usual
  const forDefault = controlOfDefault(kind, props.attribute.value)
  const line = ([word, schema]: readonly [string, object]) => (
    <Option key={word} {...props} path={[word]} control={controlOf(word, schema)} />
  )
  return (
    <>
      {Object.entries(plain).map(line)}
      {forDefault && <Option {...props} path={['default']} control={forDefault} />}
      {Object.entries(words.pluginOptions).flatMap(([plugin, of]) => pluginLines(props, plugin, of))}
      <details class="schema-rare">
        <summary>{t('schema.more')}</summary>
        <div class="settings-form">{Object.entries(rare).map(line)}</div>
      </details>
    </>
  )
}

const pluginLines = (props: OptionsProps, plugin: string, words: WordSchemas) =>
  Object.entries(words).map(([word, schema]) => (
    <Option
      key={`${plugin}.${word}`}
      {...props}
      path={['pluginOptions', plugin, word]}
      control={controlOf(word, schema)}
    />
  ))

function Option({
  uid,
  attribute,
  before,
  wrong,
  path,
  control,
}: OptionsProps & { path: readonly string[]; control: Control }) {
  const name = path.join('.')
  return (
    <OptionControl
      key={`${attribute.value.type} ${name}`}
      label={told('word', path.slice(path[0] === 'pluginOptions' ? 1 : 0).join('.'))}
      control={control}
      uid={uid}
      value={wordIn(attribute.value, path)}
      before={wordIn(before, path)}
      onChange={(value: Json | undefined) => {
        attribute.value = withWord(attribute.peek(), path, value)
      }}
      onWrong={isWrong => {
        const others = wrong.peek().filter(one => one !== name)
        wrong.value = isWrong ? [...others, name] : others
      }}
    />
  )
}
