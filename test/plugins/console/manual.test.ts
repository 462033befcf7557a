import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, it } from 'vitest'

const folder = new URL('../../../plugins/console/', import.meta.url)
const pages = readdirSync(folder).filter(name => name.endsWith('.md'))
const named = pages.flatMap(page =>
  [...readFileSync(new URL(page, folder), 'utf8').matchAll(/!\[([^\]]*)\]\(pictures\/([^)]+)\)/g)].map(
    ([, words = '', picture = '']) => ({ page, words, picture }),
  ),
)
const stored = readdirSync(new URL('pictures/', folder))

describe('the manual of the console', () => {
  it('names each of its pictures, and has all that it names', () =>
    assert.deepEqual([...new Set(named.map(({ picture }) => picture))].sort(), [...stored].sort()))

  it('says what each picture shows', () => {
    assert.ok(named.length > 12, `${named.length} pictures`)
    for (const { page, words, picture } of named) assert.match(words, /^\S.{20,}\.$/, `${picture} of ${page}`)
  })

  it('names tests that are there', () => {
    const text = readFileSync(new URL('accessibility.md', folder), 'utf8')
    const all = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    const told = [...text.matchAll(/`([\w/-]+\.(?:slow|test))[\w.]*`/g)].map(([, name = '']) => name)
    assert.ok(told.length > 20, `${told.length} tests`)
    assert.deepEqual(
      told.filter(name => !all.some(file => `/${file}`.includes(`/${name}.`))),
      [],
    )
  })

  it('is small enough to be in the package', () => {
    const bytes = stored.map(name => statSync(new URL(`pictures/${name}`, folder)).size)
    const sum = bytes.reduce((total, size) => total + size, 0)
    assert.ok(sum < 400_000, `${sum} bytes`)
  })

  it('has pictures of all that the test takes', () => {
    const test = readFileSync(new URL('views/pictures.nightly.test.ts', import.meta.url), 'utf8')
    const taken = [...test.matchAll(/(?:picture|take)\(\s*(?:page, )?'([\w-]+)'/g)].map(([, name]) => `${name}.webp`)
    assert.deepEqual(taken.sort(), [...stored].sort())
  })
})
