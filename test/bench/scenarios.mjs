import { counts, row, words } from './dataset.mjs'

const articles = '/api/articles'
const get = (...query) => ({ method: 'GET', path: `${articles}${query.length ? `?${query.join('&')}` : ''}` })
const one = id => ({ method: 'GET', path: `${articles}/${id}` })
const times = (count, make) => Array.from({ length: count }, (_, k) => make(k + 1))
/** Ids spread over a table of any size, in an order that no cache of pages likes. */
const ids = (count, size, step = 7919) => times(count, k => 1 + ((k * step) % size))

const append = (path, pair) => `${path}${path.includes('?') ? '&' : '?'}${pair}`
/** `{n}` becomes a number that no request of the run has had before: the text is new, the answer is not. */
const fresh = request => ({ ...request, path: append(request.path, 'filters[views][$gte]=-{n}') })

/**
 * In its miss form a list asks for no total: counting under a condition that was never seen walks the whole table in every
 * server alike, and would hide what is measured here. `withTotal` says that the total is the point.
 */
const list = (id, title, hit, { withTotal = false } = {}) => ({
  id,
  title,
  hit,
  miss: hit.map(request => fresh(withTotal ? request : withoutTotal(request))),
})
const withoutTotal = request => ({ ...request, path: append(request.path, 'pagination[withCount]=false') })

/** The scenarios, on a table of `size` articles. Each form is a rotation of requests; writing scenarios run last. */
export function scenarios(size = counts.article) {
  const reading = reads(size)
  const updates = ids(1000, size, 3).map(update)
  return [
    ...reading,
    { id: 'mixed', title: '19 reads and an update', mixed: mixed(reading, updates) },
    { id: 'create', title: 'create with three relations', write: ids(200, size).map(create) },
    { id: 'update', title: 'update a field, connect a tag', write: updates },
  ]
}

function reads(size) {
  return [
    list('list', 'list of 25, with total', [get()], { withTotal: true }),
    list(
      'list100',
      'list of 100, pages 1-10',
      times(10, page => get(`pagination[page]=${page}`, 'pagination[pageSize]=100')),
    ),
    { id: 'one', title: 'one by id', hit: ids(1000, size).map(one), miss: ids(Math.min(size, 10_000), size).map(one) },
    list(
      'populate',
      'list of 25, three relations',
      times(40, page =>
        get('populate[0]=author', 'populate[1]=category', 'populate[2]=tags', `pagination[page]=${page}`),
      ),
    ),
    list(
      'filter',
      'author.name $eq, two sorts, page 3',
      times(counts.author, i =>
        get(
          `filters[author][name][$eq]=${encodeURIComponent(row('author', i).name)}`,
          'sort[0]=views:desc',
          'sort[1]=id',
          'pagination[page]=3',
          'pagination[pageSize]=5',
        ),
      ),
    ),
    list(
      'deep',
      'list of 25, two-level populate',
      times(40, page =>
        get(
          'populate[author][populate][0]=team',
          'populate[category][fields][0]=name',
          'populate[tags][fields][0]=name',
          `pagination[page]=${page}`,
        ),
      ),
    ),
    list(
      'search',
      'title $containsi',
      words.map(word => get(`filters[title][$containsi]=${word.toUpperCase()}`)),
    ),
    list(
      'fields',
      'title and slug, list of 100',
      times(10, page =>
        get('fields[0]=title', 'fields[1]=slug', `pagination[page]=${page}`, 'pagination[pageSize]=100'),
      ),
    ),
  ]
}

/** The requests of a site with editors: one in twenty changes the data that the others read. */
function mixed(reading, updates) {
  const pattern =
    'one list one populate one list one filter one list update one list one populate search one list filter populate'
  const rotations = { update: updates, ...Object.fromEntries(reading.map(({ id, hit }) => [id, hit])) }
  const taken = {}
  return times(50, () => pattern.split(' '))
    .flat()
    .map(id => {
      taken[id] = (taken[id] ?? 0) + 1
      return rotations[id][taken[id] % rotations[id].length]
    })
}

function create(i) {
  const { id, createdAt, updatedAt, ...data } = row('article', i)
  const body = JSON.stringify({ data: { ...data, title: `New ${data.title}`, slug: 'new-{n}' } })
  return { method: 'POST', path: articles, body }
}

function update(i) {
  const tag = 1 + ((i * 29) % counts.tag)
  return {
    method: 'PUT',
    path: `${articles}/${i}`,
    body: JSON.stringify({ data: { summary: 'Changed {n}', tags: { connect: [tag] } } }),
  }
}

/** Every combination of scenario and form, e.g. `list hit`. */
export const formsOf = list =>
  list.flatMap(scenario =>
    ['hit', 'miss', 'write', 'mixed']
      .filter(form => scenario[form])
      .map(form => ({ id: scenario.id, title: scenario.title, form, requests: scenario[form] })),
  )
