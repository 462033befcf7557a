import type { Knex } from 'knex'
import { Model, type ModelClass, type RelationMappings } from 'objection'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'

declare module 'objection' {
  // It hands what it is given on to knex, which takes a piece of SQL with values of its own as well as a text.
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
      modelOf(type, uid => models.get(uid)),
    )
  return new Map([...models].map(([uid, model]) => [uid, model.bindKnex(knex) as ModelClass<Model>]))
}

function modelOf(type: ContentType, modelNamed: (uid: string) => ModelClass<Model> | undefined): ModelClass<Model> {
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
  return EntryModel
}

/** Every link that leads to one type is a relation through its table; what varies has no place in a model. */
function relationsOf(type: ContentType, modelNamed: (uid: string) => ModelClass<Model> | undefined): RelationMappings {
  const mappings: RelationMappings = {}
  for (const { name, storage, targets, many } of type.links.values()) {
    const target = targets?.length === 1 ? modelNamed(targets[0] ?? '') : undefined
    if (!target) continue
    if (storage.via === 'table')
      mappings[name] = {
        relation: many ? Model.ManyToManyRelation : Model.HasOneThroughRelation,
        modelClass: target,
        join: {
          from: `${type.table}.id`,
          through: {
            from: `${storage.table}.${storage.from}`,
            to: `${storage.table}.${storage.to}`,
            ...(storage.order !== undefined && { extra: { linkOrder: storage.order } }),
          },
          to: `${target.tableName}.id`,
        },
        modify: query => {
          for (const [column, value] of Object.entries(storage.match)) query.where(`${storage.table}.${column}`, value)
        },
      }
    else if (storage.via === 'column')
      mappings[name] = {
        relation: Model.BelongsToOneRelation,
        modelClass: target,
        join: { from: `${type.table}.${storage.column}`, to: `${target.tableName}.id` },
      }
  }
  return mappings
}
