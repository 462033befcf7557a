import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { BootError, createTestApp, definePlugin, type TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { loadDefinitions } from '../../core/schema/load.js'
import { app } from '../config/app.js'
import { startOn } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

type Schemas = Pick<TestAppOptions, 'types' | 'components' | 'plugins'>

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
      tells: ['note.json', '"a" has the type "strnig"; did you mean "string"? known types are string, text'],
    },
    {
      says: 'no type',
      schemas: note({ a: {} }),
      tells: ['note.json', '"a" has no type; known types are string, text'],
    },
    {
      says: 'a misspelt type',
      schemas: note({ a: { typ: 'string' } }),
      tells: ['note.json: attribute "a": "typ" is not an option; did you mean "type"?'],
    },
    {
      says: 'a name that entries have anyway',
      schemas: note({ id: { type: 'string' } }),
      tells: ['note.json: attribute "id" has a reserved name; reserved are id, createdAt, updatedAt'],
    },
    {
      says: 'a default that requests could not send',
      schemas: note({ a: { type: 'boolean', default: 'no' }, b: { type: 'enumeration', enum: ['x'], default: 'y' } }),
      tells: [
        'note.json: attribute "a": default is "no"; it must be true or false',
        'note.json: attribute "b": default is "y"; it must be one of x',
      ],
    },
    {
      says: 'a default that is no date',
      schemas: note({ a: { type: 'date', default: 'soon' } }),
      tells: ['note.json: attribute "a": default is "soon"; Invalid format, expected yyyy-MM-dd'],
    },
    {
      says: 'a default in a component that is too long',
      schemas: {
        components: { 'shared.seo': { attributes: { a: { type: 'string', maxLength: 2, default: 'abc' } } } },
      },
      tells: ['shared.seo.json: attribute "a": default is "abc"; it must be at most 2 characters'],
    },
    {
      says: 'an attribute that is no object',
      schemas: note({ a: 'string' }),
      tells: ['note.json', '"a"', 'must be an object'],
    },
    { says: 'an attribute that is null', schemas: note({ a: null }), tells: ['note.json', '"a"', 'must be an object'] },
    {
      says: 'an option of the wrong type',
      schemas: note({ a: { type: 'string', required: 'yes' } }),
      tells: ['note.json', '"a"', 'required is "yes"; expected true or false'],
    },
    {
      says: 'a length below nothing',
      schemas: note({ a: { type: 'string', minLength: -1 } }),
      tells: ['note.json', '"a"', 'minLength is -1; expected an integer of at least 0'],
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
      tells: ['note.json', '"a"', 'enum is an empty list; expected a non-empty list of text'],
    },
    {
      says: 'an attribute name that can be no column',
      schemas: note({ 'a-b': { type: 'string' } }),
      tells: ['note.json: the name "a-b" in attributes is invalid; expected letters, digits and underscores'],
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
      says: 'a misspelt target',
      schemas: note({ a: to('oneToOne', 'api::tga.tga') }),
      tells: ['note.json: attribute "a": there is no type "api::tga.tga"; did you mean "api::tag.tag"?'],
    },
    {
      says: 'an unknown word for a relation',
      schemas: note({ a: to('manyToFew', 'api::tag.tag') }),
      tells: ['note.json: attribute "a": relation is "manyToFew"; expected one of oneToOne, oneToMany'],
    },
    {
      says: 'an inverse that does not exist',
      schemas: note({ a: to('manyToMany', 'api::tag.tag', { inversedBy: 'notes' }) }),
      tells: ['note.json', '"a"', 'api::tag.tag has no relation "notes"'],
    },
    {
      says: 'a misspelt inverse',
      schemas: {
        types: {
          note: { attributes: { tags: to('manyToMany', 'api::tag.tag', { inversedBy: 'ntoes' }) } },
          tag: { attributes: { notes: to('manyToMany', 'api::note.note', { mappedBy: 'tags' }) } },
        },
      },
      tells: ['attribute "tags": api::tag.tag has no relation "ntoes"; did you mean "notes"?'],
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
      tells: [
        'note.json: attribute "a": there is no component "shared.nope": its file would be content-types/components/shared/nope.json',
      ],
    },
    {
      says: 'a misspelt component',
      schemas: { ...note({ a: { type: 'component', component: 'shared.soe' } }), components: { 'shared.seo': {} } },
      tells: ['attribute "a": there is no component "shared.soe"; did you mean "shared.seo"?'],
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
      tells: ['note.json: indexes[0].attributes is an empty list; expected a non-empty list of text'],
    },
    {
      says: 'an unknown key of an index',
      schemas: note({ a: { type: 'string' } }, { indexes: [{ attributes: ['a'], uniqe: true }] }),
      tells: ['note.json: indexes[0].uniqe is unknown; did you mean "unique"?'],
    },
    {
      says: 'an unknown kind of type',
      schemas: note({}, { kind: 'manyTypes' }),
      tells: ['note.json: kind is "manyTypes"; expected one of collectionType, singleType'],
    },
    {
      says: 'a component without a collectionName, as in Strapi 4',
      schemas: { components: { 'shared.seo': { collectionName: undefined } } },
      tells: ['shared.seo.json: collectionName is missing; expected the name of the table'],
    },
    {
      says: 'a collectionName that is no name',
      schemas: note({}, { collectionName: 'a b"; drop' }),
      tells: ['note.json: collectionName is "a b"; drop"; expected the name of the table: letters'],
    },
    {
      says: 'no info',
      schemas: note({}, { info: {} }),
      tells: ['note.json: info.singularName is missing; expected lower-case letters', 'info.pluralName is missing'],
    },
    {
      says: 'attributes that are no object',
      schemas: note({}, { attributes: [] }),
      tells: ['note.json', 'attributes is an empty list; expected an object of attributes'],
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

  it('a word of a relation that is misspelt is told once, with what was meant', async () => {
    const problem = await createTestApp(note({ a: to('manyToOn', 'api::tag.tag') })).catch(error => error as Error)
    assert.equal(
      (problem as Error).message,
      'note.json: attribute "a": relation is "manyToOn"; expected one of oneToOne, oneToMany, manyToOne, manyToMany, morphToOne, morphToMany, morphOne, morphMany; did you mean "manyToOne"?',
    )
  })

  describe('and a misspelt key with what was meant', () => {
    const marks = definePlugin({
      name: 'marks',
      words: { options: { marked: { type: 'boolean' } } as object, pluginOptions: { colour: { type: 'string' } } },
    })
    const keys: { schemas: Schemas; tells: string }[] = [
      { schemas: note({}, { optons: {} }), tells: 'note.json: "optons" is not an option; did you mean "options"?' },
      {
        schemas: note({}, { pluginOptons: {} }),
        tells: 'note.json: "pluginOptons" is not an option; did you mean "pluginOptions"?',
      },
      {
        schemas: note({}, { info: { singularName: 'note', pluralName: 'notes', displayname: 'Note' } }),
        tells: 'note.json: "info.displayname" is not an option; did you mean "info.displayName"?',
      },
      {
        schemas: note({}, { options: { populateCreatorField: true } }),
        tells: '"options.populateCreatorField" is not an option; did you mean "options.populateCreatorFields"?',
      },
      {
        schemas: note({}, { options: { markd: true } }),
        tells: '"options.markd" is not an option; did you mean "options.marked"?',
      },
      {
        schemas: note({}, { options: { marked: 'yes' } }),
        tells: 'note.json: options.marked is "yes"; expected true or false',
      },
      {
        schemas: note({}, { pluginOptions: { mark: {} } }),
        tells: '"pluginOptions.mark" is not an option; did you mean "pluginOptions.marks"?',
      },
      {
        schemas: note({}, { pluginOptions: { marks: { color: 'red' } } }),
        tells: '"pluginOptions.marks.color" is not an option; did you mean "pluginOptions.marks.colour"?',
      },
      {
        schemas: note({ a: { type: 'string', pluginOptions: { mark: {} } } }),
        tells: 'attribute "a": "pluginOptions.mark" is not an option; did you mean "pluginOptions.marks"?',
      },
      {
        schemas: note({ a: { type: 'string', pluginOptions: { marks: { colour: 1 } } } }),
        tells: 'attribute "a": pluginOptions.marks.colour is 1; expected text',
      },
      {
        schemas: note({ a: { type: 'string', requird: true } }),
        tells: 'note.json: attribute "a": "requird" is not an option; did you mean "required"?',
      },
      {
        schemas: note({ title: { type: 'string' }, slug: { type: 'uid', targetField: 'titel' } }),
        tells:
          'note.json: attribute "slug": targetField names "titel", which is not an attribute of the type; did you mean "title"?',
      },
    ]
    for (const { schemas, tells } of keys) it(tells, () => stops({ ...schemas, plugins: [marks] }, tells))

    it('and leaves words of other programs alone', async () => {
      const words = {
        options: { reviewed: true },
        pluginOptions: { 'content-manager': { visible: false } },
        layouts: {},
      }
      const running = await createTestApp({
        ...note({ a: { type: 'string', editor: { rows: 3 }, columnType: 'longtext' } }, words),
        plugins: [marks],
      })
      await running.close()
    })
  })

  it('everything that is wrong is told at once', async () => {
    await stops(note({ a: { type: 'nope' }, b: { type: 'string', regex: '(' } }), '"a"', '"b"')
  })
})

