import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '../../../../pages/page/controls.js'
import { moveAttribute, otherSideOf, removeAttribute, removedFrom } from '../../../model/schema/attributes.js'
import { attributesOf, type DrawnType } from '../../../model/schema/drawing.js'
import { restoreAttribute, restoreProblem } from '../../../model/schema/restore.js'
import { stateOf } from '../../../model/schema/shown.js'
import type { SchemaAttribute, SchemaType } from '../../../model/schema.js'
import { Table } from '../../settings/table.js'
import { Ask } from '../../shell/ask.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { Kind, Options } from '../options.js'
import { draw, drawing, problems } from '../store.js'
import { AttributeDialog } from './attribute-dialog.js'

/** The attributes of a type that is in a file: they are added, changed, moved and removed. */
export function AttributesPart({
  type,
  shown,
  all,
}: {
  type: DrawnType
  shown: SchemaType
  all: readonly SchemaType[]
}) {
  const changed = useSignal<{ readonly current: string | undefined } | undefined>(undefined)
  const removed = useSignal<string | undefined>(undefined)
  const place = useRef<HTMLElement>(null)
  const names = attributesOf(type.schema).map(([name]) => name)
  const move = (name: string, by: number) => {
    const now = drawing.peek()
    const to = names.indexOf(name) + by
    if (!now || to < 0 || to >= names.length) return
    draw(moveAttribute(now, type.uid, name, to))
    say(t('schema.moved', { name, at: to + 1, count: names.length }))
  }
  return (
    <section class="settings-part wide" ref={place}>
      <h2>{t('schema.attributes')}</h2>
      <Table
        label={t('schema.attributes')}
        keyOf={({ name }) => name}
        rows={shown.attributes}
        columns={[
          { label: t('schema.name'), show: attribute => <Name type={type} attribute={attribute} /> },
          { label: t('schema.type'), show: attribute => <Kind attribute={attribute} all={all} /> },
          { label: t('schema.options'), show: ({ options }) => <Options options={options} /> },
        ]}
        actions={{
          label: t('settings.actions'),
          show: ({ name, added }) =>
            !added && (
              <>
                <button
                  type="button"
                  class="button"
                  aria-label={t('schema.changeOf', { name })}
                  onClick={() => {
                    changed.value = { current: name }
                  }}
                >
                  {t('schema.change')}
                </button>
                <Icon
                  label={t('schema.up', { name })}
                  sign="↑"
                  disabled={names[0] === name}
                  onClick={() => move(name, -1)}
                />
                <Icon
                  label={t('schema.down', { name })}
                  sign="↓"
                  disabled={names.at(-1) === name}
                  onClick={() => move(name, 1)}
                />
                <Icon
                  label={t('schema.removeOf', { name })}
                  sign="×"
                  onClick={() => {
                    removed.value = name
                  }}
                />
              </>
            ),
        }}
      />
      <Removed type={type} />
      <button
        type="button"
        class="button"
        onClick={() => {
          changed.value = { current: undefined }
        }}
      >
        {t('schema.addAttribute')}
      </button>
      {changed.value && (
        <AttributeDialog
          type={type}
          current={changed.value.current}
          onClose={() => {
            changed.value = undefined
          }}
        />
      )}
      {removed.value !== undefined && (
        <AskRemoval
          type={type}
          name={removed.value}
          onClose={() => {
            removed.value = undefined
            // The button that opened the dialog may be gone.
            if (document.activeElement === document.body)
              place.current?.querySelector<HTMLElement>(':scope > .button')?.focus()
          }}
        />
      )}
    </section>
  )
}

/** The name of an attribute, its difference from the stored one, and what the server said against it. */
function Name({ type, attribute: { name, added } }: { type: DrawnType; attribute: SchemaAttribute }) {
  if (added) return <code>{name}</code>
  const { is, origin = '' } = stateOf(type, name)
  const wrong = problems.value.filter(({ at }) => at === `files.${type.path}.${name}`)
  return (
    <>
      <code>{name}</code>
      {is !== 'same' && <span class="quiet"> {t(`schema.state.${is}`, { origin })}</span>}
      {wrong.map(({ text }) => (
        <span key={text} class="problem schema-wrong">
          {text}
        </span>
      ))}
    </>
  )
}

/** The stored attributes that are removed, which may come back one by one. */
function Removed({ type }: { type: DrawnType }) {
  const place = useRef<HTMLDivElement>(null)
  const now = drawing.value
  const gone = removedFrom(type)
  const restore = (name: string) => {
    if (now) draw(restoreAttribute(now, type.uid, name))
    say(t('schema.restored', { name }))
    // The button goes with what it restores.
    place.current?.closest<HTMLElement>('section')?.querySelector<HTMLElement>(':scope > .button')?.focus()
  }
  return (
    <div ref={place}>
      {now && gone.length > 0 && (
        <>
          <h3 class="schema-removed">{t('schema.gone')}</h3>
          <ul class="schema-relations">
            {gone.map(name => {
              const problem = restoreProblem(now, type, name)
              return (
                <li key={name} class="row schema-gone">
                  <code>{name}</code>
                  {problem ? (
                    <span class="quiet">{t(`schema.restore.${problem}`)}</span>
                  ) : (
                    <button
                      type="button"
                      class="button"
                      aria-label={t('schema.restoreOf', { name })}
                      onClick={() => restore(name)}
                    >
                      {t('schema.restore')}
                    </button>
                  )}
                </li>
              )
            })}
          </ul>
        </>
      )}
    </div>
  )
}

function AskRemoval({ type, name, onClose }: { type: DrawnType; name: string; onClose: () => void }) {
  const now = drawing.value
  const other = now && otherSideOf(now, type.uid, name)
  return (
    <Ask
      title={t('schema.removeOf', { name })}
      label={t('schema.remove')}
      onDo={() => {
        if (now) draw(removeAttribute(now, type.uid, name))
        onClose()
      }}
      onClose={onClose}
    >
      <p>{t('schema.removal')}</p>
      {other && <p>{t('schema.removal.other', { name: `${now.type(other.uid)?.name ?? other.uid}.${other.name}` })}</p>}
    </Ask>
  )
}
