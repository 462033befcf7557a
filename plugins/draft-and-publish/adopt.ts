import { type Adoption, type ContentType, change, rowsOf, type Session, type Store } from '../../core/index.js'
import { columnOf, type Service } from './service.js'

/**
 * Entries that were made without the plugin have no date, like drafts, and were public: they become published when they
 * were made. At first these are all, unless drafts were known here before; later those made since it was left out, so
 * that no draft from before appears.
 */
export async function adopt({ type, since, session }: Adoption, { store }: Service): Promise<void> {
  if (!since && (await knowsDrafts(type, session, store))) return
  const { knex, encode } = store
  const made = columnOf(type, 'createdAt')
  const query = knex(type.table).whereNull(columnOf(type))
  if (since) query.where(made, '>=', encode('datetime', since.getTime()) as string | number)
  // Rows without a date are as old as the day on which they were found.
  const date = knex.raw('coalesce(??, ?)', [made, encode('datetime', Date.now()) as string | number])
  await change(session, query.update({ [columnOf(type)]: date }))
}

/** True if an entry is published already, or if Strapi 4 has served the type with drafts, by its copy of all schemas. */
async function knowsDrafts(type: ContentType, session: Session, { knex }: Store): Promise<boolean> {
  const published = knex(type.table).select('id').whereNotNull(columnOf(type)).limit(1)
  if ((await rowsOf(session, published)).length > 0) return true
  const copy = knex('strapi_core_store_settings').select('value').where({ key: 'strapi_content_types_schema' })
  const [row] = await rowsOf(session, copy)
  const schemas = JSON.parse(String(row?.[0] ?? '{}')) as Record<string, Partial<ContentType> | undefined>
  return schemas[type.uid]?.options?.draftAndPublish === true
}
