import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { BootError, createTestApp, type TestAppOptions } from '../../core/index.js'
import { loadDefinitions } from '../../core/schema/load.js'
import { app } from '../config/app.js'
import { onEveryEngine } from '../support/engines.js'
import { start } from '../support/world.js'

type Schemas = Pick<TestAppOptions, 'types' | 'components'>

const note = (attributes: Record<string, unknown>, more: Record<string, unknown> = {}): Schemas => ({
  types: { note: { attributes, ...more }, tag: { attributes: { name: { type: 'string' } } } },
})
const to = (relation: string, target: string | undefined, more: Record<string, unknown> = {}) => ({
  type: 'relation',
  relation,
  ...(target !== undefined && { target }),
  ...more,
})

/** The start stops, and its message has each of these in it: the file, the attribute, and what is wrong. */
async function stops(schemas: Schemas, ...says: (string | RegExp)[]): Promise<void> {
  const problem = await createTestApp(schemas).then(
    async running => {
      await running.close()
      return undefined
    },
    error => error as Error,
  )
  assert.ok(problem, 'the server has started')
  assert.ok(problem instanceof BootError, String(problem.stack))
  for (const part of says)
    if (typeof part === 'string') assert.ok(problem.message.includes(part), `${problem.message}\n lacks "${part}"`)
    else assert.match(problem.message, part)
}

