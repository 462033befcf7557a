import { useId } from 'preact/hooks'
import { Icon, Input, Select } from '../../pages/page/controls.js'
import { dropped, moved, replaced, without } from '../../pages/values/lists.js'
import { inputTypes } from '../../pages/values/operands.js'
import { isJson, type Problem, writable } from '../builder/data.js'
import { type AttributeInfo, type FieldInfo, idField, type LinkInfo, type TypeInfo } from '../builder/metadata.js'
import type { Draft, DraftValue, RelatedEntry } from '../builder/state.js'
import { RelationPicker } from './picker.js'
import { model } from './store.js'

interface AttributesProps {
  readonly type: TypeInfo
  readonly attributes: readonly AttributeInfo[]
  readonly draft: Draft
  readonly problems: readonly Problem[]
  /** The prefix of its problems' paths. */
  readonly at: string
  readonly onChange: (draft: Draft) => void
}

export function Attributes({ attributes, draft, problems, at, onChange }: AttributesProps) {
  return (
    <div class="form">
      {attributes.map(attribute => {
        const path = at + attribute.name
        const set = (value: DraftValue | undefined) =>
          onChange(value === undefined ? dropped(draft, attribute.name) : { ...draft, [attribute.name]: value })
        const props = { path, value: draft[attribute.name], problems, onChange: set }
        if (attribute.kind === 'field') return <Field key={path} field={attribute} {...props} />
        if (attribute.embedded) return <Parts key={path} link={attribute} {...props} />
        return <Relation key={path} link={attribute} {...props} />
      })}
    </div>
  )
}

interface ValueProps {
  readonly path: string
  readonly value: DraftValue | undefined
  readonly problems: readonly Problem[]
  readonly onChange: (value: DraftValue | undefined) => void
}

const problemOf = (problems: readonly Problem[], path: string): string | undefined =>
  problems.find(problem => problem.path === path)?.message

function Problems({ id, message }: { id: string; message: string | undefined }) {
  return message === undefined ? null : (
    <span class="problem" id={id}>
      {message}
    </span>
  )
}

function Field({ field, path, value, problems, onChange }: ValueProps & { field: FieldInfo }) {
  const id = useId()
  const message = problemOf(problems, path)
  const given = {
    id,
    'aria-invalid': message !== undefined && value !== undefined && value !== '',
    'aria-describedby': message === undefined ? undefined : `${id}-problem`,
  }
  return (
    <div class="field">
      <label for={id}>
        {field.name}{' '}
        <span class="quiet">
          {field.type}
          {field.required ? ', required' : ''}
        </span>
      </label>
      <FieldInput field={field} given={given} value={value} onChange={onChange} />
      <Problems id={`${id}-problem`} message={message} />
    </div>
  )
}

interface FieldInputProps {
  readonly field: FieldInfo
  readonly given: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string | undefined
  }
  readonly value: DraftValue | undefined
  readonly onChange: (value: DraftValue | undefined) => void
}

