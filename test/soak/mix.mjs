import { row } from '../bench/dataset.mjs'

/**
 * Requests of clients, each kind with its share in a thousand: mostly reads, by visitors, accounts and programs, and
 * writes of all kinds. Deletes balance creates, so that the database ends as it began.
 */
const shares = {
  list: 200,
  populated: 150,
  one: 150,
  oneOfAccount: 100,
  oneOfProgram: 100,
  filtered: 90,
  searched: 50,
  french: 50,
  update: 50,
  create: 28,
  delete: 28,
  upload: 2,
  removeFile: 2,
}

const order = interleaved(shares)

/** An endless mix of requests on `articles` entries, as bytes; `learn` and `refused` tell it how they were answered. */
export function mixOf({ port, articles, token, jwt }) {
  const made = []
  const files = []
  let turn = 0
  let asked = 0
  const id = () => {
    asked += 7919
    return 1 + (asked % articles)
  }
  const get = (path, key) => text(port, 'GET', path, key)
  const send = (method, path, data, key) => text(port, method, path, key, 'application/json', JSON.stringify({ data }))
  const unique = `${process.pid}-${Date.now().toString(36)}`
  const make = {
    list: () => get(`/api/articles?pagination[page]=${1 + (turn % 20)}`),
    populated: () =>
      get(`/api/articles?populate[0]=author&populate[1]=category&populate[2]=tags&pagination[page]=${1 + (turn % 40)}`),
    one: () => get(`/api/articles/${id()}`),
    oneOfAccount: () => get(`/api/articles/${id()}?populate=author`, jwt),
    oneOfProgram: () => get(`/api/articles/${id()}`, token),
    filtered: () => get(`/api/articles?filters[views][$gte]=${turn % 90_000}&sort=views&pagination[pageSize]=10`),
    searched: () => get(`/api/articles?filters[title][$containsi]=amber&pagination[page]=${1 + (turn % 3)}`),
    french: () => get('/api/articles?locale=fr'),
    update: () => send('PUT', `/api/articles/${id()}`, { summary: `Changed ${turn}` }, jwt),
    create: () => send('POST', '/api/articles', newArticle(1 + (turn % 1000), `${unique}-${turn}`), token),
    delete: () => (made.length > 0 ? text(port, 'DELETE', `/api/articles/${made.shift()}`, token) : make.create()),
    upload: () => multipart(port, `note-${turn}.txt`, `a small file, number ${turn}`, token),
    removeFile: () =>
      files.length > 0 ? text(port, 'DELETE', `/api/upload/files/${files.shift()}`, token) : make.upload(),
  }
  return {
    next() {
      turn += 1
      return make[order[turn % order.length]]()
    },
    /** Answers to POST say what there is to delete. */
    learn(bytes, body) {
      if (!bytes.startsWith('POST')) return
      const answer = JSON.parse(body.toString())
      if (Array.isArray(answer)) files.push(answer[0].id)
      else made.push(answer.data.id)
    },
    /** A refused delete has left its entry, which may be chosen again. */
    refused(bytes) {
      const [, file, id] = /^DELETE \/api\/(upload)?\D*(\d+)/.exec(bytes) ?? []
      if (id !== undefined) (file ? files : made).push(id)
    },
  }
}

/** An article as the data set has it, with relations to what there is. */
export function newArticle(i, mark) {
  const { id, createdAt, updatedAt, ...data } = row('article', i)
  return { ...data, slug: `${data.slug}-${mark}` }
}

const credentials = key => (key === undefined ? '' : `authorization: Bearer ${key}\r\n`)

export function text(port, method, path, key, type, body = '') {
  const described = body && `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${credentials(key)}${described}\r\n${body}`
}

function multipart(port, name, content, key) {
  const mark = 'a-mark-that-no-file-has'
  const head = `content-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: text/plain`
  return text(
    port,
    'POST',
    '/api/upload',
    key,
    `multipart/form-data; boundary=${mark}`,
    `--${mark}\r\n${head}\r\n\r\n${content}\r\n--${mark}--\r\n`,
  )
}

/** Names as often as their shares say, each spread over the whole: the most overdue comes next. */
function interleaved(shares) {
  const names = Object.keys(shares)
  const total = names.reduce((sum, name) => sum + shares[name], 0)
  const given = Object.fromEntries(names.map(name => [name, 0]))
  return Array.from({ length: total }, (_, k) => {
    const owed = name => (shares[name] * (k + 1)) / total - given[name]
    const next = names.reduce((most, name) => (owed(name) > owed(most) ? name : most))
    given[next] += 1
    return next
  })
}