describe('a wrong schema stops the start with the file, the attribute and the reason', () => {
  const cases: { says: string; schemas: Schemas; tells: (string | RegExp)[] }[] = [
    {
      says: 'an unknown type',
      schemas: note({ a: { type: 'strnig' } }),
      tells: ['note.json', '"a"', '"strnig"', 'known types are string, text'],
    },
    { says: 'no type', schemas: note({ a: {} }), tells: ['note.json', '"a"', 'known types are'] },
    {
      says: 'an attribute that is no object',
      schemas: note({ a: 'string' }),
      tells: ['note.json', '"a"', 'must be an object'],
    },
    { says: 'an attribute that is null', schemas: note({ a: null }), tells: ['note.json', '"a"', 'must be an object'] },
    {
      says: 'an option of the wrong type',
      schemas: note({ a: { type: 'string', required: 'yes' } }),
      tells: ['note.json', '"a"', 'required must be boolean'],
    },
    {
      says: 'a length below nothing',
      schemas: note({ a: { type: 'string', minLength: -1 } }),
      tells: ['note.json', '"a"', 'minLength must be >= 0'],
    },
    {
      says: 'an expression that is none',
      schemas: note({ a: { type: 'string', regex: '(' } }),
      tells: ['note.json', '"a"', 'regex "(" is not a regular expression'],
    },
    {
      says: 'an enumeration without values',
      schemas: note({ a: { type: 'enumeration' } }),
      tells: ['note.json', '"a"', 'enum must list at least one value'],
    },
    {
      says: 'an enumeration with an empty list',
      schemas: note({ a: { type: 'enumeration', enum: [] } }),
      tells: ['note.json', '"a"', 'enum must NOT have fewer than 1 items'],
    },
    {
      says: 'an attribute name that can be no column',
      schemas: note({ 'a-b': { type: 'string' } }),
      tells: ['note.json', 'a-b'],
    },
    ...['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'].map(name => ({
      says: `a reserved name: ${name}`,
      schemas: note({ [name]: { type: 'string' } }),
      tells: ['note.json', `"${name}"`, 'reserved'],
    })),
    {
      says: 'two attributes with one column',
      schemas: note({ metaTitle: { type: 'string' }, meta_title: { type: 'string' } }),
      tells: ['note.json', '"metaTitle"', '"meta_title"', 'would share the column "meta_title"'],
    },
    {
      says: 'a column name that is taken',
      schemas: note({ a: { type: 'string' }, b: { type: 'string', column: { name: 'a' } } }),
      tells: ['note.json', '"a"', '"b"', 'column "a"'],
    },
    {
      says: 'a column name that is one of the server’s',
      schemas: note({ a: { type: 'string', column: { name: 'created_at' } } }),
      tells: ['note.json', '"a"', 'created_at'],
    },
    {
      says: 'a column name that is that of the id',
      schemas: note({ a: { type: 'integer', column: { name: 'id' } } }),
      tells: ['note.json', '"a"', 'id'],
    },
    {
      says: 'a column that belongs to a link',
      schemas: note({ target_id: { type: 'integer' }, subject: to('morphToOne', undefined) }),
      tells: ['note.json', 'target_id'],
    },
    {
      says: 'two relations with one table',
      schemas: note({ myTags: to('oneToMany', 'api::tag.tag'), my_tags: to('oneToMany', 'api::tag.tag') }),
      tells: ['note.json', '"myTags"', '"my_tags"'],
    },
    {
      says: 'a relation without a target',
      schemas: note({ a: to('oneToOne', undefined) }),
      tells: ['note.json', '"a"', 'needs a target'],
    },
    {
      says: 'an unknown target',
      schemas: note({ a: to('oneToOne', 'api::nope.nope') }),
      tells: ['note.json', '"a"', 'there is no type "api::nope.nope"'],
    },
    {
      says: 'an unknown word for a relation',
      schemas: note({ a: to('manyToFew', 'api::tag.tag') }),
      tells: ['note.json', '"a"', 'relation must be one of'],
    },
    {
      says: 'an inverse that does not exist',
      schemas: note({ a: to('manyToMany', 'api::tag.tag', { inversedBy: 'notes' }) }),
      tells: ['note.json', '"a"', 'api::tag.tag has no relation "notes"'],
    },
    {
      says: 'an inverse that is no relation',
      schemas: note({ a: to('manyToMany', 'api::tag.tag', { inversedBy: 'name' }) }),
      tells: ['note.json', '"a"', 'api::tag.tag has no relation "name"'],
    },
    {
      says: 'both sides of a relation at once',
      schemas: note({ a: to('manyToMany', 'api::tag.tag', { inversedBy: 'x', mappedBy: 'y' }) }),
      tells: ['note.json', '"a"', 'exclude each other'],
    },
    {
      says: 'an inverse of the wrong kind',
      schemas: {
        types: {
          note: { attributes: { a: to('manyToOne', 'api::tag.tag', { inversedBy: 'notes' }) } },
          tag: { attributes: { notes: to('manyToMany', 'api::note.note', { mappedBy: 'a' }) } },
        },
      },
      tells: ['note.json', '"a"', 'must be oneToMany'],
    },
    {
      says: 'an inverse that leads elsewhere',
      schemas: {
        types: {
          note: { attributes: { a: to('manyToMany', 'api::tag.tag', { inversedBy: 'notes' }) } },
          tag: { attributes: { notes: to('manyToMany', 'api::tag.tag', { mappedBy: 'a' }) } },
        },
      },
      tells: ['note.json', '"a"', 'leads to api::tag.tag, not back to api::note.note'],
    },
    {
      says: 'an inverse that names another attribute',
      schemas: {
        types: {
          note: {
            attributes: {
              a: to('manyToMany', 'api::tag.tag', { inversedBy: 'notes' }),
              b: to('manyToMany', 'api::tag.tag', { inversedBy: 'notes' }),
            },
          },
          tag: { attributes: { notes: to('manyToMany', 'api::note.note', { mappedBy: 'a' }) } },
        },
      },
      tells: ['note.json', '"b"', 'does not name "b" as its other side'],
    },
    {
      says: 'two sides that both own a relation',
      schemas: {
        types: {
          note: { attributes: { tags: to('manyToMany', 'api::tag.tag', { inversedBy: 'notes' }) } },
          tag: { attributes: { notes: to('manyToMany', 'api::note.note', { inversedBy: 'tags' }) } },
        },
      },
      tells: ['"notes"', 'mappedBy'],
    },
    {
      says: 'two sides of which none owns a relation',
      schemas: {
        types: {
          note: { attributes: { tags: to('manyToMany', 'api::tag.tag', { mappedBy: 'notes' }) } },
          tag: { attributes: { notes: to('manyToMany', 'api::note.note', { mappedBy: 'tags' }) } },
        },
      },
      tells: ['note.json', '"tags"', 'inversedBy'],
    },
    {
      says: 'a polymorphic inverse without its other side',
      schemas: note({ a: to('morphMany', 'api::tag.tag') }),
      tells: ['note.json', '"a"', 'needs morphBy'],
    },
    {
      says: 'a polymorphic inverse of what is not polymorphic',
      schemas: note({ a: to('morphMany', 'api::tag.tag', { morphBy: 'name' }) }),
      tells: ['note.json', '"a"', 'is not a polymorphic relation'],
    },
    {
      says: 'a component without a name',
      schemas: note({ a: { type: 'component' } }),
      tells: ['note.json', '"a"', 'component must name a component'],
    },
    {
      says: 'an unknown component',
      schemas: note({ a: { type: 'component', component: 'shared.nope' } }),
      tells: ['note.json', '"a"', 'there is no type "shared.nope"'],
    },
    {
      says: 'a content type as a component',
      schemas: note({ a: { type: 'component', component: 'api::tag.tag' } }),
      tells: ['note.json', '"a"', 'api::tag.tag', 'component'],
    },
    {
      says: 'a component as the target of a relation',
      schemas: { ...note({ a: to('oneToOne', 'shared.seo') }), components: { 'shared.seo': {} } },
      tells: ['note.json', '"a"', 'shared.seo'],
    },
    {
      says: 'a zone without components',
      schemas: note({ a: { type: 'dynamiczone' } }),
      tells: ['note.json', '"a"', 'components must list'],
    },
    {
      says: 'an unknown component in a zone',
      schemas: note({ a: { type: 'dynamiczone', components: ['shared.nope'] } }),
      tells: ['note.json', '"a"', '"shared.nope"'],
    },
    {
      says: 'a mistake in a component',
      schemas: { components: { 'shared.seo': { attributes: { a: { type: 'nope' } } } } },
      tells: ['shared.seo.json', '"a"', '"nope"'],
    },
    {
      says: 'an index of what is no column',
      schemas: note({ tags: to('oneToMany', 'api::tag.tag') }, { indexes: [{ attributes: ['tags'] }] }),
      tells: ['note.json', 'indexes', '"tags"'],
    },
    {
      says: 'an index without attributes',
      schemas: note({}, { indexes: [{ attributes: [] }] }),
      tells: ['note.json', 'indexes'],
    },
    {
      says: 'an unknown kind of type',
      schemas: note({}, { kind: 'manyTypes' }),
      tells: ['note.json', 'kind', 'collectionType, singleType'],
    },
    {
      says: 'no collectionName',
      schemas: note({}, { collectionName: undefined }),
      tells: ['note.json', 'collectionName'],
    },
    {
      says: 'a collectionName that is no name',
      schemas: note({}, { collectionName: 'a b"; drop' }),
      tells: ['note.json', 'collectionName'],
    },
    { says: 'no info', schemas: note({}, { info: {} }), tells: ['note.json', 'singularName', 'pluralName'] },
    {
      says: 'attributes that are no object',
      schemas: note({}, { attributes: [] }),
      tells: ['note.json', 'attributes must be object'],
    },
    {
      says: 'two types with one plural',
      schemas: {
        types: { a: { pluralName: 'things' }, b: { pluralName: 'Things'.toLowerCase(), collectionName: 'others' } },
      },
      tells: ['b.json', '"/things"', 'a.json'],
    },
    {
      says: 'two types with one table',
      schemas: { types: { a: { collectionName: 'same' }, b: { collectionName: 'same' } } },
      tells: ['b.json', 'collectionName "same"', 'a.json'],
    },
    {
      says: 'a single type at the address of a collection',
      schemas: { types: { a: { pluralName: 'home' }, home: { kind: 'singleType', collectionName: 'x' } } },
      tells: ['"/home"'],
    },
  ]
  for (const { says, schemas, tells } of cases) it(says, () => stops(schemas, ...tells))

  it('everything that is wrong is told at once', async () => {
    await stops(note({ a: { type: 'nope' }, b: { type: 'string', regex: '(' } }), '"a"', '"b"')
  })
})

