import { useSignal } from '@preact/signals'
import { attributesOf, type DrawnType, listIn } from '../../../model/schema/drawing.js'
import { controlOf } from '../../../model/schema/options.js'
import { isObject, type Json, type JsonObject } from '../../../model/schema/text.js'
import { leadingTo, removeType, setList, setWord, wordIn } from '../../../model/schema/types.js'
import type { SchemaWords } from '../../../model/schema.js'
import { go } from '../../shell/address.js'
import { Ask } from '../../shell/ask.js'
import { Check, Choose, Line } from '../../shell/boxes.js'
import { addressOfSchema } from '../../shell/routes.js'
import { t } from '../../text.js'
import { draw, drawing } from '../store.js'
import { OptionControl } from './control.js'
import { RenameDialog } from './rename-dialog.js'
import { told } from './words.js'

interface PartProps {
  readonly type: DrawnType
  readonly schema: JsonObject
}

/** The options of a type as switches, its search and its indexes. Each change is drawn at once. */
export function TypePart({ type, schema }: PartProps) {
  const isRemoving = useSignal(false)
  const isRenaming = useSignal(false)
  const words = drawing.value?.app.words
  if (!words) return null
  return (
    <section class="settings-part">
      <h2>{t('schema.ofType')}</h2>
      <div class="settings-form schema-form">
        <button
          type="button"
          class="button"
          onClick={() => {
            isRenaming.value = true
          }}
        >
          {t('schema.rename')}
        </button>
        {pathsOf(words, type).map(path => (
          <TypeWord
            key={path.join('.')}
            {...{ type, schema, path }}
            control={controlOf(path.at(-1) ?? '', schemaOf(words, path))}
          />
        ))}
        {type.kind === 'collectionType' && <Search type={type} schema={schema} />}
        {type.kind !== 'component' && <Indexes type={type} schema={schema} />}
        <button
          type="button"
          class="button danger"
          onClick={() => {
            isRemoving.value = true
          }}
        >
          {t('schema.removeType')}
        </button>
      </div>
      {isRenaming.value && (
        <RenameDialog
          type={type}
          onClose={() => {
            isRenaming.value = false
          }}
        />
      )}
      {isRemoving.value && (
        <AskRemoval
          type={type}
          onClose={() => {
            isRemoving.value = false
          }}
        />
      )}
    </section>
  )
}

/** The words of a type that plugins and the server read: switches first. */
export function pathsOf(
  { options, pluginOptions }: SchemaWords,
  { kind }: Pick<DrawnType, 'kind'>,
): readonly string[][] {
  const ofPlugins = Object.entries(pluginOptions).flatMap(([plugin, of]) =>
    Object.keys(of).map(word => ['pluginOptions', plugin, word]),
  )
  const own = kind === 'component' ? ['collation', 'comment'] : Object.keys(options)
  const all = own.filter(word => Object.hasOwn(options, word)).map(word => ['options', word])
  const isSwitch = ([, word = '']: readonly string[]) => Object(options[word]).type === 'boolean'
  return [...all.filter(isSwitch), ...(kind === 'component' ? [] : ofPlugins), ...all.filter(path => !isSwitch(path))]
}

const schemaOf = ({ options, pluginOptions }: SchemaWords, [, one = '', word = '']: readonly string[]): object =>
  options[one] ?? pluginOptions[one]?.[word] ?? {}

function TypeWord({
  type,
  schema,
  path,
  control,
}: PartProps & { path: readonly string[]; control: Parameters<typeof OptionControl>[0]['control'] }) {
  return (
    <OptionControl
      label={told('word', path.slice(1).join('.'))}
      control={control}
      uid={type.uid}
      value={wordIn(schema, path)}
      before={wordIn(type.stored, path)}
      onChange={value => {
        const now = drawing.peek()
        if (now) draw(setWord(now, type.uid, path, value))
      }}
      onWrong={() => undefined}
    />
  )
}

const weights = Array.from({ length: 10 }, (_, at) => String(at + 1))

