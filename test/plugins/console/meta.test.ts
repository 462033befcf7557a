import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import type { Permissions, Right, TypeMeta } from '../../../plugins/console/model/meta.js'
import type { OpenProject, ProjectFolder } from '../../strapi4/project.js'
import type { Body } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'
import { copyEditors } from '../admin/project.js'
import { copyWithConsole, Editor, openProject } from './project.js'

const people = ['ada', 'edda', 'anton', 'anna', 'tina', 'tom', 'tess', 'rita'] as const

/** Headers without those that differ from one server, or one request, to the next. */
const lasting = ({ 'x-request-id': _, date: __, etag: ___, ...headers }: Readonly<Record<string, unknown>>) => headers

/** A right in a few letters: `+` for all, `own` for some entries, languages, and the number of fields. */
function short(right: Right | null): string {
  if (!right) return '-'
  const { own, locales, fields } = right
  return [own && 'own', locales?.join(' '), fields && `${fields.length} fields`].filter(Boolean).join(', ') || '+'
}

const shortly = ({ read, create, update, delete: remove, publish }: Permissions): string =>
  [read, create, update, remove, publish].map(short).join(' | ')

onSqlite('the description of a project for its editors', () => {
  let project: ProjectFolder
  let open: OpenProject
  const editors = new Map<string, Editor>()
  const as = (name: string) => editors.get(name) as Editor
  beforeAll(async () => {
    project = copyWithConsole()
    open = await openProject(project)
    for (const name of people) editors.set(name, await Editor.signIn(open, name))
  })
  afterAll(async () => {
    await open?.close()
    project?.remove()
  })

  const all = 'de, en, fr'.replaceAll(',', '')
  const articles: Readonly<Record<(typeof people)[number], string>> = {
    ada: '+ | + | + | + | +',
    edda: `${all} | ${all} | ${all} | ${all} | ${all}`,
    anton: `own, ${all} | own, ${all} | own, ${all} | own, ${all} | -`,
    anna: `own, ${all} | own, ${all} | own, ${all} | own, ${all} | -`,
    tina: 'de en, 13 fields | - | de, 3 fields | - | -',
    tom: `own, ${all} | ${all} | own, ${all} | - | own, ${all}`,
    tess: `own, ${all} | ${all} | own, ${all} | - | own, ${all}`,
    rita: '',
  }
  for (const [name, rights] of Object.entries(articles).filter(([, rights]) => rights !== ''))
    it(`says what ${name} may do with articles`, async () => {
      const type = await as(name).type('api::article.article')
      assert.equal(shortly((type as TypeMeta).can), rights)
    })

  it('adds up rights of two roles', async () => {
    const type = (await as('rita').type('api::article.article')) as TypeMeta
    const { read, update, delete: remove } = type.can
    assert.deepEqual([read?.own, read?.locales], [undefined, ['de', 'en', 'fr']])
    assert.deepEqual([update?.own, remove?.own], [undefined, true])
  })

  const types: Readonly<Record<string, readonly string[]>> = {
    tina: ['api::article.article', 'api::author.author', 'plugin::upload.file', 'admin::user', 'plugin::upload.folder'],
    tom: ['api::article.article', 'api::tag.tag', 'plugin::upload.file', 'admin::user'],
  }
  for (const [name, uids] of Object.entries(types))
    it(`has the types that ${name} sees, and no others`, async () =>
      assert.deepEqual(
        (await as(name).meta()).types.map(({ uid }) => uid),
        uids,
      ))

  it('has accounts of the site for those who may read them, in the form of their routes', async () => {
    const { path, entry, isBare, can } = (await as('ada').type('plugin::users-permissions.user')) as TypeMeta
    assert.deepEqual([path, entry, isBare, can.publish], ['/users', 'plain', true, null])
    assert.equal(await as('edda').type('plugin::users-permissions.user'), undefined)
  })

  it('describes files for editors who see them with entries alone, and gives no right to them', async () => {
    const files = (await as('tom').type('plugin::upload.file')) as TypeMeta
    assert.equal(shortly(files.can), '- | - | - | - | -')
    assert.equal(files.layout.settings.mainField, 'name')
    assert.ok(files.attributes.some(({ name, readable }) => name === 'url' && readable))
  })

  it('has the names of accounts of editors, and nothing else of them', async () => {
    for (const name of people) {
      const users = (await as(name).type('admin::user')) as TypeMeta
      assert.deepEqual(
        users.attributes.map(one => [one.name, one.readable, one.writable]),
        ['firstname', 'lastname', 'username'].map(name => [name, true, false]),
      )
      assert.deepEqual([users.path, shortly(users.can)], [undefined, '- | - | - | - | -'])
    }
  })

  it('says who the account is, and which parts of the settings it may open', async () => {
    const [ada, edda] = [await as('ada').meta(), await as('edda').meta()]
    assert.deepEqual(ada.account, {
      ...{ id: 1, name: 'Ada Admin', email: 'admin@example.test', language: null, isSuperAdmin: true },
    })
    assert.deepEqual(edda.account.isSuperAdmin, false)
    assert.deepEqual(ada.settings, [...['accounts', 'roles', 'tokens', 'languages', 'api-roles', 'layouts', 'profile']])
    assert.deepEqual(edda.settings, ['profile'])
    assert.deepEqual(ada.sectionRights.languages, ['createLocale', 'updateLocale', 'deleteLocale'])
    assert.deepEqual(ada.sectionRights.accounts, ['create', 'update', 'delete'])
    assert.deepEqual(edda.sectionRights, {})
    assert.deepEqual(
      ada.languages.map(({ code, isDefault }) => [code, isDefault]),
      [
        ['en', true],
        ['fr', false],
        ['de', false],
      ],
    )
    assert.deepEqual(
      [ada.app.api, ada.app.environment, ada.dialect.sharing],
      ['/console/api', 'production', 'populated'],
    )
  })

  it('has the stored layout of articles, made with Strapi 4.26', async () => {
    const { layout } = (await as('edda').type('api::article.article')) as TypeMeta
    assert.equal(layout.isStored, true)
    assert.deepEqual(layout.list, ['id', 'title', 'author', 'kind', 'updatedAt'])
    assert.deepEqual(layout.settings, {
      ...{ bulkable: true, filterable: true, searchable: true, pageSize: 20 },
      ...{ mainField: 'title', defaultSortBy: 'updatedAt', defaultSortOrder: 'DESC' },
    })
    assert.deepEqual(layout.edit.slice(0, 5), [
      [{ name: 'title', size: 12 }],
      [{ name: 'slug', size: 6 }],
      [{ name: 'body', size: 12 }],
      [
        { name: 'summary', size: 6 },
        { name: 'rating', size: 4 },
      ],
      ['views', 'bigviews', 'score'].map(name => ({ name, size: 4 })),
    ])
    assert.ok(!layout.edit.flat().some(({ name }) => name === 'internal_note'), 'it was taken out of the form')
    assert.deepEqual(layout.fields.title, {
      ...{ label: 'Headline', description: 'At most ten words', placeholder: 'What happened?' },
      ...{ visible: true, editable: true, listLabel: 'Headline', searchable: true, sortable: true },
    })
    assert.equal(layout.fields.summary?.editable, false)
    assert.equal(layout.fields.author?.mainField, 'name')
  })

  it('leaves fields out of layouts that may be neither read nor written', async () => {
    const { layout, attributes } = (await as('tina').type('api::article.article')) as TypeMeta
    const names = attributes.map(({ name }) => name)
    assert.deepEqual(layout.list, ['id', 'title', 'author', 'updatedAt'])
    assert.deepEqual(
      layout.edit.flat().map(({ name }) => name),
      ['title', 'slug', 'body', 'author', 'seo'],
    )
    assert.deepEqual(Object.keys(layout.fields).sort(), ['id', ...names].sort())
  })

  it('has a layout for every type and component, each of its own attributes', async () => {
    const { types, components } = await as('ada').meta()
    assert.ok(types.length > 8 && components.length === 6)
    for (const { uid, attributes, layout } of [...types, ...components]) {
      const names = ['id', ...attributes.map(({ name }) => name)]
      for (const name of [...layout.list, ...layout.edit.flat().map(one => one.name)])
        assert.ok(names.includes(name), `${uid}: ${name}`)
      assert.ok(names.includes(layout.settings.mainField), uid)
      assert.ok(
        layout.edit.every(row => row.reduce((sum, { size }) => sum + size, 0) <= 12),
        uid,
      )
    }
  })

  it('shows a password for writing alone, and to those who may write it', async () => {
    const secret = async (name: string) =>
      (await as(name).type('api::article.article'))?.attributes.find(one => one.name === 'secret')
    const { readable, writable } = (await secret('edda')) as TypeMeta['attributes'][number]
    assert.deepEqual([readable, writable], [false, true])
    assert.equal(await secret('tina'), undefined)
  })

  for (const name of people)
    it(`agrees with what the API shows to ${name}`, async () => {
      const { types } = await as(name).meta()
      let entries = 0
      for (const { uid, path, can, attributes, options, kind, isBare } of types) {
        if (path === undefined || !can.read || kind === 'singleType' || uid === 'plugin::upload.file') continue
        const more = `${options.drafts ? '&publicationState=preview' : ''}${options.localized ? '&locale=all' : ''}`
        const read = (query: string) => as(name).get(`/console/api${path}?pagination[pageSize]=1${more}${query}`)
        const { status, body, text } = await read('')
        assert.equal(status, 200, text)
        const list = (said: Body): Body[] =>
          isBare ? said.map(({ id: _, ...entry }: Body) => entry) : said.data.map((entry: Body) => entry.attributes)
        const shown = attributes.filter(({ kind, readable }) => kind === 'field' && readable).map(one => one.name)
        for (const entry of list(body)) assert.deepEqual(Object.keys(entry).sort(), [...shown].sort(), uid)
        entries += list(body).length
        for (const link of attributes.filter(({ kind, readable }) => kind === 'link' && readable)) {
          const populated = await read(`&fields[0]=id&populate[0]=${link.name}`)
          for (const entry of list(populated.body))
            assert.deepEqual(Object.keys(entry), [link.name], `${uid} ${link.name}: ${populated.text}`)
        }
      }
      assert.ok(entries > 0, 'some are looked at')
    })

  it('has the tag of its content: it changes with layouts and with rights, and not else', async () => {
    const editor = as('edda')
    const first = await editor.get('/console/meta.json')
    const tag = String(first.headers.etag)
    assert.equal(first.headers['cache-control'], 'private, no-cache')
    const known = () => editor.get('/console/meta.json', { 'if-none-match': tag })
    assert.equal((await known()).status, 304)
    assert.notEqual((await as('tina').get('/console/meta.json')).headers.etag, tag)
    const path = '/console/layouts/api::tag.tag'
    assert.equal((await as('ada').ask('PUT', path, { fields: { name: { label: 'Word' } } })).status, 200)
    assert.equal((await known()).status, 200)
    assert.equal((await as('ada').ask('DELETE', path)).status, 200)
    const after = await editor.get('/console/meta.json')
    const { layout } = after.body.types.find(({ uid }: TypeMeta) => uid === 'api::tag.tag')
    assert.deepEqual([layout.isStored, layout.fields.name.label], [false, 'name'])
  })

  it('is a 401 without a session', async () => {
    const stranger = new Editor(open)
    for (const path of [
      '/console/meta.json',
      '/console/layouts/api::tag.tag',
      '/console/links/api::tag.tag/1',
      '/console/rights/api::tag.tag/1',
      '/console/choices/admin::user',
    ]) {
      const { status, body } = await stranger.get(path)
      assert.deepEqual([status, body.error.name], [401, 'UnauthorizedError'], path)
    }
  })

  it('leaves the API as it is: requests to it get the same as without the console, whatever cookie they have', async () => {
    const plain = copyEditors(false)
    const other = await openProject(plain)
    try {
      const cookie = as('ada').cookie
      for (const url of ['/api/articles?populate=*', '/api/authors?sort=name', '/api/homepage', '/api/nowhere']) {
        const wanted = await other.send({ method: 'GET', url })
        for (const headers of [{}, { cookie }]) {
          const found = await open.send({ method: 'GET', url, headers })
          assert.equal(found.statusCode, wanted.statusCode)
          assert.ok(found.payload === wanted.payload, url)
          assert.deepEqual(lasting(found.headers), lasting(wanted.headers))
        }
      }
    } finally {
      await other.close()
      plain.remove()
    }
  })
})
