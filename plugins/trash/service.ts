import { type Adoption, BootError, type ContentType, change, type Host, type TypeOutline } from '../../core/index.js'
import { type PartsPopulate, partsAsked } from './parts.js'

/** `config/plugins: trash.config` */
export interface Settings {
  readonly all: boolean
  readonly days: number
}

/** A type with a trash. */
export interface TrashType {
  readonly type: ContentType
  /** The populate that reads the components in which values are unique; undefined where there are none. */
  readonly parts: PartsPopulate | undefined
  /** Relations that entries of the other end have to one entry alone: another one may take it meanwhile. */
  readonly exclusive: readonly string[]
}

export interface Service extends Host<Settings> {
  readonly kept: ReadonlyMap<string, TrashType>
}

/** Entries of content types of the app can be kept; the rows of plugins' types are read by statements that know no trash. */
export const hasTrash = ({ uid, kind, options }: TypeOutline, { all }: Pick<Settings, 'all'>): boolean =>
  kind !== 'component' && uid.startsWith('api::') && (options.trash ?? all)

export function checkStart({ config, types, app }: Pick<Host<Settings>, 'config' | 'types' | 'app'>): void {
  const all = [...types.types.values()]
  for (const { uid, kind, options, source } of all)
    if (options.trash === true && !hasTrash({ uid, kind, options } as TypeOutline, config))
      throw new BootError(`${source}: options.trash is for content types of the app; remove it`)
  if (app.project !== 'stele' && all.some(type => hasTrash(type, config)))
    throw new BootError(
      `config/plugins: trash does not work in the database of ${app.project}, which removes columns that it does not know when it starts: what was deleted would be there again; disable trash`,
    )
}

export function serviceOf(host: Host<Settings>): Service {
  const kept = [...host.types.types.values()].filter(type => hasTrash(type, host.config))
  return { ...host, kept: new Map(kept.map(type => [type.uid, keptOf(type)])) }
}

const keptOf = (type: ContentType): TrashType => ({
  type,
  parts: partsAsked(type),
  exclusive: [...type.links.values()]
    .filter(
      ({ writable, embedded, exclusive, storage }) => writable && !embedded && (exclusive || storage.via === 'target'),
    )
    .map(({ name }) => name),
})

/** Entries that were made without the plugin are not in the trash: their unique values are compared with those of others. */
export async function adopt({ type, session }: Adoption, { store: { knex } }: Service): Promise<void> {
  const column = type.fields.get('trashKey')?.column as string
  await change(
    session,
    knex(type.table)
      .whereNull(column)
      .update({ [column]: 0 }),
  )
}

/** The same for entries of an archive. */
export async function adoptAll(service: Service): Promise<void> {
  for (const { type } of service.kept.values())
    await service.store.transaction(session => adopt({ type, session }, service))
}
