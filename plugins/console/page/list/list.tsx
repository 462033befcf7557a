import { useEffect, useMemo } from 'preact/hooks'
import type { TypeMeta } from '../../model/meta.js'
import { addressOfDeleted, addressOfType } from '../shell/routes.js'
import { hasDeleted, kinds, meta } from '../shell/session.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { Chosen } from './chosen.js'
import { Empty, Problem } from './empty.js'
import { FilterPanel } from './filter-panel.js'
import { hearListKeys } from './list-keys.js'
import { Pages } from './pages.js'
import { ListStore } from './store.js'
import { ListTable } from './table.js'
import { Toolbar } from './toolbar.js'

/** The entries of a type. */
export function List({ type }: { type: TypeMeta }) {
  const [known, description] = [kinds.value, meta.value]
  const list = useMemo(
    () => known && description && new ListStore(description, known, type),
    [known, description, type],
  )
  useEffect(() => list?.start(), [list])
  useEffect(() => list && hearListKeys(list), [list])
  if (!list) return null
  const isNew = type.can.create !== null
  return (
    <View
      title={type.name}
      beside={
        <div class="row">
          {hasDeleted(type) && (
            <a class="button" href={addressOfDeleted(type)}>
              {t('list.deleted')}
            </a>
          )}
          {isNew && (
            <a class="button primary" href={`${addressOfType(type)}/new`}>
              {t('list.new')}
            </a>
          )}
        </div>
      }
    >
      {type.can.read === null ? <Empty>{t('list.forbidden', { type: type.plural })}</Empty> : <Entries list={list} />}
    </View>
  )
}

function Entries({ list }: { list: ListStore }) {
  const problem = list.problem.value
  return (
    <>
      <Toolbar list={list} />
      <FilterPanel list={list} />
      {problem ? <Problem list={list} problem={problem} /> : <ListTable list={list} />}
      <Chosen list={list} />
      {!problem && <Pages list={list} />}
    </>
  )
}
