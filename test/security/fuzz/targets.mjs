import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTestApp, RequestError } from '../../../dist/core/index.js'
import { createLog } from '../../../dist/core/log.js'
import { parseRaw } from '../../../dist/core/query/raw.js'
import { draftAndPublish } from '../../../dist/plugins/draft-and-publish/index.js'
import { i18n } from '../../../dist/plugins/i18n/index.js'
import { upload } from '../../../dist/plugins/upload/index.js'
import { readParts } from '../../../dist/plugins/upload/multipart.js'

/** What is fuzzed: seeds to begin with, words that mean something there, and what one input must never do. */
export const targets = { query, content, multipart }

const words = [
  ...['filters', 'sort', 'fields', 'populate', 'pagination', 'locale', 'fallback', 'publicationState', '_q', 'on'],
  ...['page', 'pageSize', 'start', 'limit', 'withCount', 'count', 'title', 'views', 'author', 'tags', 'seo', 'blocks'],
  ...['anything', 'cover', 'secret', 'name', 'id', 'shared.seo', 'api::tag.tag', 'localizations', 'createdBy'],
  ...[
    '$eq',
    '$ne',
    '$in',
    '$notIn',
    '$lt',
    '$gte',
    '$between',
    '$null',
    '$contains',
    '$startsWithi',
    '$not',
    '$and',
    '$or',
  ],
  ...['[', ']', '[]', '=', '&', '.', ',', ':', '*', '%', '%5B', '%5D', '%00', '%ff', '%25', '+', ' ', ':desc', ':asc'],
  ...[
    '0',
    '1',
    '-1',
    '1e9',
    '999999999999',
    'true',
    'false',
    'null',
    '__proto__',
    'constructor',
    '2024-01-01',
    '\u00e9',
  ],
]
const questions = [
  'filters[title][$eq]=a&sort=title:desc&fields[0]=title&populate=*',
  'filters[$or][0][author][name][$contains]=a&filters[$or][1][views][$between][0]=1&filters[$or][1][views][$between][1]=2',
  'populate[author][populate][articles][fields][0]=title&populate[tags][sort]=name&populate[seo]=true',
  'populate[blocks][on][shared.seo][fields][0]=title&populate[anything][on][api::tag.tag][filters][name]=a',
  'sort[0]=author.name:desc&sort[1]=views&pagination[page]=2&pagination[pageSize]=1&pagination[withCount]=false',
  'pagination[start]=0&pagination[limit]=2&_q=a&locale=fr&fallback=en&publicationState=preview',
  'filters[tags][articles][seo][title][$notNull]=true&filters[id][$in][]=1&filters[id][$in][]=2&locale=all',
]
const hidden = /TOPSECRET|sqlite|node_modules|\.js:\d/i

/** The text behind a question mark becomes plain objects, lists and texts, or a refusal. */
async function query() {
  const isPlain = value =>
    typeof value === 'string' ||
    value === null ||
    value === undefined ||
    (Array.isArray(value) && value.every(isPlain)) ||
    ([null, Object.prototype].includes(Object.getPrototypeOf(value)) && Object.values(value).every(isPlain))
  return {
    seeds: questions,
    tokens: words,
    run(input) {
      const text = input.toString('latin1')
      for (const strict of [true, false])
        try {
          assert.ok(isPlain(parseRaw(text, { maxParameters: 100, strict })))
        } catch (error) {
          if (!(error instanceof RequestError)) throw error
          assert.equal(error.status, 400)
        }
      assert.deepEqual(Object.keys(Object.prototype), [])
    },
  }
}

/** A whole read: 200, or a 4xx that says which parameter is wrong, and nothing that is hidden. */
async function content({ folder }) {
  const apps = []
  for (const dialect of ['spec', 'strapi4']) apps.push(await smallApp(dialect, folder))
  return {
    seeds: questions,
    tokens: words,
    async run(input) {
      const text = input.toString('latin1').replaceAll('#', '%23')
      // The length chooses who is asked, so that the same input always asks the same.
      const [app, path] = [apps[input.length % 2], input.length % 4 < 3 ? '/api/articles' : '/api/articles/1']
      const { statusCode, payload } = await app.inject({ method: 'GET', url: path, query: text })
      assert.ok(statusCode === 200 || (statusCode >= 400 && statusCode < 500), payload)
      if (statusCode === 200) assert.doesNotMatch(payload, /TOPSECRET/)
      else assert.doesNotMatch(payload.split(text).join('').slice(0, 80), hidden)
      JSON.parse(payload)
    },
    close: () => Promise.all(apps.map(app => app.close())),
  }
}

