import { strict as assert } from 'node:assert'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && ending.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)))

/** Words that the glossary of core/README.md replaces, and what to write. */
const replaced: readonly [words: RegExp, instead: string][] = [
  [/\b(nobody|somebody|whoever|anybody|everybody)\b/i, 'the client, a request, the caller, an operator, a process'],
  [/\b(mend(s|ed|able)?)\b/i, 'fix'],
  [/\bheed\b/i, 'ignore, or follow'],
  [/\bin vain\b/i, 'useless'],
  [/\bby and by\b/i, 'over time, or one after the other'],
  [/\bplugins? (that|which) (is|are) (on|off)\b|\b(is|are) off\b/i, 'enabled, disabled'],
  [/\bright would be\b/i, 'expected'],
  [
    /\b(called up|sent away|said over|thr[eo]wn? out|under way)\b/i,
    'admitted, rejected, overrides, rolled back, in flight',
  ],
  [
    /\b(what is on,|a start refuses|(under|with|need|needs) (all |no |a |the )?rights?\b)/i,
    'enabled, the server refuses, permissions',
  ],
]

/** In prose alone: code may have names like these. */
const inProse: readonly [words: RegExp, instead: string][] = [
  [/\bis told (of|when|how)\b|\bare told of\b/i, 'called with, given, or notified of'],
  [
    /\b(an|the|its|whole|one|no|finished|long(est)?|of) answers?\b(?! (it|the|to|a)\b)/i,
    'a response, or a reply of others than the server',
  ],
]
const isComment = /^\s*(\/\*\*|\*|\/\/)|\s\/\/ [A-Z]/

/** Lines of a file that readers see: pages as a whole; of code its comments and texts, as no name of it contains these words. */
const linesOf = (file: string): string[] => readFileSync(path.join(root, file), 'utf8').split('\n')

describe('pages, comments and messages', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...['core', 'plugins'].flatMap(folder => filesOf(folder, /\.md$/))]
  const code = ['core', 'plugins'].flatMap(folder => filesOf(folder, /\.ts$/))

  it('are looked at', () => assert.ok(pages.length > 10 && code.length > 300))

  for (const [words, instead] of replaced)
    it(`say ${instead} where others might say ${words.source}`, () => {
      const found = [...pages, ...code].flatMap(file =>
        linesOf(file).flatMap((line, index) => (words.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
      )
      assert.deepEqual(found, [])
    })

  for (const [words, instead] of inProse)
    it(`say ${instead} where others might say ${words.source}`, () => {
      const found = [...pages, ...code].flatMap(file => {
        const isProse = (line: string) => file.endsWith('.md') || isComment.test(line)
        return linesOf(file)
          .filter(line => isProse(line) && words.test(line))
          .map(line => `${file}: ${line.trim()}`)
      })
      assert.deepEqual(found, [])
    })

  it('say in titles of tests who does what', () => {
    const [[who] = [/^$/]] = replaced
    const titles = filesOf('test', /\.test\.ts$/).flatMap(file =>
      linesOf(file)
        .filter(line => /^\s*(?:it|describe|contract|onEveryEngine)\b[^:]*\(.*['`"]/.test(line) && who.test(line))
        .map(line => `${file}: ${line.trim()}`),
    )
    assert.deepEqual(titles, [])
  })
})

/** Strapi's own words, which programs may know. */
const strapi = ['failed to decode', 'file.notFound', 'locale is missing', 'locale is invalid', 'locale is already used']
const errors =
  'Validation|Application|Unauthorized|Forbidden|NotFound|BadRequest|PayloadTooLarge|UnsupportedMediaType|Unavailable|Conflict|Unprocessable|Pagination|Format'
const literal = new RegExp(`new (?:${errors})Error\\(\\s*(?:[\\w.]+,\\s*)?([\`'"])((?:\\\\.|(?!\\1)[^])*)\\1`, 'g')

describe('messages to clients', () => {
  const messages = ['core', 'plugins'].flatMap(folder =>
    filesOf(folder, /\.ts$/).flatMap(file =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(literal)].map(([, , text = '']) => ({ file, text })),
    ),
  )

  it('are found', () => assert.ok(messages.length > 80, String(messages.length)))

  it('begin with a capital letter, or with the name of what is wrong', () => {
    // A name is that of a parameter, field or header with a colon, or one that no English word could be.
    const isFine = (text: string) =>
      /^([A-Z]|\$\{|[\w-]+: |[a-z]+[A-Z]\w+ )/.test(text) || strapi.includes(text) || text.startsWith('kind is $')
    assert.deepEqual(
      messages.filter(({ text }) => !isFine(text)),
      [],
    )
  })

  it('have no words of parsers and drivers', () => {
    const foreign = /\b(ajv|yup|knex|objection|sqlite|mysql|postgres|koa|instancePath|additionalProperties)\b/i
    assert.deepEqual(
      messages.filter(({ text }) => foreign.test(text)),
      [],
    )
  })
})

describe('a folder of core', () => {
  const folders = readdirSync(path.join(root, 'core'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)))

  it('says on its first page what it is for, and names files that it has', () => {
    assert.ok(folders.length > 30)
    for (const folder of folders) {
      const page = readFileSync(path.join(root, folder, 'README.md'), 'utf8')
      const [, purpose = ''] = page.split('\n\n')
      assert.match(purpose, /^(> )?This folder /, folder)
      for (const [, file = ''] of purpose.matchAll(/`([\w-]+(?:\.ts|\/))`/g))
        assert.ok(
          existsSync(path.join(root, folder, file)) || existsSync(path.join(root, path.dirname(folder), file)),
          `${folder} names ${file}`,
        )
    }
  })

  it('has few enough files to be read as a list, as those of plugins have', () => {
    const crowded = ['core', 'plugins']
      .flatMap(folder => filesOf(folder, /\.ts$/))
      .reduce((counts, file) => counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1), new Map())
    assert.deepEqual(
      [...crowded].filter(([, count]) => count > 25),
      [],
    )
  })
})
