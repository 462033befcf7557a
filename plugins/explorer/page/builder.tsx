import { type Choice, Section, Tabs } from '../../pages/page/controls.js'
import type { TypeInfo } from '../builder/metadata.js'
import { isList } from '../builder/query.js'
import type { Action, BuilderState } from '../builder/state.js'
import { methods, pathOf } from '../builder/url.js'
import { Code } from './code.js'
import { EntryForm } from './entry-form.js'
import { NodeParts } from './node.js'
import { Pages, Params, Search } from './params.js'
import { EntryPicker } from './picker.js'
import { change, isAsking, isHeldBack, model, plan, problems, send, setAction, state } from './store.js'

const names: Readonly<Record<Action, string>> = {
  find: 'List',
  findOne: 'Read',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
}

/** The request that is built: its type, its parameters, and its form in other programs. */
export function Builder() {
  const known = model.value
  const built = state.value
  const type = known?.type(built.uid)
  return (
    <main class="build" id="builder" tabIndex={-1} aria-label="Request">
      {known && type ? (
        <Request type={type} built={built} />
      ) : (
        <p class="empty">
          There is no content type yet. A file such as <code>content-types/book.json</code> describes one.
        </p>
      )}
    </main>
  )
}

/** A single type has one entry: it is read, and written. */
const actionsOf = ({ kind }: TypeInfo): readonly Action[] =>
  kind === 'singleType' ? ['find', 'update', 'delete'] : ['find', 'findOne', 'create', 'update', 'delete']

function Request({ type, built }: { type: TypeInfo; built: BuilderState }) {
  const known = model.value
  if (!known) return null
  const isSingle = type.kind === 'singleType'
  const choices: Choice[] = actionsOf(type).map(action => ({
    value: action,
    label: isSingle && action === 'find' ? 'Read' : names[action],
  }))
  const needsId = !isSingle && ['findOne', 'update', 'delete'].includes(built.action)
  const lists = isList(built, type)
  const params = known.params(type, built.action)
  const isWriting = built.action === 'create' || built.action === 'update'
  return (
    <>
      <header class="request-head">
        <h1>{type.name}</h1>
        <Tabs
          kind="segments"
          label="What to do"
          panel="request-parts"
          choices={choices}
          value={built.action}
          onChange={action => setAction(action as Action)}
        />
      </header>
      <div class="line">
        <span class={`method ${methods[built.action].toLowerCase()}`}>{methods[built.action]}</span>
        <code class="address">{pathOf(built, type)}</code>
        <button type="button" class="button primary" disabled={isAsking.value} onClick={() => void send()}>
          {isAsking.value ? 'Sending…' : 'Send'} <kbd>Ctrl ⏎</kbd>
        </button>
      </div>
      {isHeldBack.value && <NotSent />}
      {!known.can(built.action, type.uid) && (
        <p class="hint" role="note">
          This caller has no permission for <code>{built.action}</code> here: the server will refuse.
        </p>
      )}
      <div class="parts-of-request" id="request-parts" role="tabpanel" aria-label={names[built.action]}>
        {needsId && <EntryPicker type={type} />}
        {isWriting && <EntryForm type={type} key={`${type.uid} ${built.action}`} />}
        {lists && <Search />}
        <NodeParts
          type={type}
          node={built.node}
          onChange={node => change({ ...built, node })}
          lists={lists}
          folded={isWriting || built.action === 'delete'}
        />
        {lists && <Pages />}
        {params.length > 0 && (
          <Section title="Parameters" note={params.map(({ name }) => name).join(', ')} open={!isWriting}>
            <Params params={params} />
          </Section>
        )}
      </div>
      <Limit />
      <Code problems={isHeldBack.value ? [] : problems.value} />
    </>
  )
}

/** The reason a request was not sent, beside the button. */
function NotSent() {
  const wrong = problems.value
  if (wrong.length === 0) return null
  const shown = wrong.slice(0, 5)
  return (
    <div class="hint" role="alert">
      <b>Not sent:</b>{' '}
      {shown.map(({ path, message }, index) => (
        <span key={`${path} ${message}`}>
          {index > 0 && ', '}
          <code>{path}</code> {message}
        </span>
      ))}
      {wrong.length > shown.length && ` and ${wrong.length - shown.length} more`}.{' '}
      <button type="button" class="text-button" onClick={() => void send(true)}>
        Send it anyway
      </button>
    </div>
  )
}

/** A hint about the parts of the query that exceed the limits and are left out. */
function Limit() {
  const limits = model.value?.meta.limits
  const { exceeded } = plan.value
  if (!limits || exceeded.length === 0) return null
  const words = exceeded.map(what => `${limits[what as keyof typeof limits]} ${what}`)
  return (
    <p class="hint" role="status">
      One request takes at most {words.join(', ')} here (<code>rest.limits</code>): what goes beyond is left out.
    </p>
  )
}
