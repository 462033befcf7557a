import { useId } from 'preact/hooks'
import { relationsOf, relationsTo } from '../../model/relations.js'
import { formerUid } from '../../model/schema/drawing.js'
import type { SchemaType } from '../../model/schema.js'
import { Table } from '../settings/table.js'
import { base } from '../shell/address.js'
import { t } from '../text.js'
import { AttributesPart } from './draw/attributes-part.js'
import { TypePart } from './draw/type-part.js'
import { Kind, Options, shown } from './options.js'
import { PlanPart } from './plan-part.js'
import { Relations } from './relations.js'
import { drafts, draw, drawing } from './store.js'

interface Props {
  readonly type: SchemaType
  readonly all: readonly SchemaType[]
}

/** A content type or component: its attributes with all their options, its relations, and its file. */
export function OneType({ type, all }: Props) {
  const { uid, table, file, settings } = type
  const drawn = file === null ? undefined : drawing.value?.type(uid)
  const former = drawn && formerUid(drawn)
  return (
    <>
      <a class="back" href={`${base}/schema`}>
        ← {t('schema')}
      </a>
      <dl class="schema-facts">
        <Fact name={t('schema.uid')}>
          <code>{uid}</code>
          {former !== undefined && <span class="quiet"> {t('schema.state.renamed', { origin: former })}</span>}
        </Fact>
        <Fact name={t('schema.kind')}>{t(`schema.kind.${type.kind}`)}</Fact>
        <Fact name={t('schema.table')}>
          <code>{table}</code>
        </Fact>
        <Fact name={t('schema.file')}>{file === null ? t('schema.inCode') : <code>{file}</code>}</Fact>
        {file === null &&
          Object.entries(settings).map(([name, value]) => (
            <Fact key={name} name={name}>
              <code>{shown(value)}</code>
            </Fact>
          ))}
      </dl>
      {drawn?.schema ? (
        <>
          <AttributesPart type={drawn} shown={type} all={all} />
          <TypePart type={drawn} schema={drawn.schema} />
        </>
      ) : (
        <Attributes type={type} all={all} />
      )}
      <Relations title={t('schema.relationsFrom')} relations={relationsOf([type], all)} />
      <Relations title={t('schema.relationsTo')} relations={relationsTo(type, all)} />
      {drawn && (
        <>
          {!drawn.schema && <p class="problem">{t('schema.noJson')}</p>}
          <File path={drawn.path} stored={(former === undefined && drawn.running?.text) || null} />
        </>
      )}
    </>
  )
}

/** Attributes that are in no file, or in one whose text is no schema. */
const Attributes = ({ type, all }: Props) => (
  <section class="settings-part wide">
    <h2>{t('schema.attributes')}</h2>
    <Table
      label={t('schema.attributes')}
      keyOf={({ name }) => name}
      rows={type.attributes}
      columns={[
        { label: t('schema.name'), show: ({ name }) => <code>{name}</code> },
        { label: t('schema.type'), show: attribute => <Kind attribute={attribute} all={all} /> },
        { label: t('schema.options'), show: ({ options }) => <Options options={options} /> },
      ]}
    />
  </section>
)

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The text of a file, which may be another one for a plan. */
function File({ path, stored }: { path: string; stored: string | null }) {
  const id = useId()
  const text = drafts.value[path] ?? stored ?? ''
  const set = (next: string | null) => {
    const now = drawing.peek()
    if (now) draw(now.with(path, next))
  }
  return (
    <>
      <section class="settings-part wide">
        <h2>
          <label for={id}>{t('schema.theFile')}</label>
        </h2>
        <p class="quiet" id={`${id}-note`}>
          {t('schema.theFile.note')}
        </p>
        <textarea
          id={id}
          class="code schema-text"
          rows={Math.min(24, text.split('\n').length + 1)}
          spellcheck={false}
          autocapitalize="off"
          dir="ltr"
          value={text}
          aria-describedby={`${id}-note`}
          onInput={event => set(event.currentTarget.value)}
        />
        {stored !== null && text !== stored && (
          <button type="button" class="button" onClick={() => set(stored)}>
            {t('schema.discard')}
          </button>
        )}
      </section>
      <PlanPart />
    </>
  )
}
