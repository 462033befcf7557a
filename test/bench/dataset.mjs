import { types } from './model.mjs'

/** Every title is made of these, so a search for any of them finds about one article in 23. */
export const words =
  `amber anchor autumn basalt beacon birch bramble breeze bronze canyon cedar cinder clover cobalt copper
coral crater delta ember falcon fathom fern fjord flint forest galaxy garnet glacier granite harbor hazel heron horizon indigo
island ivory jasper juniper kelp lagoon lantern lichen linden marble marsh meadow mesa mirror monsoon mosaic nectar nimbus
north oasis obsidian ocean olive onyx opal orchard osprey pebble pine plateau prairie quartz quill raven reef ridge saffron
sage sequoia shadow silver slate solstice spruce summit tempest thicket thistle thunder timber topaz tundra umber valley
velvet vertex violet`.split(/\s+/)

export const counts = { team: 25, author: 500, category: 20, tag: 100, article: 10_000 }

const capital = word => word[0].toUpperCase() + word.slice(1)
const stamp = minutes => Date.UTC(2024, 0, 1) + minutes * 61_007

/** An integer hash: row i is the same row in every dataset, whatever came before it. */
function mix(i, salt) {
  let h = Math.imul(i ^ (salt * 0x9e3779b1), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
const word = (i, salt) => words[mix(i, salt) % words.length]

/** Prose with what JSON has to escape, kept in pools: a million different texts would take longer than all the rest. */
function prose(salt, length) {
  let text = ''
  for (let k = 0; text.length < length; k++) {
    const end = ['. ', '."\n\n', ' café, '][mix(salt, k) % 3]
    text += `${k % 9 ? word(salt, k + 7) : capital(word(salt, k + 7))}${k % 9 === 8 ? end : ' '}`
  }
  return text.trim()
}
const pool = (size, length) => Array.from({ length: size }, (_, k) => prose(k + 1, length))
const bodies = pool(997, 1000)
const blurbs = pool(499, 130)

const make = {
  team: i => ({ name: `Team ${capital(words[(i * 3) % 89])}`, city: capital(words[(i * 4) % 89]) }),
  author: i => ({
    name: `${capital(word(i, 1))} ${capital(word(i, 2))} ${i}`,
    email: `author${i}@example.com`,
    bio: blurbs[i % blurbs.length],
    team: 1 + (i % counts.team),
  }),
  category: i => ({ name: `Category ${capital(words[(i * 5) % 89])}` }),
  tag: i => ({ name: `${words[i % 89]}-${i}` }),
  article: i => {
    const title = `${capital(word(i, 3))} ${word(i, 4)} ${word(i, 5)} ${word(i, 6)} ${i}`
    return {
      title,
      slug: title.toLowerCase().replaceAll(' ', '-'),
      body: bodies[i % bodies.length],
      summary: blurbs[i % blurbs.length],
      views: mix(i, 7) % 100_000,
      rating: (mix(i, 8) % 51) / 10,
      featured: i % 10 === 0,
      published_on: new Date(stamp((i * 30) % 400_000)).toISOString().slice(0, 10),
      author: 1 + ((i * 7919) % counts.author),
      category: 1 + ((i * 13) % counts.category),
      tags: [0, 37, 74].map(step => 1 + ((i * 17 + step + (i % 3) * 5) % counts.tag)),
    }
  },
}

/** Row `i` (from 1) of a type, as the API names its fields; relations are ids. */
export const row = (type, i) => ({ id: i, ...make[type](i), createdAt: stamp(i), updatedAt: stamp(i + 3) })

/** Hands every row to `put(table, columns, values)`, parents first. `datetime` turns milliseconds into a column value. */
export async function fill(put, { articles = counts.article, datetime = ms => ms } = {}) {
  for (const { name, table, scalars, links } of types) {
    const columns = ['id', ...scalars.map(({ field }) => field), 'created_at', 'updated_at']
    const lists = links.map(link => ({ ...link, columns: columnsOf(link), length: new Map() }))
    const count = name === 'article' ? articles : counts[name]
    for (let i = 1; i <= count; i++) {
      const entry = row(name, i)
      const values = scalars.map(({ field, type }) => (type === 'boolean' ? Number(entry[field]) : entry[field]))
      await put(table, columns, [i, ...values, datetime(entry.createdAt), datetime(entry.updatedAt)])
      for (const list of lists) for (const link of linkRows(list, i, entry)) await put(list.table, list.columns, link)
    }
  }
}

const columnsOf = ({ ownId, targetId, order, inverseOrder }) => [
  ownId,
  targetId,
  inverseOrder,
  ...(order ? [order] : []),
]

function linkRows({ field, many, length }, id, entry) {
  return [entry[field]].flat().map((target, k) => {
    const place = (length.get(target) ?? 0) + 1
    length.set(target, place)
    return [id, target, place, ...(many ? [k + 1] : [])]
  })
}
