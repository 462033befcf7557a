import {
  ApplicationError,
  type ContentType,
  NotFoundError,
  type Route,
  type RouteCall,
  type Row,
  type Session,
  type TypeOutline,
  type Write,
  type Written,
} from '../../core/index.js'
import { isUnique, queryText, readableBy } from '../../core/plugin-kit.js'
import type { Service, TrashType } from './service.js'
import type { Note } from './writing.js'

/** Marks the data of a write that restores an entry. Requests cannot send it. */
const restoring = Symbol('restoring')

/** The note of an entry in the trash, while it is restored. */
interface Restoration {
  note: Note | undefined
  /** Relations that do not lead where they led. */
  lost: string[]
}

const noteOf = ({ data }: Pick<Write, 'data'>): Restoration | undefined =>
  (data as { readonly [restoring]?: Restoration })[restoring]

export const isRestoring = (write: Pick<Write, 'data'>): boolean => noteOf(write) !== undefined

/** `POST /articles/1/actions/restore` and `POST /homepage/actions/restore`, under a permission of its own. */
export function restoreRoutes({ uid, kind, singularName, pluralName, displayName }: TypeOutline): Route<Service>[] {
  const isSingle = kind === 'singleType'
  return [
    {
      method: 'POST',
      path: `${isSingle ? `/${singularName}` : `/${pluralName}/:id`}/actions/restore`,
      action: 'restore',
      describe: `restore ${isSingle ? `the ${displayName}` : `one of ${pluralName}`} from the trash`,
      body: 'none',
      asksAs: { uid, action: 'update' },
      answers: { entry: uid },
      async run(call) {
        const { params, content } = call
        const about: Restoration = { note: undefined, lost: [] }
        const meta = () => (about.lost.length > 0 ? { lost: about.lost } : {})
        const { id, begin } = isSingle ? await lastOf(uid, call) : { id: params.id }
        return content.update(uid, id, { [restoring]: about }, { permission: 'restore', meta, begin })
      },
    },
  ]
}

/** The entry of a single type that was deleted last, with the check that no other one is there. */
async function lastOf(uid: string, { content, query, service }: RouteCall<Service>) {
  const { params } = service.outline
  const isAsked = ({ name, plugin, types }: (typeof params)[number]) =>
    plugin !== undefined && query[name] !== undefined && (types === 'all' || types.includes(uid))
  const asked = Object.fromEntries(params.filter(isAsked).map(({ name }) => [name, query[name]]))
  const id = await content.idOfSingle(uid, 'findOne', { query: queryText({ ...asked, trash: 'only' }) })
  if (id === undefined) throw new NotFoundError()
  const begin = async (within: Session) => {
    const other = await content.idOfSingle(uid, 'update', { query: queryText(asked), within })
    if (other !== undefined) throw new ApplicationError('There is another entry by now; delete it first')
  }
  return { id, begin }
}

/** Reads the targets of an entry's exclusive relations, which others may take. */
export async function linksOf(id: number, { type, exclusive }: TrashType, session: Session, { entries }: Service) {
  return (await entries(type.uid, session).copy(id, exclusive)) ?? {}
}

/** The unique values of an entry are written again, so that they are compared with those of the entries that are there. */
export function reclaim(write: Write, { fields }: ContentType, before: Row): Write {
  const about = noteOf(write) as Restoration
  about.note = (before.trashNote as Note | null) ?? undefined
  const unique = [...fields.values()].filter(field => isUnique(field) && (before[field.name] ?? null) !== null)
  const own = Object.fromEntries(unique.map(({ name }) => [name, before[name]]))
  return { ...write, data: { ...write.data, ...about.note?.parts }, set: { ...write.set, ...own } }
}

/** Notes which relations others have taken, as far as the caller may read them. */
export async function tellLost(id: number, write: Write, { type, session, caller }: Written, service: Service) {
  const about = noteOf(write) as Restoration
  const links = about.note?.links
  if (!links) return
  const now = await linksOf(id, service.kept.get(type.uid) as TrashType, session, service)
  const mayRead = readableBy(type, caller)
  const ends = (value: unknown) => [value].flat().map(one => JSON.stringify(one ?? null))
  about.lost = Object.keys(links).filter(
    name => mayRead(name) && ends(links[name]).some(end => end !== 'null' && !ends(now[name]).includes(end)),
  )
}
