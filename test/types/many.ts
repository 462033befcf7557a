import type { TestAppOptions } from '../../core/index.js'

const kinds = ['string', 'text', 'integer', 'boolean', 'datetime', 'decimal', 'json', 'date', 'email', 'biginteger']

const fields = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const choice = { type: 'enumeration', enum: ['one', 'two', 'three'] }
      const plain = { type: kinds[index % kinds.length], ...(index % 5 === 0 && { required: true }) }
      return [`field${index}`, index % 7 === 3 ? choice : plain]
    }),
  )

/** A large app: types of twenty fields and eight links, and twenty components. */
export function manyTypes(count: number): Pick<TestAppOptions, 'types' | 'components'> {
  const components = Array.from(
    { length: 20 },
    (_, index) => [`parts.part${index}`, { attributes: fields(6) }] as const,
  )
  const types = Array.from({ length: count }, (_, index) => {
    const relation = (kind: string, step: number) => {
      const to = `thing${(index + step) % count}`
      return { type: 'relation', relation: kind, target: `api::${to}.${to}` }
    }
    const part = (step: number) => `parts.part${(index + step) % 20}`
    const links = [
      ...[relation('oneToOne', 1), relation('oneToMany', 2), relation('manyToMany', 3), relation('oneToOne', 7)],
      ...[relation('manyToMany', 11), { type: 'component', component: part(0) }],
      { type: 'component', component: part(3), repeatable: true },
      { type: 'dynamiczone', components: [0, 1, 2, 3].map(part) },
    ]
    const attributes = { ...fields(20), ...Object.fromEntries(links.map((link, place) => [`link${place}`, link])) }
    return [`thing${index}`, { attributes }] as const
  })
  return { types: Object.fromEntries(types), components: Object.fromEntries(components) }
}

/** As many calls, each with three levels of populate, filters through a relation and in a group, and a sort through one. */
export const calls = (count: number, types: number): string =>
  [
    "import { createClient } from 'stele/client'",
    "import type { Schema } from './schema.js'",
    "const api = createClient<Schema>({ url: '' })",
    ...Array.from({ length: count }, (_, index) => call(index, index % types, Math.floor(index / types) % 4)),
  ].join('\n')

const call = (index: number, type: number, first: number): string => `
export async function call${index}() {
  const { data, error } = await api.thing${type}s.find({
    fields: ['field${first}', 'field${first + 5}'],
    populate: {
      link${first}: {
        fields: ['field1'],
        populate: {
          link${(first + 1) % 5}: { populate: { link${(first + 2) % 5}: { fields: ['field0', 'field2'] }, link5: true } },
        },
      },
      link7: { on: { 'parts.part${type % 20}': { fields: ['field0'] } } },
    },
    filters: {
      field0: { $contains: 'x' },
      link${first}: { field2: { $gt: 3 } },
      $or: [{ field3: 'one' }, { field6: { $null: true } }],
    },
    sort: ['field0:desc', 'link${first}.field0'],
  })
  if (error) return error.message
  const [found] = data
  return [found?.attributes.field${first}, found?.attributes.link${first}.data${first === 1 || first === 2 ? '[0]' : ''}?.attributes.field1]
}`
