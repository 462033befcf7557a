import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, it } from 'vitest'
import { type Texts, textIn } from '../../../plugins/console/model/text.js'
import { exactTime, relativeTime } from '../../../plugins/console/model/when.js'

const folder = new URL('../../../plugins/console/page/', import.meta.url).pathname
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const languages = readdirSync(join(folder, 'texts')).map(name => ({
  name: name.replace('.json', ''),
  texts: JSON.parse(readFileSync(join(folder, 'texts', name), 'utf8')) as Texts,
}))
const english = languages.find(({ name }) => name === 'en')?.texts as Texts

interface Node {
  readonly type: string
  readonly [part: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof Object(value).type === 'string'

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const part of Object.values(node).flat()) if (isNode(part)) yield* nodesIn(part)
}

/** Calls that are made when a module is loaded, which is before the language of the page is known. */
function* callsAtLoad(node: Node): Generator<Node> {
  if (/Function|MethodDefinition/.test(node.type)) return
  if (node.type === 'CallExpression') yield node
  for (const part of Object.values(node).flat()) if (isNode(part)) yield* callsAtLoad(part)
}

/** Texts of the page and its language, as far as a module takes them while it is loaded. */
const takenAtLoad = (name: string, text: string): string[] =>
  [...callsAtLoad(treeOf(name, text))]
    .filter(({ callee }) => ['t', 'language'].includes(String(Object(callee).name)))
    .map(({ start, end }) => text.slice(Number(start), Number(end)))

/** The names of texts that are loaded with the view that needs them. */
const laterTexts = new RegExp(
  `^(${JSON.parse(readFileSync(new URL('../../../.ci/later-texts.json', import.meta.url), 'utf8')).join('|')})\\.`,
)

/** Attributes whose values people read. */
const read = ['aria-label', 'title', 'placeholder', 'label', 'alt', 'listLabel', 'nothing', 'closeLabel', 'note']
const hasWord = (value: unknown): boolean => typeof value === 'string' && /\p{L}{2}/u.test(value)

