import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { admin } from '../../../plugins/admin/index.js'
import { contentConsole } from '../../../plugins/console/index.js'
import type { Plan, SchemaOfApp } from '../../../plugins/console/model/schema.js'
import { diffOf } from '../../../plugins/console/schema/diff.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import type { OpenProject, ProjectFolder } from '../../strapi4/project.js'
import { type Server, startOn } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { folderOf } from '../../support/terminal.js'
import { copyWithConsole, Editor, openProject } from './project.js'
import { signIn } from './world.js'

const note = (attributes: object, more: object = {}): string =>
  `${JSON.stringify(
    {
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      options: { draftAndPublish: true },
      'x-own': { kept: true },
      ...more,
      attributes,
    },
    undefined,
    4,
  )}\n`

const before = {
  title: { type: 'string', required: true },
  stars: { type: 'string' },
  gone: { type: 'string' },
}
const file = 'content-types/note.json'

onEveryEngine('the schema over HTTP', engine => {
  let server: Server
  let folder: string
  let drop: () => Promise<void>
  let owner: Editor
  let author: Editor
  const plan = (files?: object) => owner.ask('POST', '/console/schema/plan', files === undefined ? {} : { files })
  const planned = async (files?: object): Promise<Plan> => {
    const { status, body, text } = await plan(files)
    assert.equal(status, 200, text)
    return body.data
  }

  beforeAll(async () => {
    const fresh = await engine.fresh()
    drop = fresh.drop
    folder = folderOf()
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    write(file, note(before))
    write('content-types/components/shared/seo.json', JSON.stringify({ collectionName: 'seos', attributes: {} }))
    server = await startOn(fresh.database, { app: folder, plugins: [admin, contentConsole, draftAndPublish] })
    const entries = server.app.entries('api::note.note')
    for (const stars of ['1', '2', 'three']) await entries.create({ title: `Note ${stars}`, stars, gone: 'x' })
    owner = await signIn(server.app, 'Super Admin', 'ada@example.test')
    author = await signIn(server.app, 'Author', 'ben@example.test')
  })
  afterAll(async () => {
    await server?.app.close()
    await drop?.()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has types, components and attributes with all their options, and the files', async () => {
    const { status, body } = await owner.get('/console/schema.json')
    assert.equal(status, 200)
    const { types, components, writable, notWritable } = body.data as SchemaOfApp
    assert.deepEqual([writable, notWritable], [false, 'Schema files are written under `stele dev` only'])
    const found = types.find(({ uid }) => uid === 'api::note.note')
    assert.deepEqual(
      [found?.file, found?.text, found?.table, found?.attributes.find(({ name }) => name === 'title')],
      [file, note(before), 'notes', { name: 'title', type: 'string', options: { required: true }, added: false }],
    )
    assert.deepEqual(
      found?.attributes.map(({ name, added }) => [name, added]),
      [
        ['title', false],
        ['stars', false],
        ['gone', false],
        ['publishedAt', true],
      ],
    )
    assert.deepEqual(
      components.map(({ uid, file: place }) => [uid, place]),
      [['shared.seo', 'content-types/components/shared/seo.json']],
    )
    assert.equal(types.find(({ uid }) => uid === 'admin::user')?.file, null)
  })

  it('has the words that files may have, those of plugins included', async () => {
    const { words } = (await owner.get('/console/schema.json')).body.data as SchemaOfApp
    const kind = (name: string) => words.kinds.find(one => one.name === name)
    assert.deepEqual(kind('enumeration')?.options, {
      enum: { type: 'array', items: { type: 'string' }, minItems: 1 },
      enumName: { type: 'string' },
    })
    assert.deepEqual(
      [kind('decimal')?.as, kind('relation')?.as, kind('password')?.secret],
      ['decimal', undefined, true],
    )
    assert.deepEqual(words.options.draftAndPublish, { type: 'boolean' })
    assert.equal(words.options.trash, undefined, 'its plugin is disabled')
    assert.deepEqual([words.attribute.required, words.attribute.type], [{ type: 'boolean' }, undefined])
    assert.ok(words.reserved.includes('createdAt') && new RegExp(words.names.attribute).test('shoeSize'))
  })

  it('is for Super Admins alone', async () => {
    for (const [method, url] of [
      ['GET', '/console/schema.json'],
      ['POST', '/console/schema/plan'],
      ['POST', '/console/schema/write'],
    ] as const) {
      assert.equal((await author.ask(method, url, method === 'POST' ? {} : undefined)).status, 403)
      const visitor = await server.app.inject({ method, url, headers: { 'sec-fetch-site': 'same-origin' } })
      assert.equal(visitor.statusCode, 401)
    }
  })

  it('is written under stele dev alone', async () => {
    const files = { [file]: note({ ...before, fresh: { type: 'boolean' } }) }
    const order = { files, seal: (await planned(files)).seal }
    const { status, body } = await owner.ask('POST', '/console/schema/write', order)
    assert.deepEqual([status, body.error.message], [403, 'Schema files are written under `stele dev` only'])
    const elsewhere = await owner.ask('POST', '/console/schema/write', order, { 'sec-fetch-site': 'cross-site' })
    assert.deepEqual([elsewhere.status, elsewhere.body.error.name], [403, 'ForbiddenError'])
    assert.notEqual(elsewhere.body.error.message, body.error.message)
    assert.equal(readFileSync(join(folder, file), 'utf8'), note(before))
  })

  it('has the plan of the files as they are', async () => {
    const { files, changes, prevented, notes } = await planned()
    assert.deepEqual([files, changes, prevented, notes], [[], [], [], []])
  })

  it('plans a candidate: a rename, a conversion that counts, an addition and a removal, and writes nothing', async () => {
    const { files, changes } = await planned({
      [file]: note({
        name: { type: 'string', required: true, renamedFrom: 'title' },
        stars: { type: 'integer' },
        fresh: { type: 'boolean' },
      }),
    })
    assert.deepEqual(
      changes.map(({ group, describe, loses }) => [
        group,
        describe.replace(/becomes (int|bigint).*:/, 'becomes integer:'),
        loses,
      ]),
      [
        ['renames', 'the column notes.title becomes name', 0],
        ['types', 'notes.stars becomes integer: 1 of 3 values do not fit, and are cut, rounded or emptied', 1],
        ['additions', 'add the column notes.fresh', 0],
        ['removals', 'drop the column notes.gone and its 3 values', 3],
      ],
    )
    assert.match(changes[0]?.statements[0] ?? '', /rename column/i)
    assert.equal(files[0]?.change, 'changed')
    const lines = files[0]?.places.flat().map(({ sign, text }) => `${sign}${text.trim()}`)
    assert.ok(lines?.includes('-"title": {') && lines.includes('+"renamedFrom": "title"'), lines?.join('\n'))
    assert.equal(readFileSync(join(folder, file), 'utf8'), note(before))
    assert.equal(await server.count('notes'), 3)
  })

  it('marks what would be made, counts what that loses, and has another seal where anything is another', async () => {
    const files = { [file]: note({ title: before.title, stars: { type: 'integer' } }) }
    const one = await planned(files)
    assert.deepEqual(
      one.changes.map(({ group, isMade }) => [group, isMade]),
      [
        ['types', true],
        ['removals', false],
      ],
    )
    assert.equal(one.loses, 1)
    assert.equal((await planned(files)).seal, one.seal)
    const { status, body } = await owner.ask('POST', '/console/schema/plan', { files, removals: true })
    assert.equal(status, 200)
    assert.deepEqual([body.data.loses, body.data.changes.every(({ isMade }: { isMade: boolean }) => isMade)], [4, true])
    assert.notEqual(body.data.seal, one.seal)
    assert.notEqual((await planned({ [file]: note(before) })).seal, (await planned()).seal)
    const other = join(folder, 'content-types/components/shared/seo.json')
    const text = readFileSync(other, 'utf8')
    writeFileSync(other, `${text}\n`)
    assert.notEqual((await planned(files)).seal, one.seal)
    writeFileSync(other, text)
    assert.equal((await planned(files)).seal, one.seal)
  })

  it('takes an object in the form of the file, a new file, and a file that is to go', async () => {
    const { files, changes } = await planned({
      [file]: JSON.parse(note(before)),
      'content-types/page.json': {
        info: { singularName: 'page', pluralName: 'pages' },
        attributes: { title: { type: 'string' } },
      },
      'content-types/components/shared/seo.json': null,
    })
    assert.deepEqual(
      files.map(({ path, change, places }) => [path, change, places.length]),
      [
        [file, 'same', 0],
        ['content-types/page.json', 'added', 1],
        ['content-types/components/shared/seo.json', 'removed', 1],
      ],
    )
    assert.ok(changes.some(({ describe }) => /^create the table page/.test(describe)))
    assert.ok(changes.some(({ describe }) => /^drop the table seos/.test(describe)))
  })

  it('refuses what a start would, and names the attribute and what is accepted', async () => {
    const { status, body } = await plan({
      [file]: note({ title: { type: 'strnig' }, stars: { type: 'string', required: 'yes' } }),
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.error.details.errors.map(({ path, message }: { path: unknown; message: string }) => [path, message]),
      [
        [
          ['files', file, 'title'],
          `${file}: attribute "title" has the type "strnig"; did you mean "string"? known types are ${body.error.details.errors[0].message.split('known types are ')[1]}`,
        ],
        [['files', file, 'stars'], `${file}: attribute "stars": required is "yes"; expected true or false`],
      ],
    )
    const missing = await plan({
      [file]: note({ author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' } }),
    })
    assert.equal(missing.status, 400)
    assert.match(missing.body.error.message, /attribute "author".*api::author\.author/)
    const broken = await plan({ [file]: '{ "info": }' })
    assert.match(broken.body.error.message, /content-types\/note\.json is not valid JSON: line 1, column 11/)
  })

  it('refuses paths that are no places of schema files, and bodies that are none', async () => {
    for (const path of [
      '../content-types/note.json',
      'content-types/../../note.json',
      '/etc/passwd',
      'content-types/.note.json',
      'config/server.json',
      'content-types/plugins.json/x',
      'content-types\\note.json',
    ]) {
      const named = await plan(JSON.parse(`{ ${JSON.stringify(path)}: "{}" }`))
      assert.equal(named.status, 400, path)
      assert.match(named.body.error.message, /is no place of a schema file; accepted are/)
    }
    assert.equal((await plan({ [file]: 5 })).status, 400)
    assert.equal((await plan({ 'content-types/none.json': null })).status, 400)
    assert.match((await plan({ [file]: ' '.repeat(500_001) })).body.error.message, /500001 characters; at most 500000/)
    const unknown = await owner.ask('POST', '/console/schema/plan', { file: {} })
    assert.equal(unknown.body.error.message, 'file is unknown; accepted are files, removals')
    const wrong = await owner.ask('POST', '/console/schema/plan', { removals: 'yes' })
    assert.equal(wrong.body.error.message, 'removals is true or false')
  })
})

describe('the schema of a Strapi project', () => {
  let folder: ProjectFolder
  let project: OpenProject
  let ada: Editor
  beforeAll(async () => {
    folder = copyWithConsole()
    project = await openProject(folder, {})
    ada = await Editor.signIn(project, 'ada')
  })
  afterAll(async () => {
    await project?.close()
    folder?.remove()
  })

  it('is read and planned in place', async () => {
    const { types } = (await ada.get('/console/schema.json')).body.data as SchemaOfApp
    const tag = types.find(({ uid }) => uid === 'api::tag.tag')
    assert.equal(tag?.file, 'src/api/tag/content-types/tag/schema.json')
    const schema = JSON.parse(tag?.text ?? '')
    const { attributes } = schema
    const { status, body, text } = await ada.ask('POST', '/console/schema/plan', {
      files: { [tag?.file ?? '']: { ...schema, attributes: { ...attributes, weight: { type: 'integer' } } } },
    })
    assert.equal(status, 200, text)
    const { changes, files } = body.data as Plan
    assert.ok(
      changes.some(({ group, describe }) => group === 'additions' && describe === 'add the column tags.weight'),
      JSON.stringify(changes),
    )
    const signs = files[0]?.places.flat().filter(({ sign }) => sign !== ' ')
    assert.ok(signs && signs.length <= 5, 'an object is written as the file was')
    const { name, ...others } = attributes
    const renamed = { ...schema, attributes: { label: { ...name, renamedFrom: 'name' }, ...others } }
    const rename = await ada.ask('POST', '/console/schema/plan', { files: { [tag?.file ?? '']: renamed } })
    assert.equal(rename.status, 200, rename.text)
    assert.match((rename.body.data as Plan).warnings.join(), /^Strapi has no renames: on another database/)
    const edda = await Editor.signIn(project, 'edda')
    assert.equal((await edda.get('/console/schema.json')).status, 403)
  })
})

describe('the difference of two texts', () => {
  const shown = (one: string, other: string) =>
    diffOf(one, other).map(place => place.map(({ sign, text }) => sign + text).join('|'))
  const cases = [
    { says: 'none', one: 'a\nb\n', other: 'a\nb\n', gives: [] },
    { says: 'a new file', one: '', other: 'a\nb\n', gives: ['+a|+b'] },
    { says: 'one that is gone', one: 'a\n', other: '', gives: ['-a'] },
    {
      says: 'a line with three around it',
      one: '1\n2\n3\n4\n5\n6',
      other: '1\n2\n3\n4\nx\n6',
      gives: [' 2| 3| 4|-5|+x| 6'],
    },
    {
      says: 'two places',
      one: 'a\n1\n2\n3\n4\n5\n6\n7\nb',
      other: 'A\n1\n2\n3\n4\n5\n6\n7\nB',
      gives: ['-a|+A| 1| 2| 3', ' 5| 6| 7|-b|+B'],
    },
    { says: 'moved lines', one: 'a\nb\nc', other: 'b\nc\na', gives: ['-a| b| c|+a'] },
  ]
  for (const { says, one, other, gives } of cases) it(says, () => assert.deepEqual(shown(one, other), gives))
})
