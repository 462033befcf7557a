import { getNamedType, isLeafType } from 'graphql'
import type { OpenProject } from '../../strapi4/project.js'
import type { GeneratedOperation, Selected } from './generated-operations.js'
import { plainValue } from './generated-values.js'
import { operationRequest } from './replay.js'
import { firstOf } from './twin-agreement.js'
import { restFilters, restSort, sliceOf } from './twin-conditions.js'
import { askingOf, type Body, clockOf, kinds, timeOf } from './twin-rows.js'

const withDrafts = new Set(['Article', 'Category', 'Homepage'])

/** The query of REST that asks for the same; undefined where none does. */
function restQuery(root: Selected): { path: string; query: object } | undefined {
  const type = typeOf(root)
  const isList = getNamedType(root.type).name.endsWith('Collection')
  const path = kinds[type]?.path
  // Files have neither pages nor fields in REST.
  if (path === undefined || type === 'UploadFile') return undefined
  const slice = isList ? sliceOf(plain(root).pagination) : { start: 0, limit: 1 }
  if (!slice || (isList && (slice.limit ?? 1000) > 100)) return undefined
  const query = {
    ...conditionsOf(root),
    ...(isList && { pagination: { ...slice, withCount: root.below.some(({ name }) => name === 'meta') } }),
    ...(type === 'Article' && !isList && { publicationState: 'preview' }),
    ...(type === 'Category' && !isList && { publicationState: 'preview' }),
    ...selectionOf(root),
  }
  if (isList || type === 'Homepage' || type === 'Global') return { path, query }
  const id = plain(root).id
  return { path: `${path}/${id}`, query: { ...query, locale: undefined } }
}

const plain = ({ args }: Selected): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plainValue(value)]))

const typeOf = ({ type }: Selected): string =>
  getNamedType(type).name.replace(/(EntityResponse|EntityResponseCollection|RelationResponseCollection)$/, '')

function conditionsOf(selected: Selected): object {
  const given = plain(selected)
  return {
    filters: restFilters(given.filters),
    sort: restSort(given.sort),
    ...(typeof given.locale === 'string' && { locale: given.locale }),
    ...(given.publicationState === 'PREVIEW' && { publicationState: 'preview' }),
  }
}

/** The fields below entries: columns, and what is populated. */
function selectionOf(selected: Selected): object {
  const attributes = attributesBelow(selected)
  const fields = attributes.filter(({ type }) => isLeafType(getNamedType(type))).map(({ name }) => name)
  const links = attributes.filter(({ type }) => !isLeafType(getNamedType(type)))
  return {
    fields: fields.length > 0 ? fields : ['id'],
    ...(links.length > 0 && { populate: Object.fromEntries(links.map(link => [link.name, linkOf(link)])) }),
  }
}

/** Entries stand in objects around them, components in none. */
function attributesBelow({ type, below }: Selected): readonly Selected[] {
  const name = getNamedType(type).name
  if (name.startsWith('Component')) return below
  return below.flatMap(one => (one.name === 'attributes' ? one.below : one.name === 'data' ? attributesBelow(one) : []))
}

function linkOf(link: Selected): object {
  if (link.parts) return { on: Object.fromEntries(link.parts.map(part => [uids[part.type], partOf(part)])) }
  const name = getNamedType(link.type).name
  const isMany = name.endsWith('RelationResponseCollection') || String(link.type).startsWith('[')
  const slice = isMany && typeOf(link) !== 'Homepage' ? sliceOf(plain(link).pagination) : undefined
  if (isMany && typeOf(link) !== 'Homepage' && !slice) throw new Unaskable()
  const isOpen = withDrafts.has(typeOf(link))
  const state = String(plain(link).publicationState ?? 'LIVE')
  return {
    ...conditionsOf(link),
    ...(isMany && slice && { start: slice.start, limit: slice.limit ?? -1 }),
    ...(isOpen && { publicationState: isMany ? state.toLowerCase() : 'preview' }),
    ...selectionOf(link),
  }
}

const partOf = ({ fields }: { fields: readonly Selected[] }): object =>
  selectionOf({ name: '', args: {}, below: fields, type: component })
const component = { name: 'Component' } as never

const uids: Readonly<Record<string, string>> = {
  ...{ ComponentSharedQuote: 'shared.quote', ComponentSharedRichText: 'shared.rich-text' },
  ...{ ComponentSharedMedia: 'shared.media', ComponentSharedSeo: 'shared.seo' },
}

class Unaskable extends Error {}

/** The difference between the answers; null where REST cannot be asked. */
export async function restDisagreement(
  project: OpenProject,
  operation: GeneratedOperation,
  root: Selected,
): Promise<string | undefined | null> {
  const asked = askable(root)
  if (!asked) return null
  const [{ payload }, rest] = await Promise.all([
    project.send(operationRequest({ id: 0, group: '', status: 200, ...operation })),
    askingOf(project)(operation.auth, asked.path, asked.query),
  ])
  const { data, errors } = JSON.parse(payload) as Body
  // A selection that REST leaves out in silence, or refuses as a whole, is an error here.
  if (errors || rest.status !== 200) return bothFail(data?.[root.name], rest.status) ? undefined : null
  const [was, is] = [settled(rest.body.data), settled(data?.[root.name]?.data)]
  return JSON.stringify(was) === JSON.stringify(is)
    ? undefined
    : `${operation.auth} ${operation.query}\n  ${asked.path} ${JSON.stringify(asked.query)}\n  ${firstOf(was, is)}`
}

const bothFail = (value: unknown, status: number): boolean => value === null && status !== 200

/** The request, where there is one. */
export function askable(root: Selected): ReturnType<typeof restQuery> {
  try {
    return restQuery(root)
  } catch (error) {
    if (error instanceof Unaskable) return undefined
    throw error
  }
}

/** Both answers in one form: ids are texts, keys are sorted, names of types and empty lists of files are left out. */
function settled(value: Body, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => settled(item))
  if (key === 'id') return String(value)
  if (key === 'opens_at' && value !== null) return clockOf(value)
  if (key === 'touched_at' && /^\d+$/.test(String(value))) return timeOf(value)
  if (key === 'bigviews' && value !== null) return String(value)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  if (names.length === 1 && names[0] === 'data' && (value.data === null || value.data.length === 0)) return null
  return Object.fromEntries(
    names
      .filter(name => name !== '__typename' && name !== '__component')
      .sort()
      .map(name => [name, settled(value[name], name)]),
  )
}
