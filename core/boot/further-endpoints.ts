import { measureNames, mostGroups, units } from '../aggregate/question.js'
import type { Endpoint, FurtherAction } from '../http/endpoint.js'
import { namingFields } from '../query/by-value.js'
import type { JsonSchemaObject } from '../schema/json-schema.js'
import type { ContentType } from '../schema/types.js'

/** The endpoints that a content type has beside those of every type. */
export function furtherEndpoints(type: ContentType): Endpoint[] {
  return type.kind === 'singleType' ? [] : [aggregate(type), ...proposals(type), ...byValue(type)]
}

/** Numbers about the entries that a list would show. */
function aggregate({ uid, pluralName }: ContentType): Endpoint {
  const text: JsonSchemaObject = { type: 'string' }
  const names: JsonSchemaObject = { anyOf: [text, { type: 'array', items: text }] }
  const measures = Object.fromEntries(measureNames.map(name => [name, names]))
  const values = (of: JsonSchemaObject): JsonSchemaObject => ({ type: 'object', additionalProperties: of })
  const number: JsonSchemaObject = { type: ['number', 'null'] }
  const kinds: Readonly<Record<string, JsonSchemaObject>> = {
    count: { type: 'integer' },
    distinct: { type: 'integer' },
    sum: number,
    avg: number,
  }
  const found = Object.fromEntries(measureNames.map(name => [name, values(kinds[name] ?? {})]))
  const paging = { start: { type: 'integer', minimum: 0 }, limit: { type: 'integer', minimum: 1, maximum: mostGroups } }
  return {
    ...{ uid, method: 'GET', path: `/${pluralName}/aggregate`, action: 'find', does: 'aggregate' },
    describe: `count ${pluralName}, and measure them by group`,
    takesBody: false,
    reads: true,
    asksAs: { uid, action: 'find', without: ['fields', 'populate', 'highlight', 'sort', 'pagination'] },
    asks: {
      groupBy: { ...names, description: `what has to be equal: <field>, <relation>.<field>, ${units.join('(), ')}()` },
      measures: {
        ...{ type: 'object', properties: measures, additionalProperties: false },
        description: 'of what: *, <field>, <relation>.<field> of related entries, each once in a group',
      },
      having: { ...values(values({ type: 'object' })), description: 'which groups: having[count][*][$gt]=1' },
      sort: { ...names, description: 'by what the response has: count(*):desc' },
      pagination: { type: 'object', properties: paging, additionalProperties: false },
    },
    answers: {
      type: 'object',
      properties: {
        data: {
          type: 'array',
          items: { type: 'object', properties: { group: values({}), ...found }, required: ['group'] },
        },
        meta: { type: 'object' },
      },
      required: ['data', 'meta'],
    },
  }
}

/** Free values for attributes that are named after others. */
function proposals({ uid, pluralName, fields }: ContentType): Endpoint[] {
  const made = [...fields.values()].flatMap(({ name, madeFrom }) =>
    madeFrom === undefined ? [] : [{ name, madeFrom }],
  )
  if (made.length === 0) return []
  return [
    {
      ...{ uid, method: 'POST', path: `/${pluralName}/uid`, action: 'create', does: 'proposeUids' },
      describe: `propose a free ${made.map(({ name, madeFrom }) => `${name} for a ${madeFrom}`).join(', ')}`,
      takesBody: true,
      reads: true,
      accepts: { input: uid },
      asksAs: { uid, action: 'create' },
      answers: envelope(Object.fromEntries(made.map(({ name }) => [name, { type: 'string' }]))),
    },
  ]
}

/** Entries by the values of unique attributes. */
function byValue(type: ContentType): Endpoint[] {
  const names = namingFields(type).map(({ name }) => name)
  if (names.length === 0) return []
  const { uid, pluralName, options } = type
  const endpoint = (method: Endpoint['method'], action: string, does: FurtherAction, describe: string): Endpoint => ({
    ...{ uid, method, path: `/${pluralName}/by/:field/:value`, action, does },
    ...(options.format !== undefined && { format: options.format }),
    describe: `${describe} of ${pluralName} by its ${names.join(' or ')}`,
    takesBody: method === 'PUT',
    reads: method === 'GET',
    asksAs: { uid, action },
    answers: method === 'PUT' ? { 200: { entry: uid }, 201: { entry: uid } } : { entry: uid },
    ...(method === 'PUT' && { accepts: { input: uid } }),
  })
  return [
    endpoint('GET', 'findOne', 'findByValue', 'one'),
    endpoint('PUT', 'update', 'putByValue', 'change or make one'),
    endpoint('DELETE', 'delete', 'deleteByValue', 'delete one'),
  ]
}

const envelope = (properties: JsonSchemaObject): JsonSchemaObject => ({
  type: 'object',
  properties: { data: { type: 'object', properties }, meta: { type: 'object' } },
  required: ['data', 'meta'],
})