onEveryEngine('a schema file without collectionName or kind', engine => {
  const types = {
    'blog-post': { kind: undefined, collectionName: undefined, attributes: { name: { type: 'string' } } },
    home: { kind: 'singleType', collectionName: undefined, attributes: { name: { type: 'string' } } },
  }
  it('is a collection, whose table has the singular name, as in Strapi 4', async () => {
    const fresh = await engine.fresh()
    const world = await startOn(fresh.database, { types: types as never })
    try {
      const type = world.app.types.get('api::blog-post.blog-post')
      assert.deepEqual([type.kind, type.table], ['collectionType', 'blog-post'])
      assert.equal(world.app.types.get('api::home.home').table, 'home')
      const id = await world.make('/blog-posts', { name: 'x' })
      assert.deepEqual(
        (await world.get('/blog-posts')).body.data.map((entry: { id: number }) => entry.id),
        [id],
      )
      assert.equal((await world.put('/home', { name: 'y' })).status, 200)
      assert.deepEqual(await world.rows('blog-post', ['name']), [{ name: 'x' }])
    } finally {
      await world.app.close()
      await fresh.drop()
    }
  })
})

describe('a schema with one name for an entry and for the list', () => {
  it('is served, with a warning', async () => {
    const lines: string[] = []
    const log = createLog('warn', { destination: { write: line => lines.push(line) } })
    const attributes = { name: { type: 'string' } }
    const types = {
      news: { info: { singularName: 'news', pluralName: 'news' }, attributes },
      home: { kind: 'singleType' as const, info: { singularName: 'home', pluralName: 'home' }, attributes },
    }
    const running = await createTestApp({ types, log })
    try {
      assert.equal((await running.inject('/api/news')).statusCode, 200)
      const said = lines.map(line => JSON.parse(line).msg as string).filter(msg => /both/.test(msg))
      assert.deepEqual(said.length, 1)
      assert.match(said[0] ?? '', /news\.json: singularName and pluralName are both "news"; .*such as "news-list"/)
    } finally {
      await running.close()
    }
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

  it('are read from content-types/ and from the folders of a v4 project', () => {
    const folder = app({
      'content-types/note.json': schema('note'),
      'content-types/tag/schema.json': schema('tag'),
      'content-types/components/shared/seo.json': '{ "collectionName": "seos", "attributes": {} }',
      'src/api/blog/content-types/post/schema.json': schema('post'),
      'src/components/old/quote.json': '{ "collectionName": "quotes", "attributes": {} }',
    })
    const found = loadDefinitions(folder)
    assert.deepEqual(found.map(({ uid, source }) => `${uid} ${source}`).sort(), [
      'api::blog.post src/api/blog/content-types/post/schema.json',
      'api::note.note content-types/note.json',
      'api::tag.tag content-types/tag/schema.json',
      'old.quote src/components/old/quote.json',
      'shared.seo content-types/components/shared/seo.json',
    ])
  })

  const wrong = [
    {
      says: 'a syntax error',
      text: '{\n  "kind": }',
      message: /^content-types\/note\.json is not valid JSON: line 2, column 11: Unexpected token '}'$/,
    },
    {
      says: 'an empty file',
      text: '',
      message: /^content-types\/note\.json is not valid JSON: line 1, column 1: Unexpected end$/,
    },
    { says: 'a list', text: '[]', message: /^content-types\/note\.json must hold an object/ },
    { says: 'null', text: 'null', message: /^content-types\/note\.json must hold an object/ },
  ]
  for (const { says, text, message } of wrong)
    it(`${says} is told with the name of the file`, () =>
      assert.throws(() => loadDefinitions(app({ 'content-types/note.json': text })), { name: 'BootError', message }))
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
        const world = await startOn(fresh.database, { types })
        assert.equal(await world.count(table), 0)
        await world.app.close()
      } else
        await assert.rejects(startOn(fresh.database, { types }), {
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
      if (engine.name === 'sqlite') await (await startOn(fresh.database, { types })).app.close()
      else
        await assert.rejects(startOn(fresh.database, { types }), { name: 'BootError', message: /note\.json.*longer/ })
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
    const world = await startOn(fresh.database, { types })
    assert.equal((await world.post('/notes', { [`${long}a`]: '1', [`${long}b`]: '1' })).status, 200)
    assert.equal((await world.post('/notes', { [`${long}b`]: '1' })).status, 400)
    await world.app.close()
    await fresh.drop()
  })
})
