import fs from 'node:fs'

const folder = new URL('app/content-types/', import.meta.url)
const read = name => JSON.parse(fs.readFileSync(new URL(`${name}.json`, folder), 'utf8'))

/** The app's content types, parents before children: rows are made in this order. */
export const types = ['team', 'author', 'category', 'tag', 'article'].map(name => {
  const { collectionName, attributes } = read(name)
  const own = Object.entries(attributes)
  return {
    name,
    table: collectionName,
    scalars: own.filter(([, a]) => a.type !== 'relation').map(([field, a]) => ({ field, type: a.type })),
    links: own.filter(([, a]) => a.inversedBy).map(([field, a]) => linkOf(name, collectionName, field, a)),
  }
})

export const typeOf = name => types.find(type => type.name === name)

/** Every relation lives in a link table of its owning side. */
function linkOf(owner, ownerTable, field, { relation, target: uid }) {
  const target = uid.split('.').at(-1)
  const many = relation === 'manyToMany'
  return {
    field,
    target,
    many,
    table: `${ownerTable}_${field}_links`,
    ownId: `${owner}_id`,
    targetId: `${target}_id`,
    // The place in the owner's list, and the place of the owner in the target's list.
    order: many ? `${target}_order` : undefined,
    inverseOrder: `${owner}_order`,
  }
}
