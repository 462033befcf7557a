import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { parsed, written } from '../../../../../plugins/console/model/schema/text.js'

const folder = new URL('../../../../../content-types/', import.meta.url).pathname
const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.json'))
  .map(name => ({ name, text: readFileSync(folder + name, 'utf8') }))

/** Lines of a text that another one does not have. */
const fresh = (text: string, other: string): string[] =>
  text.split('\n').filter(line => !other.split('\n').includes(line))

describe('a schema in the form of its file', () => {
  for (const { name, text } of samples)
    it(`leaves ${name} as it is`, () => assert.equal(written(parsed(text) ?? {}, text), text))

  it('changes the lines of what is changed alone', () => {
    const { text } = samples.find(({ name }) => name === 'article.json') as { text: string }
    const schema = JSON.parse(text)
    schema.attributes.slug = { type: 'uid' }
    schema.attributes.format.enum = ['note', 'poem']
    schema.attributes.stars = { type: 'integer', min: 1 }
    const next = written(schema, text)
    assert.deepEqual(JSON.parse(next), schema)
    assert.deepEqual(
      fresh(next, text),
      [
        '    "slug": { "type": "uid" },',
        '    "format": { "type": "enumeration", "enum": ["note", "poem"], "default": "note" },',
        '    },',
        '    "stars": { "type": "integer", "min": 1 }',
      ].filter(line => !text.includes(line)),
    )
  })

  const wide = '{\r\n\t"info": {\r\n\t\t"a": [\r\n\t\t\t1\r\n\t\t]\r\n\t},\r\n\t"x-own": 1.50\r\n}'
  it('keeps indentation, ends of lines, numbers as they are written, and a last line without an end', () => {
    const schema = { ...JSON.parse(wide), attributes: { title: { type: 'string' } } }
    assert.equal(
      written(schema, wide),
      wide.replace(
        /\r\n\}$/,
        ',\r\n\t"attributes": {\r\n\t\t"title": {\r\n\t\t\t"type": "string"\r\n\t\t}\r\n\t}\r\n}',
      ),
    )
  })

  it('has text of any kind in it', () => {
    const odd = '\uFEFF{ "a\\"}": "{,]\\\\", "b": [[], {}, null, -1e3, "é\\u00e9"],\n "c": {"d":"\\n"} }\n'
    const schema = parsed(odd)
    assert.equal(written(schema ?? {}, odd), odd)
    const other = { ...schema, b: [[1], {}] }
    assert.deepEqual(parsed(written(other, odd)), other)
  })

  it('is in lines of their own where there is no file, or none that is JSON', () => {
    assert.equal(written({ a: { b: [1] } }), '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n')
    assert.equal(written({ a: 1 }, '{ "a": }\n'), '{\n  "a": 1\n}\n')
  })
})
