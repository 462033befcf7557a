import type { ComponentChildren } from 'preact'
import { moduleFor } from '../../model/extensions.js'
import type { Kinds } from '../../model/form/kinds.js'
import type { Values } from '../../model/form/plain.js'
import { entriesAt } from '../../model/form/read.js'
import { type Column, linkedTitle, readLinks, shownLinks } from '../../model/list/columns.js'
import type { Row } from '../../model/list/page.js'
import type { AttributeInfo, FieldInfo, LinkInfo, TypeMeta } from '../../model/meta.js'
import { lazy } from '../shell/lazy.js'
import { addressOfEntry, addressOfTrashed } from '../shell/routes.js'
import { meta } from '../shell/session.js'
import { t } from '../text.js'
import { fieldText, Moment } from './field-value.js'
import { FoundElsewhere, Marked } from './marked.js'
import { Picture } from './picture.js'
import { StateMark } from './state-mark.js'
import type { ListStore } from './store.js'

const Extended = lazy(() => import('../extensions/cell.js').then(part => part.ExtendedCell))

export const columnLabel = ({ kind, label }: Column): string =>
  kind === 'state' ? t('list.state') : kind === 'languages' ? t('list.languages') : label

/** A value of an entry in a list. */
export function Cell({ list, row, column }: { list: ListStore; row: Row; column: Column }) {
  const { type, kinds } = list
  const { values } = row
  const found = row.found?.[column.name]
  if (column.name === type.layout.settings.mainField) {
    const title = found ? <Marked parts={found} /> : list.titleOf(row)
    return (
      <th scope="row" class="title">
        <a href={(list.view.value.state === 'trash' ? addressOfTrashed : addressOfEntry)(type, row.id)} dir="auto">
          {title}
        </a>
        <FoundElsewhere list={list} row={row} />
      </th>
    )
  }
  const { attribute, kind } = column
  return (
    <td class={`cell cell-${attribute?.type ?? kind}`} data-label={columnLabel(column)}>
      {kind === 'state' && <StateMark values={values} />}
      {kind === 'languages' && <Languages values={values} />}
      {found && <Marked parts={found} />}
      {attribute && !found && <Content type={type} kinds={kinds} values={values} attribute={attribute} />}
    </td>
  )
}

interface ContentProps {
  readonly type: TypeMeta
  readonly kinds: Kinds
  readonly values: Values
  readonly attribute: AttributeInfo
}

/** A value of an entry to read, in a line. */
export function Content({ type, kinds, values, attribute }: ContentProps) {
  const value = values[attribute.name]
  if (value === null || value === undefined || value === '') return <Nothing />
  if (attribute.kind === 'field') {
    const extension = moduleFor(meta.value?.extensions.cells ?? [], attribute)
    const plain = <PlainValue attribute={attribute} value={value} />
    if (!extension) return plain
    return <Extended extension={extension} attribute={attribute} values={values} plain={plain} />
  }
  if (attribute.type === 'media') return <Files value={value} />
  if (attribute.embedded || attribute.shape === 'zone') return <Parts kinds={kinds} link={attribute} value={value} />
  return <Links type={type} kinds={kinds} link={attribute} value={value} />
}

function PlainValue({ attribute, value }: { attribute: FieldInfo; value: unknown }) {
  if (['datetime', 'timestamp'].includes(attribute.type)) return <Moment time={String(value)} />
  return <span dir="auto">{fieldText(attribute, value)}</span>
}

const Nothing = () => (
  <span class="quiet">
    <span aria-hidden="true">–</span>
    <span class="hidden">{t('cell.empty')}</span>
  </span>
)

function Languages({ values }: { values: Values }) {
  const codes = [values, ...entriesAt(values.localizations)].map(({ locale }) => String(locale ?? ''))
  const [own, ...others] = codes
  return (
    <span class="languages">
      {[own, ...others.sort()].filter(Boolean).map(code => (
        <span key={code} class={code === own ? 'language own' : 'language'}>
          {code?.toUpperCase()}
        </span>
      ))}
    </span>
  )
}

function Files({ value }: { value: unknown }) {
  const [first, ...others] = entriesAt(value)
  if (!first) return <Nothing />
  return (
    <span class="files">
      <Picture file={first} />
      {others.length > 0 && <More count={others.length} />}
    </span>
  )
}

interface LinksProps extends Pick<ContentProps, 'type' | 'kinds'> {
  readonly link: LinkInfo
  readonly value: unknown
}

/** Entries behind a relation: the first two, and how many more. */
function Links({ type, kinds, link, value }: LinksProps) {
  const entries = entriesAt(value)
  if (entries.length === 0) return <Nothing />
  const shown = entries.slice(0, link.many ? shownLinks : 1)
  const rest = entries.length - shown.length
  return (
    <>
      {shown.map((entry, index) => (
        <span key={String(entry.id)}>
          {index > 0 && ', '}
          <LinkedEntry type={type} kinds={kinds} link={link} entry={entry} />
        </span>
      ))}
      {rest > 0 && <More count={rest} isLeast={entries.length === readLinks && kinds.dialect.pagingInPopulate} />}
    </>
  )
}

const More = ({ count, isLeast = false }: { count: number; isLeast?: boolean }): ComponentChildren => (
  <span class="more"> {t(isLeast ? 'cell.moreThan' : 'cell.more', { count })}</span>
)

function LinkedEntry({ type, kinds, link, entry }: Omit<LinksProps, 'value'> & { readonly entry: Values }) {
  const uid = String(entry.__type ?? link.targets?.[0] ?? '')
  const target = kinds.type(uid)
  const title = linkedTitle(kinds, type, link, entry)
  // Accounts of editors, and what the account may not read, have no view.
  if (!target?.path || target.can.read === null || uid.startsWith('plugin::upload'))
    return <span dir="auto">{title}</span>
  return (
    <a href={addressOfEntry(target, Number(entry.id))} dir="auto">
      {title}
    </a>
  )
}

/** Components: the title of a single one, the number of several. */
function Parts({ kinds, link, value }: Omit<LinksProps, 'type'>) {
  const parts = entriesAt(value)
  if (parts.length === 0) return <Nothing />
  if (link.many || link.shape === 'zone') return <>{t('cell.parts', { count: parts.length })}</>
  const kind = kinds.of(link.targets?.[0])
  const title = parts[0]?.[kind?.layout.settings.mainField ?? 'id']
  return <span dir="auto">{title === null || title === undefined ? t('cell.parts', { count: 1 }) : String(title)}</span>
}