describe('schema files', () => {
  const schema = (singularName: string) =>
    JSON.stringify({
      kind: 'collectionType',
      collectionName: `${singularName}s`,
      info: { singularName, pluralName: `${singularName}s` },
      attributes: {},
    })

  it('are read from content-types/ and from the folders of a v4 project', async () => {
    const folder = app({
      'content-types/note.json': schema('note'),
      'content-types/tag/schema.json': schema('tag'),
      'content-types/components/shared/seo.json': '{ "collectionName": "seos", "attributes": {} }',
      'src/api/blog/content-types/post/schema.json': schema('post'),
      'src/components/old/quote.json': '{ "collectionName": "quotes", "attributes": {} }',
    })
    const found = await loadDefinitions(folder)
    assert.deepEqual(found.map(({ uid, source }) => `${uid} ${source}`).sort(), [
      'api::blog.post src/api/blog/content-types/post/schema.json',
      'api::note.note content-types/note.json',
      'api::tag.tag content-types/tag/schema.json',
      'old.quote src/components/old/quote.json',
      'shared.seo content-types/components/shared/seo.json',
    ])
  })

  const wrong = [
    { says: 'a syntax error', text: '{ "kind": ', message: /^content-types\/note\.json is not valid JSON: / },
    { says: 'an empty file', text: '', message: /^content-types\/note\.json is not valid JSON: / },
    { says: 'a list', text: '[]', message: /^content-types\/note\.json must hold an object/ },
    { says: 'null', text: 'null', message: /^content-types\/note\.json must hold an object/ },
  ]
  for (const { says, text, message } of wrong)
    it(`${says} is told with the name of the file`, async () => {
      await assert.rejects(loadDefinitions(app({ 'content-types/note.json': text })), { name: 'BootError', message })
    })
})

