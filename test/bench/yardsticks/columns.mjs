import { typeOf } from '../model.mjs'

const stamps = [
  { field: 'createdAt', column: 'created_at', type: 'datetime' },
  { field: 'updatedAt', column: 'updated_at', type: 'datetime' },
]

/** The columns of an answer in the order of the schema; with `fields`, only those. */
export function columns(type, fields) {
  const all = [...typeOf(type).scalars.map(({ field, type }) => ({ field, column: field, type })), ...stamps]
  return fields ? all.filter(({ field }) => fields.includes(field)) : all
}

/** The links of each level of `populate`: none, the three relations, or those with the author's team and fewer fields. */
export const populates = [
  [],
  [{ field: 'author' }, { field: 'category' }, { field: 'tags' }],
  [
    { field: 'author', populate: [{ field: 'team' }] },
    { field: 'category', fields: ['name'] },
    { field: 'tags', fields: ['name'] },
  ],
]

export const linkOf = (type, field) => typeOf(type).links.find(link => link.field === field)