/** The texts whose words are indexed, with their weights. */
function Search({ type, schema }: PartProps) {
  const texts = attributesOf(schema).filter(([, one]) => isSearched(one))
  const list = listIn(schema, 'search').map(String)
  const weightOf = (name: string) => list.find(one => nameOf(one) === name)?.split('^')[1] ?? '1'
  const set = (next: readonly string[]) => {
    const now = drawing.peek()
    if (now) draw(setList(now, type.uid, 'search', next))
  }
  if (texts.length + list.length === 0) return null
  return (
    <fieldset class="check-boxes">
      <legend>{t('schema.search')}</legend>
      {texts.map(([name]) => (
        <div key={name} class="schema-searched">
          <Check
            label={name}
            value={list.some(one => nameOf(one) === name)}
            onChange={isOn => set(isOn ? [...list, name] : list.filter(one => nameOf(one) !== name))}
          />
          {list.some(one => nameOf(one) === name) && (
            <Choose
              label={t('schema.weight', { name })}
              value={weightOf(name)}
              choices={weights.map(value => ({ value, label: value }))}
              onChange={weight =>
                set(list.map(one => (nameOf(one) === name ? (weight === '1' ? name : `${name}^${weight}`) : one)))
              }
            />
          )}
        </div>
      ))}
    </fieldset>
  )
}

const nameOf = (one: string): string => one.replace(/\^.*$/, '')

const isSearched = ({ type, private: isPrivate, searchable }: JsonObject): boolean =>
  ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'].includes(String(type)) &&
  isPrivate !== true &&
  searchable !== false

/** Indexes of the table. */
function Indexes({ type, schema }: PartProps) {
  const list = listIn(schema, 'indexes')
  const set = (next: readonly Json[]) => {
    const now = drawing.peek()
    if (now) draw(setList(now, type.uid, 'indexes', next))
  }
  const attributes = attributesOf(schema).filter(([, one]) => isIndexed(one))
  const [first] = attributes
  return (
    <fieldset class="check-boxes">
      <legend>{t('schema.indexes')}</legend>
      {list.map((index, at) =>
        isObject(index) ? (
          <Index
            key={`${at} ${list.length}`}
            number={at + 1}
            index={index}
            names={[...new Set([...listIn(index, 'attributes').map(String), ...attributes.map(([name]) => name)])]}
            onChange={next => set(list.flatMap((one, other) => (other === at ? (next ?? []) : one)))}
          />
        ) : null,
      )}
      {first && (
        <button type="button" class="button" onClick={() => set([...list, { attributes: [first[0]] }])}>
          {t('schema.addIndex')}
        </button>
      )}
    </fieldset>
  )
}

const isIndexed = ({ type, relation, useJoinTable }: JsonObject): boolean =>
  type === 'relation'
    ? useJoinTable === false && String(relation).endsWith('ToOne')
    : !['component', 'dynamiczone', 'media', 'json', 'array', 'blocks', 'richtext', 'text'].includes(String(type))

function Index({
  number,
  index,
  names,
  onChange,
}: {
  number: number
  index: JsonObject
  names: readonly string[]
  onChange: (index: JsonObject | undefined) => void
}) {
  const attributes = listIn(index, 'attributes').map(String)
  const { unique, name, ...rest } = index
  return (
    <fieldset class="check-boxes schema-index">
      <legend>{t('schema.index', { number })}</legend>
      {names.map(one => (
        <Check
          key={one}
          label={one}
          value={attributes.includes(one)}
          onChange={isOn => {
            const next = isOn ? [...attributes, one] : attributes.filter(other => other !== one)
            if (next.length > 0) onChange({ ...index, attributes: next })
            else onChange(undefined)
          }}
        />
      ))}
      <Check
        label={told('word', 'unique')}
        value={unique === true}
        onChange={isOn => onChange({ ...rest, ...(isOn && { unique: true }), ...(name !== undefined && { name }) })}
      />
      <Line
        label={t('schema.indexName')}
        value={typeof name === 'string' ? name : ''}
        onChange={text =>
          onChange({ ...rest, ...(unique !== undefined && { unique }), ...(text !== '' && { name: text }) })
        }
      />
      <button type="button" class="button" onClick={() => onChange(undefined)}>
        {t('schema.removeIndex', { number })}
      </button>
    </fieldset>
  )
}

function AskRemoval({ type, onClose }: { type: DrawnType; onClose: () => void }) {
  const now = drawing.value
  const leading = now ? leadingTo(now, type.uid) : []
  return (
    <Ask
      title={t('schema.removeOf', { name: type.name })}
      label={t('schema.remove')}
      onDo={() => {
        onClose()
        if (now) draw(removeType(now, type.uid))
        go(addressOfSchema())
      }}
      onClose={onClose}
    >
      <p>{t('schema.removal')}</p>
      {leading.length > 0 && (
        <>
          <p>{t('schema.removal.leading')}</p>
          <ul class="schema-relations">
            {leading.map(({ type: from, name }) => (
              <li key={`${from.uid} ${name}`}>
                <code>
                  {from.name}.{name}
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Ask>
  )
}