const treeOf = (name: string, text: string): Node =>
  parseAst(text, { lang: name.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node

/** Texts that stand in a source by themselves. */
function textsOf(name: string, text: string): string[] {
  return [...nodesIn(treeOf(name, text))].flatMap(node => {
    if (node.type === 'JSXText' && hasWord(node.value)) return [String(node.value).trim()]
    if (node.type !== 'JSXAttribute') return []
    const { name: attribute, value } = node as unknown as { name: { name?: unknown }; value?: { value?: unknown } }
    return read.includes(String(attribute.name)) && hasWord(value?.value) ? [`${attribute.name}="${value?.value}"`] : []
  })
}

const placeholders = (text: Texts[string] | undefined): string[] => {
  const forms = typeof text === 'string' ? [text] : Object.values(text ?? {})
  return [...new Set(forms.flatMap(form => form?.match(/\{\w+\}/g) ?? []))].sort()
}

describe('the texts of the console', () => {
  it('stand in files of their own, and not in the sources', () => {
    assert.ok(sources.length > 20)
    for (const { name, text } of sources) assert.deepEqual(textsOf(name, text), [], name)
    assert.deepEqual(textsOf('x.tsx', '<p title="No" lang="en">Yes <b>{t("a")}</b></p>'), ['title="No"', 'Yes'])
  })

  it('are taken while the page runs, in the language that it then has', () => {
    for (const { name, text } of sources) assert.deepEqual(takenAtLoad(name, text), [], name)
    assert.deepEqual(takenAtLoad('x.ts', "const a = () => t('a'); const b = { c: [t('b')] }; class D { e = t('c') }"), [
      "t('b')",
      "t('c')",
    ])
  })

  it('are all used, and all that are used are there', () => {
    const whole = sources.map(({ text }) => text).join('\n')
    const used = [...whole.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key as string)
    assert.deepEqual(
      [...new Set(used)].filter(key => !(key in english)),
      [],
    )
    const begun = [...whole.matchAll(/`([\w.-]+\.)\$\{[^}]+\}([\w.-]*)`/g)].map(
      ([, start, end]) => [start, end] as const,
    )
    const isUsed = (key: string) =>
      whole.includes(`'${key}'`) ||
      begun.some(([start, end]) => key.startsWith(start as string) && key.endsWith(end as string))
    assert.deepEqual(
      Object.keys(english).filter(key => !isUsed(key)),
      [],
    )
  })

  it('of views that load them are used by these alone', () => {
    const app = sources.find(({ name }) => name === 'app.tsx')?.text ?? ''
    const views = [...app.matchAll(/withRest\(import\('\.\/(\w+)\//g)].map(([, view = '']) => view)
    assert.ok(views.length > 3)
    const later = Object.keys(english).filter(key => laterTexts.test(key))
    assert.ok(later.length > 100)
    const isIn = (one: string) => views.some(view => one.startsWith(`${view}/`))
    const usedIn = (text: string) => [
      ...later.filter(key => text.includes(`'${key}'`)),
      ...[...text.matchAll(/`(\w+\.)[\w.-]*\$\{/g)]
        .map(([, start = '']) => start)
        .filter(start => laterTexts.test(start)),
    ]
    const files = new Map(sources.map(({ name, text }) => [name.replace(/\.tsx?$/, ''), text]))
    for (const { name, text } of sources.filter(source => !isIn(source.name))) {
      assert.deepEqual(usedIn(text), [], name)
      for (const [, imported = ''] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
        const file = normalize(join(dirname(name), imported))
        if (isIn(file)) assert.deepEqual(usedIn(files.get(file) ?? ''), [], `${file}, for ${name}`)
      }
    }
  })

  for (const { name, texts } of languages)
    it(`are the same in ${name}, with the same placeholders`, () => {
      assert.deepEqual(Object.keys(texts), Object.keys(english))
      for (const [key, text] of Object.entries(texts))
        assert.deepEqual(placeholders(text), placeholders(english[key]), key)
      const forms = new Intl.PluralRules(name).resolvedOptions().pluralCategories
      for (const [key, text] of Object.entries(texts))
        if (typeof text !== 'string') assert.deepEqual(Object.keys(text).sort(), [...forms].sort(), key)
    })

  it('have the form that a number takes in their language', () => {
    const texts: Texts = { files: { one: '{count} file', other: '{count} files' }, who: '{name} is {unknown}' }
    assert.deepEqual(
      [0, 1, 1200].map(count => textIn(texts, 'en', 'files', { count })),
      ['0 files', '1 file', '1,200 files'],
    )
    assert.equal(textIn(texts, 'en', 'who', { name: '{count}' }), '{count} is {unknown}')
    assert.equal(textIn(texts, 'en', 'missing'), 'missing')
  })
})

describe('times', () => {
  const now = new Date('2026-05-10T12:00:00Z')
  const cases = [
    { time: '2026-05-10T11:59:30Z', is: 'now' },
    { time: '2026-05-10T11:35:00Z', is: '25 min. ago' },
    { time: '2026-05-10T09:30:00Z', is: '2 hr. ago' },
    { time: '2026-05-09T11:00:00Z', is: 'yesterday' },
    { time: '2026-05-12T13:00:00Z', is: 'in 2 days' },
    { time: '2026-01-03T12:00:00Z', is: 'Jan 3' },
    { time: '2024-01-03T12:00:00Z', is: 'Jan 3, 2024' },
  ]
  for (const { time, is } of cases)
    it(`of ${time} are said as ${is}`, () => assert.equal(relativeTime(new Date(time), now, 'en'), is))

  it('are exact to the minute where they are asked for', () =>
    assert.match(exactTime(now, 'en'), /^May 10, 2026 at \d+:\d\d\s?[AP]M$/))
})
