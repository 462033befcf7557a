import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import type { TypeMeta } from '../../../plugins/console/model/meta.js'
import type { OpenProject, ProjectFolder } from '../../strapi4/project.js'
import type { Body } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'
import { copyWithConsole, Editor, openProject } from './project.js'

const article = 'api::article.article'
const query = 'fields[0]=title&fields[1]=summary&publicationState=preview'

onSqlite('fields of an editor with two roles, of which one is for own entries', () => {
  let project: ProjectFolder
  let open: OpenProject
  let rita: Editor
  let type: TypeMeta
  let foreign: Body
  let own: Body
  beforeAll(async () => {
    project = copyWithConsole()
    open = await openProject(project)
    rita = await Editor.signIn(open, 'rita')
    type = (await rita.type(article)) as TypeMeta
    const { body } = await rita.get(`/console/api/articles?locale=de&${query}&pagination[limit]=1`)
    foreign = body.data[0]
    const data = { title: 'Mine', summary: 'short', locale: 'de' }
    own = (await rita.ask('POST', `/console/api/articles?${query}`, { data })).body.data
  })
  afterAll(async () => {
    await open?.close()
    project?.remove()
  })
  const rights = (uid: string, id: number, editor = rita) => editor.get(`/console/rights/${uid}/${id}`)

  it('are described beside those of all entries, for forms and not for lists', () => {
    const summary = type.attributes.find(({ name }) => name === 'summary')
    assert.deepEqual(
      [summary?.readable, summary?.writable, summary?.ofSome],
      // A new entry may have it, as it is the editor's own.
      [false, true, { readable: true }],
    )
    const { read, create, update } = type.can
    assert.ok(read?.more?.includes('summary') && update?.more?.includes('summary'))
    assert.deepEqual([read?.fields?.includes('summary'), update?.fields?.includes('summary')], [false, false])
    assert.ok(!read?.more?.includes('secret'), 'passwords are never read')
    assert.ok(update?.more?.includes('secret'))
    assert.deepEqual([create?.fields, create?.moreIn], [undefined, undefined])
    assert.ok(type.layout.edit.flat().some(({ name }) => name === 'summary'))
    assert.ok(!type.layout.list.includes('summary'))
    assert.equal(type.layout.settings.mainField, 'title')
  })

  it('are described by the languages of new entries, which are own ones', async () => {
    const inLanguages = ({ moreIn }: NonNullable<TypeMeta['can']['read']>) => moreIn?.map(({ locales }) => locales)
    const { read } = type.can
    assert.deepEqual(read && inLanguages(read), [['de', 'en', 'fr']])
    const authors = { action: 'plugin::content-manager.explorer.read', subject: article }
    const where = { ...authors, role: { code: 'strapi-author' } }
    const [row] = await open.app.entries('admin::permission').find({ where })
    const { id, properties } = row as { id: number; properties: object }
    const change = (locales: unknown) =>
      open.app.entries('admin::permission').update(id, { properties: { ...properties, locales } })
    await change(['fr'])
    const { can } = (await rita.type(article)) as TypeMeta
    assert.deepEqual(can.read && inLanguages(can.read), [['fr']])
    await change(null)
    const all = (await rita.type(article)) as TypeMeta
    assert.deepEqual(all.can.read && inLanguages(all.can.read), [undefined])
    await change(['de', 'en', 'fr'])
  })

  it('are not described for editors whose entries have all the same', async () => {
    for (const name of ['ada', 'tina', 'anton']) {
      const { can, attributes } = (await (await Editor.signIn(open, name)).type(article)) as TypeMeta
      assert.deepEqual([can.read?.more, can.update?.more], [undefined, undefined], name)
      assert.ok(!attributes.some(({ ofSome }) => ofSome), name)
    }
  })

  it('are in the responses of own entries, and no filter names them', async () => {
    assert.ok(!('summary' in foreign.attributes))
    assert.equal(own.attributes.summary, 'short')
    const list = await rita.get(`/console/api/articles?locale=de&${query}&pagination[limit]=100`)
    const shown = list.body.data.filter(({ attributes }: Body) => 'summary' in attributes)
    assert.deepEqual(
      shown.map(({ id }: Body) => id),
      [own.id],
    )
    assert.equal((await rita.get('/console/api/articles?filters[summary]=short')).status, 400)
  })

  it('are told for one entry, as far as it may be written', async () => {
    const [others, mine] = [await rights(article, foreign.id), await rights(article, own.id)]
    assert.deepEqual(others.body.update, ['body', 'seo.metaTitle', 'title'])
    for (const name of ['title', 'summary', 'secret', 'seo']) assert.ok(mine.body.update.includes(name), name)
    const put = (id: number, data: object) => rita.ask('PUT', `/console/api/articles/${id}?${query}`, { data })
    // As in Strapi, what may not be written is left as it is.
    assert.equal((await put(foreign.id, { summary: 'x' })).status, 200)
    assert.equal((await put(own.id, { summary: 'x' })).body.data.attributes.summary, 'x')
    const ada = await Editor.signIn(open, 'ada')
    const kept = await ada.get(`/console/api/articles/${foreign.id}?${query}`)
    assert.notEqual(kept.body.data.attributes.summary, 'x')
    const all = (await rights(article, foreign.id, ada)).body.update
    assert.ok(all === undefined || all.includes('summary'))
  })

  it('are told of no entry that the editor does not reach', async () => {
    const anton = await Editor.signIn(open, 'anton')
    assert.equal((await rights(article, foreign.id, anton)).status, 404)
    assert.equal((await rights(article, 999_999)).status, 404)
    assert.equal((await rights(article, 'x' as never)).status, 404)
    assert.equal((await rights('api::nothing.nothing', 1)).status, 404)
    assert.equal((await rights('admin::user', 1)).status, 404)
    const tina = await Editor.signIn(open, 'tina')
    assert.equal((await rights('api::author.author', 1, tina)).status, 403)
    const visitor = new Editor(open)
    assert.equal((await visitor.get(`/console/rights/${article}/${own.id}`)).status, 401)
  })
})
