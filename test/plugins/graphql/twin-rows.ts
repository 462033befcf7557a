import { keyOf } from '../../strapi4/fixture.js'
import type { OpenProject } from '../../strapi4/project.js'
import { restText } from './twin-conditions.js'

/** An entry or a component in memory: links are ids, components stand in place. */
export interface Row {
  /** Its name in GraphQL. */
  readonly type: string
  readonly id: number
  readonly values: Readonly<Record<string, unknown>>
}

/** The types that operations are made about, with their addresses in REST and what REST has to be asked for beside columns. */
export const kinds: Readonly<
  Record<string, { readonly path: string; readonly links: Readonly<Record<string, unknown>> }>
> = {
  Article: {
    path: '/api/articles',
    links: {
      ...ids('author', 'tags', 'category', 'related', 'featured_tag', 'cover', 'gallery', 'localizations'),
      seo: seo(),
      slides: { populate: ids('image', 'tag') },
      blocks: blocks(),
    },
  },
  Author: { path: '/api/authors', links: ids('articles', 'profile', 'memos', 'avatar') },
  Category: { path: '/api/categories', links: ids('articles', 'parent', 'children') },
  Memo: { path: '/api/memos', links: ids('author') },
  Profile: { path: '/api/profiles', links: ids('author') },
  Tag: { path: '/api/tags', links: ids('articles') },
  Homepage: {
    path: '/api/homepage',
    links: { ...ids('featured_articles', 'localizations'), hero: seo(), blocks: blocks() },
  },
  Global: { path: '/api/global', links: { default_seo: seo() } },
  UploadFile: { path: '/api/upload/files', links: {} },
}

const isSingle = (type: string) => type === 'Homepage' || type === 'Global'

function ids(...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [name, { fields: ['id'] }]))
}

function seo(): unknown {
  return { populate: { ...ids('shareImage'), social: { populate: ids('image') } } }
}

function blocks(): unknown {
  return {
    on: {
      'shared.quote': { populate: ids('author') },
      'shared.rich-text': { fields: '*' },
      'shared.media': { populate: ids('file') },
      'shared.seo': seo(),
    },
  }
}

const everything = { publicationState: 'preview', locale: 'all' }
const atOnce = 100

export type Ask = (auth: string, path: string, query: object) => Promise<{ status: number; body: Body }>

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer of REST is known here
export type Body = any

export const askingOf =
  (project: OpenProject): Ask =>
  async (auth, path, query) => {
    const key = keyOf(auth)
    const { statusCode, payload } = await project.send({
      method: 'GET',
      url: `${path}?${restText(query)}`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    })
    return { status: statusCode, body: payload === '' ? undefined : JSON.parse(payload) }
  }

/** All rows of the fixture by their types and ids, read through REST. */
export async function readRows(ask: Ask): Promise<ReadonlyMap<string, ReadonlyMap<number, Row>>> {
  const read = new Map<string, Map<number, Row>>()
  for (const [type, { path, links }] of Object.entries(kinds)) {
    const rows = new Map<number, Row>()
    const populate = Object.keys(links).length > 0 ? { populate: links } : {}
    for (const entry of await entriesOf(ask, { type, path, populate })) rows.set(entry.id, rowOf(type, entry))
    read.set(type, rows)
  }
  return read
}

interface Reading {
  readonly type: string
  readonly path: string
  readonly populate: object
}

async function entriesOf(ask: Ask, { type, path, populate }: Reading): Promise<Body[]> {
  if (type === 'UploadFile') return (await ask('full', path, {})).body
  if (isSingle(type)) {
    const locales = type === 'Homepage' ? ['en', 'fr', 'de'] : [undefined]
    const answers = await Promise.all(
      locales.map(locale => ask('full', path, { publicationState: 'preview', locale, ...populate })),
    )
    return answers.flatMap(({ status, body }) => (status === 200 && body.data ? [body.data] : []))
  }
  const found: Body[] = []
  for (let start = 0; ; start += atOnce) {
    const pagination = { start, limit: atOnce }
    const { status, body } = await ask('full', path, { ...everything, sort: ['id'], pagination, ...populate })
    if (status !== 200) throw new Error(`${path} cannot be read: ${JSON.stringify(body)}`)
    found.push(...body.data)
    if (body.data.length < atOnce) return found
  }
}

function rowOf(type: string, entry: Body): Row {
  const { id, attributes, ...flat } = entry
  return { type, id, values: valuesOf(attributes ?? flat) }
}

function valuesOf(values: Body): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values as Body).map(([name, value]) => [name, keptValue(name, value)]))
}

/** Times have thousandths in GraphQL; PostgreSQL leaves out those that are none. */
export const clockOf = (text: unknown): string => {
  const [whole = '', part = ''] = String(text).split('.')
  return `${whole}.${part.padEnd(3, '0')}`
}

export const timeOf = (stored: unknown): string => new Date(Number(stored)).toISOString()

const components: Readonly<Record<string, string>> = {
  ...{ seo: 'ComponentSharedSeo', hero: 'ComponentSharedSeo', default_seo: 'ComponentSharedSeo' },
  ...{ slides: 'ComponentSharedSlide', social: 'ComponentSharedSocial' },
}

const zoned: Readonly<Record<string, string>> = {
  ...{ 'shared.quote': 'ComponentSharedQuote', 'shared.rich-text': 'ComponentSharedRichText' },
  ...{ 'shared.media': 'ComponentSharedMedia', 'shared.seo': 'ComponentSharedSeo' },
}

function keptValue(name: string, value: Body): unknown {
  // REST has the stored number of a timestamp.
  if (name === 'opens_at' && value !== null) return clockOf(value)
  if (name === 'touched_at' && value !== null) return timeOf(value)
  if (typeof value !== 'object' || value === null) return value
  if (name === 'blocks') return value.map(({ __component, ...item }: Body) => rowOf(zoned[__component] as string, item))
  const component = components[name]
  if (component) return Array.isArray(value) ? value.map(item => rowOf(component, item)) : rowOf(component, value)
  if (!('data' in value) || Object.keys(value).length !== 1) return value
  return Array.isArray(value.data) ? value.data.map(({ id }: Body) => id) : (value.data?.id ?? null)
}

/** Values that are stored for an attribute, of entries and of components in them. */
export function samplesOf(rows: ReadonlyMap<string, ReadonlyMap<number, Row>>) {
  const known = new Map<string, unknown[]>()
  const add = ({ type, values }: Row): void => {
    for (const [name, value] of Object.entries(values)) {
      const items = Array.isArray(value) ? value : [value]
      for (const item of items)
        if (typeof item === 'object' && item !== null && 'values' in item) add(item as Row)
        else if (item !== null && typeof item !== 'object' && !Array.isArray(value)) {
          const list = known.get(`${type}.${name}`) ?? []
          known.set(`${type}.${name}`, [...list.slice(-60), item])
        }
    }
  }
  for (const all of rows.values()) for (const row of all.values()) add(row)
  return (type: string, name: string): readonly unknown[] => known.get(`${type}.${name}`) ?? []
}
