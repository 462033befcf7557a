import { useSignal } from '@preact/signals'
import { relationsOf } from '../../model/relations.js'
import { formerUid } from '../../model/schema/drawing.js'
import type { SchemaType } from '../../model/schema.js'
import { type Column, Table } from '../settings/table.js'
import { addressOfSchema } from '../shell/routes.js'
import { t } from '../text.js'
import { NewComponent, NewType } from './draw/new-dialogs.js'
import { PlanPart } from './plan-part.js'
import { Relations } from './relations.js'
import { drafts, drawing } from './store.js'

/** All types and components, the relations between them, and what is pending in the database. */
export function Overview({ all }: { all: readonly SchemaType[] }) {
  const opened = useSignal<'type' | 'component' | undefined>(undefined)
  const types = all.filter(({ kind }) => kind !== 'component')
  const components = all.filter(({ kind }) => kind === 'component')
  const own = types.filter(({ file }) => file !== null)
  const others = types.filter(({ file }) => file === null)
  const close = () => {
    opened.value = undefined
  }
  return (
    <>
      <p class="schema-intro">{t('schema.intro')}</p>
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => {
            opened.value = 'type'
          }}
        >
          {t('schema.newType')}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            opened.value = 'component'
          }}
        >
          {t('schema.newComponent')}
        </button>
      </div>
      {opened.value === 'type' && <NewType onClose={close} />}
      {opened.value === 'component' && <NewComponent onClose={close} />}
      <Types title={t('schema.types')} types={own} />
      {components.length > 0 && <Types title={t('schema.components')} types={components} />}
      <Relations title={t('schema.relations')} relations={relationsOf([...own, ...components], all)} />
      <PlanPart isAtOnce />
      {others.length > 0 && <Types title={t('schema.ofPlugins')} types={others} />}
    </>
  )
}

function Types({ title, types }: { title: string; types: readonly SchemaType[] }) {
  return (
    <section class="settings-part wide">
      <h2>{title}</h2>
      <Table
        label={title}
        keyOf={({ uid }) => uid}
        rows={types}
        columns={[
          { label: t('schema.name'), show: type => <Name type={type} /> },
          { label: t('schema.uid'), show: ({ uid }) => <code>{uid}</code> },
          { label: t('schema.table'), show: ({ table }) => <code>{table}</code> },
          { label: t('schema.attributes'), show: ({ attributes }) => attributes.filter(({ added }) => !added).length },
          ...(types.every(({ file }) => file === null) ? [] : [fileColumn()]),
        ]}
      />
    </section>
  )
}

function Name({ type }: { type: SchemaType }) {
  const drawn = drawing.value?.type(type.uid)
  const origin = drawn && formerUid(drawn)
  return (
    <>
      <a href={addressOfSchema(type)}>{type.name}</a>
      {origin !== undefined && <span class="quiet"> {t('schema.state.renamed', { origin })}</span>}
    </>
  )
}

const fileColumn = (): Column<SchemaType> => ({
  label: t('schema.file'),
  show: ({ file }) =>
    file !== null && (
      <>
        <code>{file}</code> {drafts.value[file] !== undefined && <span class="quiet">{t('schema.changed')}</span>}
      </>
    ),
})