onEveryEngine('names that are too long', engine => {
  const long = 'x'.repeat(50)
  it('a table name that the engine does not take stops the start; SQLite takes any', async () => {
    const fresh = await engine.fresh()
    const types = {
      note: { attributes: { [`${long}_tags`]: to('oneToMany', 'api::tag.tag') } },
      tag: { attributes: {} },
    }
    const table = `notes_${long}_tags_links`
    try {
      if (engine.name === 'sqlite') {
        const world = await start(fresh.database, { types })
        assert.equal(await world.count(table), 0)
        await world.app.close()
      } else
        await assert.rejects(start(fresh.database, { types }), {
          name: 'BootError',
          message: new RegExp(`"${table}".*longer`),
        })
    } finally {
      await fresh.drop()
    }
  })
  it('a column name that the engine does not take stops the start; SQLite takes any', async () => {
    const fresh = await engine.fresh()
    const types = { note: { attributes: { [`${long}_${long}`]: { type: 'string' } } } }
    try {
      if (engine.name === 'sqlite') await (await start(fresh.database, { types })).app.close()
      else await assert.rejects(start(fresh.database, { types }), { name: 'BootError', message: /note\.json.*longer/ })
    } finally {
      await fresh.drop()
    }
  })
  it('a long index name is cut and still its own', async () => {
    const fresh = await engine.fresh()
    const types = {
      note: {
        attributes: { [`${long}a`]: { type: 'string', unique: true }, [`${long}b`]: { type: 'string', unique: true } },
      },
    }
    const world = await start(fresh.database, { types })
    assert.equal((await world.post('/notes', { [`${long}a`]: '1', [`${long}b`]: '1' })).status, 200)
    assert.equal((await world.post('/notes', { [`${long}b`]: '1' })).status, 400)
    await world.app.close()
    await fresh.drop()
  })
})