/** A multipart body is read whole or refused; nothing of it stays behind, and no name leads out of the folder. */
async function multipart({ folder }) {
  const staging = join(folder, 'incoming')
  const limits = { body: 20_000, file: 5000, fields: 2000, parts: 10 }
  const part = (head, body) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const file = part('name="files"; filename="a.txt"', 'content').replace(
    '\r\n\r\n',
    '\r\nContent-Type: text/plain\r\n\r\n',
  )
  const tokens = [
    ...[
      '--x',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      '\n',
      '\r',
      '--',
      '"',
      ';',
      '=',
      ':',
      'name=',
      'filename=',
      "filename*=UTF-8''%41",
    ],
    ...[
      'Content-Disposition: form-data; ',
      'Content-Type: ',
      'Content-Transfer-Encoding: base64',
      'multipart/mixed; boundary=y',
    ],
    ...[
      'files',
      'data',
      '__proto__',
      'constructor',
      '../',
      '\\',
      '\0',
      '%2e',
      '_charset_',
      '=?utf-8?b?YQ==?=',
      ' ',
      '\t',
    ],
  ]
  return {
    seeds: [
      `${part('name="data"', '{"a":1}')}${file}--x--\r\n`,
      `${file}${file}${part('name="a"', '1')}${part('name="a"', '2')}--x--`,
      `preamble\r\n${part('name="a"; filename=""', '')}--x--\r\nepilogue`,
    ],
    tokens,
    async run(input) {
      const cut = input.length > 0 ? input[0] % (input.length + 1) : 0
      // A body comes in pieces, cut anywhere.
      const req = Readable.from([input.subarray(0, cut), input.subarray(cut)].filter(({ length }) => length > 0))
      Object.assign(req, {
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' },
      })
      const ctx = { req, method: 'POST', is: () => 'multipart/form-data' }
      try {
        const { fields, files, discard } = await readParts(ctx, staging, limits)
        assert.ok(fields.size + files.length <= limits.parts)
        for (const { path, name, bytes } of files) {
          assert.ok(path.startsWith(staging) && bytes <= limits.file)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may hold
          assert.doesNotMatch(name, /[\\/\u0000-\u001f]/)
        }
        await discard()
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        assert.ok(error.status >= 400 && error.status < 500)
      }
      assert.deepEqual(existsSync(staging) ? readdirSync(staging) : [], [])
      assert.deepEqual(Object.keys(Object.prototype), [])
    },
  }
}

async function smallApp(dialect, folder) {
  const relation = (kind, target, more = {}) => ({
    type: 'relation',
    relation: kind,
    target: `api::${target}.${target}`,
    ...more,
  })
  const localized = { pluginOptions: { i18n: { localized: true } } }
  const secret = { type: 'string', private: true }
  const app = await createTestApp({
    types: {
      article: {
        ...localized,
        options: { draftAndPublish: true, populateCreatorFields: true },
        attributes: {
          title: { type: 'string', ...localized },
          views: { type: 'integer' },
          released: { type: 'date' },
          extra: { type: 'json' },
          secret,
          author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
          tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
          anything: { type: 'relation', relation: 'morphToMany' },
          cover: { type: 'media' },
          seo: { type: 'component', component: 'shared.seo' },
          blocks: { type: 'dynamiczone', components: ['shared.seo'] },
        },
      },
      author: {
        attributes: {
          name: { type: 'string' },
          secret,
          articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
        },
      },
      tag: {
        attributes: {
          name: { type: 'string' },
          secret,
          articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
        },
      },
    },
    components: { 'shared.seo': { attributes: { title: { type: 'string' }, secret } } },
    plugins: [[i18n, { locales: ['fr'] }], draftAndPublish, [upload, { folder: join(folder, dialect) }]],
    config: { api: { rest: { dialect, maxParameters: 200 } } },
    log: createLog('silent'),
  })
  const hide = { secret: 'TOPSECRET' }
  const { id: author } = await app.entries('api::author.author').create({ name: 'a', ...hide })
  const { id: tag } = await app.entries('api::tag.tag').create({ name: 'b', ...hide })
  for (let index = 0; index < 4; index += 1)
    await app.entries('api::article.article').create({
      ...{
        title: 'ab'[index % 2],
        views: index,
        released: '2024-01-01',
        extra: { a: 1 },
        author,
        tags: [tag],
        ...hide,
      },
      ...{ anything: [{ id: tag, __type: 'api::tag.tag' }], seo: { title: 'a', ...hide } },
      blocks: [{ __component: 'shared.seo', title: 'b', ...hide }],
    })
  return app
}
