import {
  type AskOptions,
  type ContentType,
  type Finished,
  ForbiddenError,
  type Host,
  NotFoundError,
  optional,
  type RouteCall,
} from '../../../core/index.js'
import { queryText } from '../../../core/plugin-kit.js'
import { completeDraft } from '../../draft-and-publish/index.js'
import { createLocalization, i18n } from '../../i18n/index.js'
import { answerError, locationsOf } from '../errors.js'
import type { FieldMeaning, Permission } from '../meaning.js'
import { type BoundRoot, type RootResult, textOf, unsealed } from '../query/roots.js'
import { inputOf } from './input.js'
import { once } from './once.js'

/** The part of the service that mutations need. */
export interface MutationService {
  readonly host: Pick<Host, 'service' | 'app' | 'log' | 'outline'>
}

type Kind = 'create' | 'update' | 'delete' | 'localize'
export type MutationMeaning = Extract<FieldMeaning, { readonly is: Kind }>

/** A mutation of content on its way. */
interface Mutation {
  readonly root: BoundRoot
  readonly meaning: MutationMeaning
  readonly call: RouteCall
  readonly service: MutationService
}

/** Does a write of content, as REST does it, and answers the entry as it is afterwards. */
export async function runMutation(root: BoundRoot, call: RouteCall, service: MutationService): Promise<RootResult> {
  const meaning = root.meaning as MutationMeaning
  const mutation = { root, meaning, call, service }
  try {
    return unsealed(textOf(await works[meaning.is](mutation)))
  } catch (error) {
    if (meaning.is === 'update' && meaning.type.kind === 'singleType') return refusedBelow(error, mutation)
    if (!isAbsence(error, meaning)) throw error
    return meaning.isNull ? { text: 'null', errors: [] } : nothingFor(root)
  }
}

/** The response where there is no entry. */
const nothingFor = ({ shape }: BoundRoot): RootResult =>
  unsealed(JSON.stringify(shape.one(null, {}, { typeOf: () => undefined, pages: {} })))

/** The entry of a single type that was not written: Strapi 4 has the error at its `data`, and the object around that. */
function refusedBelow(error: unknown, { root, call, service }: Mutation): RootResult {
  const { text, errors } = nothingFor(root)
  const [below] = Object.entries(JSON.parse(text) ?? {}).find(([, value]) => value === null) ?? []
  const path = [root.key, ...(below === undefined ? [] : [below])]
  const place = { path, locations: locationsOf(root.node) }
  return { text, errors: [...errors, answerError(error, { host: service.host, ctx: call.ctx }, place)] }
}

export function assertMay({ caller }: Pick<RouteCall, 'caller'>, { action, uid }: Permission): void {
  if (!caller.can(action, uid)) throw new ForbiddenError().because(`the caller needs ${action} on ${uid}`)
}

/** An entry that is not there is no error where an id names it. */
const isAbsence = (error: unknown, { is, type }: MutationMeaning): boolean =>
  error instanceof NotFoundError && (is === 'update' || is === 'delete') && type.kind !== 'singleType'

const works: Readonly<Record<Kind, (mutation: Mutation) => Promise<Finished>>> = {
  create: ({ root, meaning, call }) => {
    const { type } = meaning
    const { data, locale } = root.args
    const input = { ...stateOf(root, meaning), ...inputOf(type, data), ...(isText(locale) && { locale }) }
    return call.content.create(type.uid, input, asked(root))
  },
  update: ({ root, meaning, call }) => {
    const { type } = meaning
    const { id, data, locale } = root.args
    const input = inputOf(type, data)
    if (type.kind !== 'singleType')
      return once(call, within => call.content.update(type.uid, id, input, { ...asked(root), ...within }))
    const made = { ...stateOf(root, meaning), ...input, ...(isText(locale) && { locale }) }
    return call.content.update(type.uid, undefined, made, { ...asked(root, locale), orCreate: true })
  },
  delete: async ({ root, meaning: { type, permission, instead }, call }) => {
    const { id, locale } = root.args
    // A deleted entry shows its own columns: its relations lead nowhere any more, and its components have gone with it.
    const shape = { ...root.shape, key: `${root.shape.key} deleted` }
    const query = queryText({ fields: root.query.fields, ...localeOf(type, locale) })
    const { action } = permission
    const options = { ...asked(root), query, shape, ...(action !== 'delete' && { permission: action }) }
    const act = instead?.(root.args)
    if (act) {
      const before = await call.content.findOne(type.uid, id, options)
      await act(call)
      return before
    }
    if (type.kind !== 'singleType')
      return once(call, within => call.content.delete(type.uid, id, { ...options, ...within }))
    return call.content.delete(type.uid, undefined, options).catch(error => {
      throw error instanceof NotFoundError ? new NotFoundError('Entity not found').because(error.reason) : error
    })
  },
  localize: ({ root, meaning: { type }, call, service }) => {
    const { id, data, locale } = root.args
    const i18nService = service.host.service(optional(i18n))
    if (!i18nService) throw new Error(`${type.uid} has localizations without the plugin i18n`)
    const wanted = { type, id, data: { ...inputOf(type, data), locale } }
    return createLocalization(wanted, { ...call, service: i18nService }, asked(root))
  },
}

/** The words of a new entry about being published, unless its data has some. */
function stateOf({ args }: BoundRoot, { publishes }: MutationMeaning) {
  if (args.publicationState === 'PREVIEW') return { publishedAt: null }
  return publishes ? {} : { [completeDraft]: true }
}

/** The request for the entry that a mutation answers. */
function asked({ query, shape, meaning }: BoundRoot, locale?: unknown): AskOptions {
  const { type } = meaning as MutationMeaning
  return { query: queryText({ ...query, ...localeOf(type, locale) }), shape, aliases: true, whole: true }
}

/** Several entries of a single type differ in their locale; others are named by ids, in whatever locale. */
const localeOf = ({ kind }: ContentType, locale: unknown) => (kind === 'singleType' && isText(locale) ? { locale } : {})

const isText = (value: unknown): value is string => typeof value === 'string'
