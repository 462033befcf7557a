import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { contentConsole } from '../../../plugins/console/index.js'
import { placeholdersIn, previewAddress } from '../../../plugins/console/model/preview.js'
import { onSqlite } from '../../support/engines.js'
import { type Server, startOn } from '../../support/server.js'
import { signIn, world } from './world.js'

const previewed = (preview: Readonly<Record<string, string>>) => ({
  ...world,
  plugins: [...world.plugins.slice(0, -1), [contentConsole, { preview }] as const],
})

describe('the addresses of previews', () => {
  const address = 'https://example.com/{title}?locale={locale}&id={id}'
  const refused: readonly { says: string; preview: Readonly<Record<string, string>>; message: RegExp }[] = [
    {
      says: 'a type that does not exist',
      preview: { artikle: address },
      message: /config\/plugins: console\.preview: there is no type "artikle"; did you mean "article"\?/,
    },
    {
      says: 'an attribute that does not exist',
      preview: { article: 'https://example.com/{titel}' },
      message:
        /console\.preview\.article: \{titel\} is no attribute of api::article\.article with a value; did you mean "title"\?/,
    },
    {
      says: 'a language that the type has not',
      preview: { tag: 'https://example.com/{locale}' },
      message: /console\.preview\.tag: \{locale\} is no attribute/,
    },
    { says: 'a relation', preview: { article: 'https://example.com/{author}' }, message: /\{author\} is no attribute/ },
    { says: 'a script', preview: { article: 'javascript:alert({id})' }, message: /is no address such as/ },
    {
      says: 'half a placeholder',
      preview: { article: 'https://example.com/{title' },
      message: /is no address such as/,
    },
    { says: 'no address', preview: { article: 'example.com/{title}' }, message: /is no address such as/ },
  ]
  for (const { says, preview, message } of refused)
    it(`stop the start where they name ${says}`, () => assert.rejects(createTestApp(previewed(preview)), { message }))

  it('are filled with the values of an entry, none of which may be empty', () => {
    assert.deepEqual(placeholdersIn(`${address}&again={id}`), ['title', 'locale', 'id'])
    const values = { id: 3, title: 'a/b & c', locale: 'de' }
    assert.equal(previewAddress(address, values), 'https://example.com/a%2Fb%20%26%20c?locale=de&id=3')
    for (const title of [null, undefined, '']) assert.equal(previewAddress(address, { ...values, title }), undefined)
    assert.equal(previewAddress('/about', {}), '/about')
  })
})

onSqlite('the addresses of previews in the description', ({ fresh }) => {
  it('stand with their types', async () => {
    const { database, drop } = await fresh()
    const preview = { article: 'https://example.com/{title}', 'api::tag.tag': '/tags/{id}' }
    const server: Server = await startOn(database, previewed(preview))
    try {
      const ada = await signIn(server.app, 'Super Admin', 'ada@example.test')
      const { types } = await ada.meta()
      const found = types.flatMap(({ singular, preview }) => (preview === undefined ? [] : [[singular, preview]]))
      assert.deepEqual(Object.fromEntries(found), { article: preview.article, tag: preview['api::tag.tag'] })
    } finally {
      await server.app.close()
      await drop()
    }
  })
})
