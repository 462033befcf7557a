import type { Knex } from 'knex'
import { Model, type ModelClass, type QueryBuilder, type RelationMapping, type RelationMappings } from 'objection'
import type { Registry } from '../schema/registry.js'
import type { ContentType, LinkStorage } from '../schema/types.js'

declare module 'objection' {
  // It hands its arguments on to knex, which takes a piece of SQL with values of its own as well as a text.
  interface RawInterface<R> {
    // biome-ignore lint/style/useShorthandFunctionType: only an interface adds to the one of objection
    (piece: Knex.Raw): R
  }
}

export type Models = ReadonlyMap<string, ModelClass<Model>>

/** One objection model for each content type, with its relations, bound to the engine's query builder. */
export function buildModels(registry: Registry, knex: Knex): Models {
  const models = new Map<string, ModelClass<Model>>()
  for (const type of registry.types.values())
    models.set(
      type.uid,
      modelOf(type, knex, uid => models.get(uid)),
    )
  return models
}

type ModelFinder = (uid: string) => ModelClass<Model> | undefined

function modelOf(type: ContentType, knex: Knex, modelNamed: ModelFinder): ModelClass<Model> {
  const jsonColumns = [...type.fields.values()].filter(({ type: { as } }) => as === 'json').map(({ column }) => column)
  class EntryModel extends Model {
    static override tableName = type.table
    static override idColumn = 'id'
    static override jsonAttributes = jsonColumns
    static override get relationMappings() {
      return relationsOf(type, modelNamed)
    }
  }
  // objection writes the name into code of its own, so it has to be an identifier.
  Object.defineProperty(EntryModel, 'name', { value: type.uid.replace(/\W/g, '_') })
  // A copy of the model, as `bindKnex` makes it, would lose the condition that tells the rows of a table between two types apart.
  EntryModel.knex(knex)
  return EntryModel
}

/** Every link that leads to one type is a relation; a link whose type varies has no place in a model. */
function relationsOf(type: ContentType, modelNamed: ModelFinder): RelationMappings {
  const mappings: RelationMappings = {}
  for (const { name, storage, targets, many } of type.links.values()) {
    const modelClass = targets?.length === 1 ? modelNamed(targets[0] ?? '') : undefined
    if (modelClass) mappings[name] = { modelClass, ...mappingOf(type.table, modelClass.tableName, storage, many) }
  }
  return mappings
}

function mappingOf(
  own: string,
  target: string,
  storage: LinkStorage,
  many: boolean,
): Omit<RelationMapping<Model>, 'modelClass'> {
  if (storage.via === 'column')
    return { relation: Model.BelongsToOneRelation, join: { from: `${own}.${storage.column}`, to: `${target}.id` } }
  const { match } = storage
  // With a condition, even an empty one, a join is one with a query in place of the table.
  const only = Object.keys(match).length > 0 && { modify: (query: QueryBuilder<Model>) => query.where(match) }
  if (storage.via === 'target')
    return {
      relation: many ? Model.HasManyRelation : Model.HasOneRelation,
      join: { from: `${own}.id`, to: `${target}.${storage.column}` },
      ...only,
    }
  const { table, from, to, order } = storage
  return {
    relation: many ? Model.ManyToManyRelation : Model.HasOneThroughRelation,
    join: {
      from: `${own}.id`,
      through: {
        from: `${table}.${from}`,
        to: `${table}.${to}`,
        ...only,
        ...(order !== undefined && { extra: { linkOrder: order } }),
      },
      to: `${target}.id`,
    },
  }
}
