import { ApplicationError, type Call, NotFoundError, type Row, type Write, type Written } from '../../core/index.js'
import { familyOf, linkAll } from './family.js'
import type { I18n } from './index.js'
import { echo, sharedNames } from './sharing.js'

/** Marks the data of a new entry with the entry that it is a localization of. Requests cannot send it. */
export const origin = Symbol('origin')

export const originOf = (data: object): unknown => (data as { readonly [origin]?: unknown })[origin]

/** The start of a localization. */
interface LocalizationStart {
  readonly id: number
  /** The source's last change, as it was known when it was copied. */
  readonly stamp: unknown
  /** The attributes that the request sent, and those that were copied. */
  readonly sent: readonly string[]
  readonly copied: readonly string[]
}

/** Completes a new localization with the values shared with its source, except those that the request sends. */
export async function complete(write: Write, call: Call, i18n: I18n): Promise<Write> {
  const id = originOf(write.data) as number
  if (!(await call.reaches(id))) throw outOfReach(id, call)
  const entries = i18n.entries(call.type.uid, call.session)
  const source = await entries.first({ where: { id }, fields: ['updatedAt'] })
  if (!source) throw outOfReach(id, call)
  const { set, data } = write
  if ((await entries.count({ locale: set?.locale, $or: [{ id }, { localizations: { id } }] })) > 0) throw used()
  // A relation that the caller may not write keeps the source's value.
  const mayWrite = (name: string) => {
    const link = call.type.links.get(name)
    return !link?.targets || link.open === true || link.targets.some(uid => call.can('find', uid))
  }
  const isSent = (name: string) => data[name] !== undefined && data[name] !== null && mayWrite(name)
  const copied = sharedNames(call, i18n).filter(name => !isSent(name))
  const beginning: LocalizationStart = { id, stamp: source.updatedAt, sent: Object.keys(data).filter(isSent), copied }
  // Copied values are not the caller's choice, and need no permission of theirs.
  return { ...write, data: { ...data, [origin]: beginning }, set: { ...set, ...(await entries.copy(id, copied)) } }
}

const outOfReach = (id: number, { type }: Call): NotFoundError =>
  new NotFoundError().because(`there is no entry ${id} of ${type.uid} within the row rule of the caller`)

const used = () => new ApplicationError('locale is already used')

/** Joins a new localization to the others, inside the transaction that made it; undefined for any other entry. */
export async function join(row: Row, call: Written, i18n: I18n): Promise<LocalizationStart | undefined> {
  const beginning = originOf(row) as LocalizationStart | undefined
  if (!beginning) return undefined
  const { type, session, write } = call
  const place = { type, session, store: i18n.store }
  const family = await familyOf(beginning.id, place)
  if (family[0]?.id !== beginning.id || !(await call.reaches(beginning.id))) throw outOfReach(beginning.id, call)
  // A concurrent request may have created the same localization since the first look.
  if (family.some(({ locale }) => locale === write.set?.locale)) throw used()
  await linkAll([row.id, ...family.map(({ id }) => id)], place)
  await catchUp(row.id, beginning, call, i18n)
  return beginning
}

/**
 * Joins a restored entry with its localizations, and takes their shared values. A localization made in its locale
 * meanwhile has its place.
 */
export async function rejoin(id: number, call: Written, i18n: I18n): Promise<void> {
  const place = { type: call.type, session: call.session, store: i18n.store }
  const [own, first] = await familyOf(id, place)
  if (!own || !first) return
  const others = (await familyOf(first.id, place)).filter(member => member.id !== id)
  if (others.some(({ locale }) => locale === own.locale)) throw used()
  await linkAll([id, ...others.map(other => other.id)], place)
  const shared = sharedNames(call, i18n)
  if (shared.length === 0) return
  const entries = i18n.entries(call.type.uid, call.session)
  await entries.update(id, { ...(await entries.copy(first.id, shared)), [echo]: true })
}

/** The source may have been changed between the copy and the lock that is held on it now. */
async function catchUp(
  id: number,
  { id: source, stamp, copied }: LocalizationStart,
  call: Call,
  i18n: I18n,
): Promise<void> {
  const entries = i18n.entries(call.type.uid, call.session)
  const now = await entries.first({ where: { id: source }, fields: ['updatedAt'] })
  if (now?.updatedAt !== stamp) await entries.update(id, { ...(await entries.copy(source, copied)), [echo]: true })
}
