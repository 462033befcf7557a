import { strict as assert } from 'node:assert'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe } from 'vitest'
import { type AttackedServer, attacks, type RequestOptions } from './attacked.js'

const list = (count: number, of: (index: number) => string, between = '&'): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(between)
const json = { 'content-type': 'application/json' }
const long = (letter: string, count = 12_000): string => letter.repeat(count)

describe('bombs', () => {
  const { attack } = attacks('bombs', { server: { body: { multipart: 20_000_000 } } })

  /** Queries of the length of a request line; the response names the limit, and the setting that raises it. */
  const queries: readonly (readonly [says: string, query: string, names?: RegExp])[] = [
    ['names that are 1,000 deep', `filters${'[a]'.repeat(1000)}=1`, /nested more than/],
    ['$not 1,000 deep', `filters${'[$not]'.repeat(1000)}[title]=a`, /nested more than/],
    ['a populate 100 deep', `populate=${list(100, () => 'author.articles', '.')}`, /rest\.limits\.statements/],
    ['a populate of localizations of localizations', `populate=${list(120, () => 'localizations', '.')}`, /limits/],
    ['files of entries of files', `populate=${list(120, () => 'cover.related', '.')}`, /limits/],
    ['who made who made it', `populate=${list(100, () => 'createdBy', '.')}`, /./],
    ['1,100 parameters', list(1100, index => `a${index}=`), /rest\.maxParameters/],
    ['600 conditions', list(600, index => `filters[$or][${index}][id]=1`), /rest\.limits\.conditions/],
    ['60 relations', list(60, index => `filters[$or][${index}][tags][id]=${index}`), /rest\.limits\.joins/],
    ['a filter 12 relations deep', `filters${'[author][articles]'.repeat(6)}[id]=1`, /rest\.limits\.joins/],
    ['a filter through localizations 12 deep', `filters${'[localizations]'.repeat(12)}[id]=1`, /rest\.limits\.joins/],
    ['a sort through 8 relations', `sort=${list(8, () => 'author.articles', '.')}.id`, /rest\.limits\.joins/],
    ['a sort by 60 relations', `sort=${list(60, () => 'author.name', ',')}`, /rest\.limits\.joins/],
    ['a locale of 1,000', list(900, index => `locale[${index}]=l${index}`), /is not a locale/],
    ['a fallback of 1,000', `fallback=${list(900, index => `l${index}`, ',')}`, /is not a locale/],
    ['a state of 1,000', list(700, () => 'publicationState=live'), /none of/],
  ]
  for (const [says, query, names = /./] of queries)
    attack(`a query of ${says} is refused, with the limit that it meets`, async server => {
      const { status, body } = await server.get('visitor', `/api/articles?${query}`)
      assert.equal(status, 400)
      assert.match(body.error.message, names)
    })

  attack('hundreds of different queries at once are no burden for others', async server => {
    await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        server.get('visitor', `/api/articles?filters[title]=${index}&sort=id&populate[author]=true&fields=title`),
      ),
    )
  })

  const letter = JSON.stringify({ data: { text: 'x'.repeat(5_000_000) } })
  const deep = (open: string, close: string, count: number) =>
    `{"data":{"text":"x","extra":${open.repeat(count)}1${close.repeat(count)}}}`
  const zipped = (encoding: string, body: Buffer): RequestOptions => ({
    body,
    headers: { ...json, 'content-encoding': encoding },
  })
  const bodies: readonly (readonly [says: string, sending: RequestOptions])[] = [
    ['JSON of five megabytes', { body: letter, headers: json }],
    ['lists 100,000 deep', { body: deep('[', ']', 100_000), headers: json }],
    ['objects 100,000 deep', { body: deep('{"a":', '}', 100_000), headers: json }],
    ['a list of 400,000 numbers', { body: `{"data":{"text":[${'1,'.repeat(400_000)}1]}}`, headers: json }],
    ['100,000 names', { body: `{"data":{${list(80_000, index => `"a${index}":1`, ',')}}}`, headers: json }],
    ['the same name 100,000 times', { body: `{"data":{${list(80_000, () => '"text":"a"', ',')}}}`, headers: json }],
    ['a number of 900,000 digits', { body: `{"data":{"text":${'9'.repeat(900_000)}}}`, headers: json }],
    ['900,000 escapes', { body: `{"data":{"text":"${'\\u0000'.repeat(150_000)}"}}`, headers: json }],
    [
      '10,000 relations of any type',
      {
        body: JSON.stringify({
          data: { text: 'x', anything: Array.from({ length: 10_001 }, (_, id) => ({ id, __type: 'api::tag.tag' })) },
        }),
        headers: json,
      },
    ],
    [
      'relations of 5,000 types',
      {
        body: JSON.stringify({
          data: {
            text: 'x',
            anything: Array.from({ length: 5000 }, (_, id) => ({ id: id + 1, __type: `api::t${id}.t` })),
          },
        }),
        headers: json,
      },
    ],
    ['a gzip bomb', zipped('gzip', gzipSync(letter))],
    ['a deflate bomb', zipped('deflate', deflateSync(letter))],
    ['a brotli bomb', zipped('br', brotliCompressSync(letter))],
    ['gzip in gzip', zipped('gzip, gzip', gzipSync(gzipSync(letter)))],
    [
      'a form 5,000 deep',
      { body: `data${'[a]'.repeat(5000)}=1`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'a form of 20,000 names',
      { body: list(8000, index => `a${index}=1`), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
  ]
  for (const [says, sending] of bodies)
    attack(`a body of ${says} is refused, or read in time`, async server => {
      for (const path of ['/api/messages', '/api/auth/local', '/api/auth/local/register']) {
        const { status } = await server.send('visitor', 'POST', path, sending)
        // Names that no attribute has are ignored, however many there are.
        assert.ok((status >= 400 && status < 500) || /names|same name|form/.test(says), `${path}: ${status}`)
      }
    })

  const part = (disposition: string, content = 'x', more = '') =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
  const data = part('name="data"', '{"text":"x"}')
  const forms: readonly (readonly [says: string, body: string, boundary?: string])[] = [
    ['5,000 fields', data + list(5000, index => part(`name="a${index}"`), '')],
    ['5,000 files', data + list(5000, index => part(`name="files"; filename="${index}"`), '')],
    ['the same field 5,000 times', list(5000, () => part('name="data"', '{}'), '')],
    ['headers of 300,000 bytes', data + part('name="a"', 'x', `X-A: ${'b'.repeat(300_000)}\r\n`)],
    [
      '5,000 headers',
      data +
        part(
          'name="a"',
          'x',
          list(60_000, index => `X-${index}: b\r\n`, ''),
        ),
    ],
    ['a name of 100,000 letters', data + part(`name="${'a'.repeat(100_000)}"`)],
    ['a file name of 100,000 letters', data + part(`name="files"; filename="${'a'.repeat(100_000)}"`)],
    ['names that are 10,000 deep', data + part(`name="files${'.a'.repeat(100)}"; filename="a"`)],
    ['no end', `${data}--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(100_000)}`],
    ['no parts', 'x'.repeat(400_000)],
    ['only dashes', '-'.repeat(400_000)],
    ['only boundaries', '--x\r\n'.repeat(50_000)],
    ['only line breaks', '\r\n'.repeat(200_000)],
    ['a field of three megabytes', data + part('name="a"', 'x'.repeat(3_000_000))],
    ['an encoding of its own', part('name="data"', '{"text":"x"}', 'Content-Transfer-Encoding: base64\r\n')],
    ['a charset of its own', part('name="_charset_"', 'utf-7') + data],
    ['a part in a part', part('name="a"', '', 'Content-Type: multipart/mixed; boundary=x\r\n') + data],
    [
      'names of prototypes',
      list(3, index => part(`name="${['__proto__', 'constructor', 'toString'][index]}"`), '') + data,
    ],
    ['a boundary of 5,000 letters', data, long('b', 5000)],
    ['an empty boundary', data, '""'],
    ['a boundary with a line break', data, '"a\\r\\nb"'],
  ]
  for (const [says, body, boundary = 'x'] of forms)
    attack(`a form with ${says} is read or refused, and harms nobody`, async server => {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      for (const [who, path] of [
        ['visitor', '/api/messages'],
        ['editor', '/api/upload'],
        ['editor', '/api/articles'],
        ['visitor', '/api/auth/local'],
      ] as const) {
        const { status } = await server.send(who, 'POST', path, { body: `${body}--x--\r\n`, headers })
        assert.ok(status === 200 || (status >= 400 && status < 500), `${path}: ${status}`)
      }
      assert.deepEqual(await server.ask('polluted'), [])
    })

  /** Texts on which expressions that go back and forth never end. */
  const texts = [
    long('a'),
    long(' '),
    `${long(' ')}x`,
    long('.'),
    long('@'),
    `a@${long('a.', 6000)}`,
    `a@${long('a.', 6000)}!`,
    `${long('a')}@`,
    long('%'),
    long('('),
    long('['),
    long('\\'),
    long('/'),
    long('-'),
    long(','),
    long(', ', 6000),
    long(';q=0.1,', 1700),
    long('0'),
    long('1e', 6000),
    long('<'),
    long('<!--', 3000),
    long('"'),
    long('ab', 6000),
    `${long('x')}${long('x')}!`,
    long('\t'),
    long('='),
  ]
  const headers = [
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'content-type',
    'cookie',
    'if-none-match',
    'if-modified-since',
    'if-range',
    'range',
    'origin',
    'referer',
    'host',
    'x-forwarded-for',
    'x-request-id',
    'x-http-method-override',
    'access-control-request-headers',
    'expect',
  ]
  for (const name of headers.filter(name => name !== 'expect'))
    attack(`no text in the header ${name} makes an expression run for long`, async server => {
      for (const text of texts)
        for (const [method, path] of [
          ['GET', '/api/tags'],
          ['OPTIONS', '/api/tags'],
          ['GET', '/uploads/none.png'],
          ['GET', '/api/connect/google/callback'],
        ] as const) {
          const value = name === 'authorization' ? `Bearer ${text}` : text
          await server.send('visitor', method, path, { headers: { [name]: value } })
        }
    })
  const fields: readonly (readonly [says: string, send: (server: AttackedServer, text: string) => Promise<unknown>])[] =
    [
      [
        'an e-mail address',
        (server, text) =>
          server.write('visitor', 'POST', '/api/auth/local/register', { username: text, email: text, password: text }),
      ],
      [
        'an attribute',
        (server, text) =>
          server.write('editor', 'POST', '/api/articles', {
            data: {
              title: 'x',
              slug: text,
              contact: text,
              released: text,
              opens: text,
              happened: text,
              big: text,
              price: text,
              kind: text,
            },
          }),
      ],
      [
        'a filter',
        (server, text) =>
          server.get('visitor', `/api/articles?filters[released]=${encodeURIComponent(text.slice(0, 4000))}`),
      ],
      [
        'a date in a filter',
        (server, text) =>
          server.get('visitor', `/api/articles?filters[happened][$gt]=${encodeURIComponent(text.slice(0, 4000))}`),
      ],
      [
        'a sort',
        (server, text) => server.get('visitor', `/api/articles?sort=${encodeURIComponent(text.slice(0, 4000))}`),
      ],
      [
        'a populate',
        (server, text) => server.get('visitor', `/api/articles?populate=${encodeURIComponent(text.slice(0, 4000))}`),
      ],
      ['a locale', (server, text) => server.write('editor', 'POST', '/api/i18n/locales', { code: text, name: text })],
      [
        'the name of a role',
        (server, text) => server.write('manager', 'POST', '/api/users-permissions/roles', { name: text }),
      ],
      [
        'the name of a token',
        (server, text) =>
          server.write('fullToken', 'POST', '/api/api-tokens', {
            name: text,
            type: text,
            lifespan: text,
            permissions: [text],
          }),
      ],
      [
        'the name of a file',
        (server, text) =>
          server.send('editor', 'POST', '/api/upload', {
            body: `--x\r\nContent-Disposition: form-data; name="files"; filename="${text.replace(/"/g, '')}"\r\n\r\n${text}\r\n--x--\r\n`,
            headers: { 'content-type': 'multipart/form-data; boundary=x' },
          }),
      ],
      [
        'a picture',
        (server, text) =>
          server.send('editor', 'POST', '/api/upload', {
            body: `--x\r\nContent-Disposition: form-data; name="files"; filename="a.svg"\r\nContent-Type: image/svg+xml\r\n\r\n<svg ${text}\r\n--x--\r\n`,
            headers: { 'content-type': 'multipart/form-data; boundary=x' },
          }),
      ],
    ]
  for (const [says, send] of fields)
    attack(`no text in ${says} makes an expression run for long`, async server => {
      for (const text of texts) await send(server, text)
    })
})
