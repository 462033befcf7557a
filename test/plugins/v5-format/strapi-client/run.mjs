// The client that Strapi publishes for Strapi 5 reads the sample app in the shape of Strapi 5 (plugin v5-format), and writes
// to it: `node test/plugins/v5-format/strapi-client/run.mjs`, after `npm run build`; the client is installed on demand.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checks, password, startSample } from '../../../support/sample-server.mjs'

const own = fileURLToPath(new URL('.', import.meta.url))
if (!existsSync(join(own, 'node_modules')))
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: own })
const { strapi } = await import('@strapi/client')

const { check, close } = checks()
const app = await startSample({ 'v5-format': true })
try {
  await read(strapi(options()))
  await write(strapi(options()))
  await readFiles(await signedIn())
} finally {
  await app.stop()
}
close()

function options(headers = {}) {
  return { baseURL: `${app.address}/api`, headers: { 'Strapi-Response-Format': 'v5', ...headers } }
}

async function signedIn() {
  const response = await fetch(`${app.address}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ben', password }),
  })
  const { jwt } = await response.json()
  return strapi({ ...options(), auth: jwt })
}

async function read(client) {
  const articles = client.collection('articles')

  await check('a list is flat, and each entry has its documentId', async () => {
    const { data, meta } = await articles.find({ pagination: { page: 1, pageSize: 2 } })
    assert.equal(data.length, 2)
    for (const { id, documentId, title } of data) {
      assert.equal(documentId, String(id))
      assert.equal(typeof title, 'string')
    }
    assert.deepEqual([meta.pagination.page, meta.pagination.pageSize], [1, 2])
  })

  await check('fields, filters and a sort hold', async () => {
    const { data } = await articles.find({
      fields: ['title'],
      filters: { title: { $containsi: 'bread' } },
      sort: 'title:desc',
    })
    assert.ok(data.length > 0)
    for (const entry of data) assert.deepEqual(Object.keys(entry).sort(), ['documentId', 'id', 'title'])
  })

  await check('filters by documentId find the entry', async () => {
    const { data } = await articles.find({ filters: { documentId: { $eq: '2' } } })
    assert.deepEqual(
      data.map(({ id }) => id),
      [2],
    )
  })

  await check('populate gives relations, lists, components and zones as they are in Strapi 5', async () => {
    const { data } = await articles.findOne('2', { populate: ['author', 'tags', 'seo', 'blocks', 'cover'] })
    assert.equal(data.author.name, 'Ben Okafor')
    assert.ok(Array.isArray(data.tags) && data.tags.every(({ documentId, name }) => documentId && name))
    assert.ok(data.seo === null || !('documentId' in data.seo))
    assert.ok(data.blocks.every(({ __component }) => typeof __component === 'string'))
  })

  await check('an object of populate with fields and filters holds at any depth', async () => {
    const { data } = await articles.find({
      filters: { author: { name: { $eq: 'Ben Okafor' } } },
      populate: { author: { fields: ['name'] }, tags: { sort: 'name', fields: ['name'] } },
    })
    assert.ok(data.length > 0)
    for (const { author, tags } of data) {
      assert.deepEqual(Object.keys(author).sort(), ['documentId', 'id', 'name'])
      const names = tags.map(({ name }) => name)
      assert.deepEqual(names, [...names].sort())
    }
  })

  await check('one entry is found by its documentId, in a locale of its own', async () => {
    const { data: list } = await articles.find({ locale: 'de', fields: ['locale'] })
    assert.ok(list.length > 0)
    for (const { documentId, locale } of list) {
      assert.equal(locale, 'de')
      assert.equal((await articles.findOne(documentId)).data.locale, 'de')
    }
  })

  await check('drafts and published entries are told apart by status', async () => {
    const { data } = await articles.find({ status: 'published' })
    assert.ok(data.every(({ publishedAt }) => publishedAt !== null))
  })

  await check('a single type is read', async () => {
    const { data } = await client.single('homepage').find({ populate: '*' })
    assert.equal(typeof data.documentId, 'string')
  })

  await check('an entry that is not there is the error that the client has for it', async () => {
    await assert.rejects(articles.findOne('99999'), ({ name, response }) => {
      assert.equal(name, 'HTTPNotFoundError')
      return response.status === 404
    })
  })

  await check('a parameter that is wrong is the error that the client has for it', async () => {
    await assert.rejects(articles.find({ sort: 'titel' }), ({ name }) => name === 'HTTPBadRequestError')
  })

  await check('a plain request gives the response itself', async () => {
    const response = await client.fetch('/tags?fields[0]=name')
    assert.equal(response.status, 200)
  })
}

async function write(client) {
  const tags = client.collection('tags')
  await check('an entry is created, changed by its documentId, and deleted', async () => {
    const { data } = await tags.create({ name: 'made by a client' })
    const changed = await tags.update(data.documentId, { name: 'changed by a client' })
    assert.deepEqual([changed.data.id, changed.data.name], [data.id, 'changed by a client'])
    await tags.delete(data.documentId)
    await assert.rejects(tags.findOne(data.documentId), ({ response }) => response.status === 404)
  })
}

async function readFiles(client) {
  await check('files are listed and found', async () => {
    const [file] = await client.files.find()
    assert.equal((await client.files.findOne(file.id)).id, file.id)
  })
}