function FieldInput({ field, given, value, onChange }: FieldInputProps) {
  const choices = field.enum ?? (field.type === 'boolean' ? ['true', 'false'] : undefined)
  if (choices)
    return (
      <select
        {...given}
        value={value === undefined || value === null ? '' : String(value)}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(chosen === '' ? undefined : field.type === 'boolean' ? chosen === 'true' : chosen)
        }
      >
        <option value="">{field.default === undefined ? 'not set' : `not set (default ${field.default})`}</option>
        {choices.map(choice => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  const text = value === undefined || value === null ? '' : String(value)
  if (isLong(field))
    return (
      <textarea
        {...given}
        class={isJson(field) ? 'code' : ''}
        rows={isJson(field) ? 3 : 4}
        spellcheck={!isJson(field)}
        value={text}
        onInput={event => onChange(event.currentTarget.value)}
      />
    )
  return (
    <Input
      id={given.id}
      aria-describedby={given['aria-describedby']}
      invalid={given['aria-invalid']}
      kind={kindOf(field)}
      value={isLocal(field) ? text.replace(/(:\d\d)?(\.\d+)?Z$/, '$1') : text}
      onType={onChange}
    />
  )
}

const kindOf = ({ type }: FieldInfo): string =>
  type === 'password' || type === 'email' ? type : (inputTypes[type] ?? 'text')

/** Browsers take instants without a zone; they are read and sent as UTC. */
const isLocal = ({ type }: FieldInfo): boolean => inputTypes[type] === 'datetime-local'
const isLong = (field: FieldInfo): boolean => ['text', 'richtext'].includes(field.type) || isJson(field)

function Relation({ link, path, value, problems, onChange }: ValueProps & { link: LinkInfo }) {
  const known = model.value
  const targets = known?.targets(link) ?? []
  const hasLists = targets.some(({ listedAt }) => listedAt !== undefined)
  const chosen = (Array.isArray(value) ? value : []) as readonly RelatedEntry[]
  return (
    <fieldset class="field" aria-label={link.name}>
      <span class="row-label">
        {link.name}{' '}
        <span class="quiet">
          {link.many ? 'list of ' : ''}
          {link.targets ? targets.map(({ name }) => name).join(', ') : 'any type'}
          {link.required ? ', required' : ''}
        </span>
      </span>
      {hasLists ? (
        <RelationPicker
          label={link.name}
          targets={targets}
          many={link.many}
          chosen={chosen}
          typed={!link.targets}
          onChange={next => onChange(next)}
        />
      ) : (
        <Ids link={link} chosen={chosen} onChange={onChange} />
      )}
      <Problems id={`${path}-problem`} message={problemOf(problems, path)} />
    </fieldset>
  )
}

/** Ids, where the server has no list to search in. */
function Ids({
  link,
  chosen,
  onChange,
}: {
  link: LinkInfo
  chosen: readonly RelatedEntry[]
  onChange: (value: readonly RelatedEntry[]) => void
}) {
  return (
    <input
      aria-label={`${link.name}: ${link.many ? 'ids' : 'id'}`}
      placeholder={link.many ? 'ids, with commas' : idField.name}
      value={chosen.map(({ id }) => id).join(', ')}
      onChange={event => {
        const ids = event.currentTarget.value.match(/\d+/g) ?? []
        onChange((link.many ? ids : ids.slice(0, 1)).map(id => ({ id: Number(id), label: '' })))
      }}
    />
  )
}

/** A component, a list of them, or a zone. */
function Parts({ link, path, value, problems, onChange }: ValueProps & { link: LinkInfo }) {
  const known = model.value
  if (!known) return null
  const targets = known.targets(link)
  const parts = (
    value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  ) as readonly Draft[]
  const set = (next: readonly Draft[]) => onChange(link.many ? next : (next[0] ?? undefined))
  const add = (type: TypeInfo) => set([...parts, link.shape === 'zone' ? { __component: type.uid } : {}])
  return (
    <fieldset class="field parts">
      <legend>
        {link.name}{' '}
        <span class="quiet">
          {link.shape === 'zone' ? 'dynamic zone' : `${link.many ? 'list of ' : ''}${targets[0]?.name ?? ''}`}
          {link.required ? ', required' : ''}
        </span>
      </legend>
      <Problems id={`${path}-problem`} message={problemOf(problems, path)} />
      {parts.map((part, index) => (
        <Part
          key={index}
          link={link}
          part={part}
          index={index}
          count={parts.length}
          path={link.many ? `${path}.${index}.` : `${path}.`}
          problems={problems}
          onChange={next => set(replaced(parts, index, next))}
          onMove={to => set(moved(parts, index, to))}
          onRemove={() => set(without(parts, index))}
        />
      ))}
      {(link.many || parts.length === 0) && <AddPart link={link} targets={targets} onAdd={add} />}
    </fieldset>
  )
}

function AddPart({
  link,
  targets,
  onAdd,
}: {
  link: LinkInfo
  targets: readonly TypeInfo[]
  onAdd: (type: TypeInfo) => void
}) {
  const [only] = targets
  if (!only) return null
  if (link.shape !== 'zone')
    return (
      <button type="button" class="text-button" onClick={() => onAdd(only)}>
        Add {only.name}
        <span class="hidden"> to {link.name}</span>
      </button>
    )
  return (
    <Select
      label={`Add to ${link.name}`}
      value=""
      placeholder="Add a component…"
      choices={targets.map(({ uid, name }) => ({ value: uid, label: name }))}
      onChange={uid => {
        const type = targets.find(target => target.uid === uid)
        if (type) onAdd(type)
      }}
    />
  )
}

function Part({
  link,
  part,
  index,
  count,
  path,
  problems,
  onChange,
  onMove,
  onRemove,
}: {
  link: LinkInfo
  part: Draft
  index: number
  count: number
  path: string
  problems: readonly Problem[]
  onChange: (part: Draft) => void
  onMove: (to: number) => void
  onRemove: () => void
}) {
  const known = model.value
  const uid = typeof part.__component === 'string' ? part.__component : link.targets?.[0]
  const type = known?.type(uid ?? '')
  if (!known || !type) return null
  const name = link.many ? `${link.name} ${index + 1}` : link.name
  return (
    <fieldset class="part" aria-label={`${name}: ${type.name}`}>
      <div class="row">
        <b>{type.name}</b>
        <span class="spread" />
        {link.many && (
          <Icon label={`${name}: move up`} sign="↑" disabled={index === 0} onClick={() => onMove(index - 1)} />
        )}
        {link.many && (
          <Icon
            label={`${name}: move down`}
            sign="↓"
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          />
        )}
        <Icon label={`${name}: remove`} sign="×" onClick={onRemove} />
      </div>
      <Attributes
        type={type}
        attributes={writable(known, type)}
        draft={part}
        problems={problems}
        at={path}
        onChange={onChange}
      />
    </fieldset>
  )
}
