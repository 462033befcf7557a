import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { SavedView } from '../../../plugins/console/model/meta.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Server, startOn, type World } from '../../support/server.js'
import { signIn, world as usual } from './world.js'

const table = 'strapi_core_store_settings'
const layoutStart = 'plugin_content_manager_configuration_'
const text = { type: 'string' }

/** Every type, and some of their attributes, had other names. */
const world = {
  plugins: usual.plugins,
  types: {
    story: {
      renamedFrom: 'article',
      attributes: {
        headline: { ...text, renamedFrom: 'title' },
        writer: { type: 'relation', relation: 'manyToOne', target: 'api::person.person', renamedFrom: 'author' },
        saying: { type: 'component', component: 'parts.saying', renamedFrom: 'quote' },
        place: { type: 'integer' },
      },
    },
    person: { renamedFrom: 'author', attributes: { fullName: { ...text, renamedFrom: 'name' } } },
  },
  components: {
    'parts.saying': { renamedFrom: 'shared.quote', attributes: { words: { ...text, renamedFrom: 'text' } } },
  },
} satisfies World

const label = (name: string) => ({ edit: { label: name, visible: true }, list: { label: name, sortable: true } })

const layout = {
  uid: 'api::article.article',
  settings: { mainField: 'title', defaultSortBy: 'title', defaultSortOrder: 'DESC', pageSize: 50, bulkable: true },
  metadatas: {
    title: label('title'),
    author: { edit: { ...label('The author').edit, mainField: 'name' }, list: { label: 'author' } },
    removed: label('removed'),
  },
  layouts: {
    list: ['title', 'author', 'removed'],
    edit: [
      [
        { name: 'author', size: 6 },
        { name: 'title', size: 6 },
      ],
    ],
  },
}
const layoutNow = {
  uid: 'api::story.story',
  settings: { ...layout.settings, mainField: 'headline', defaultSortBy: 'headline' },
  metadatas: {
    headline: label('headline'),
    writer: { edit: { ...label('The author').edit, mainField: 'fullName' }, list: { label: 'writer' } },
    removed: label('removed'),
  },
  layouts: {
    list: ['headline', 'writer', 'removed'],
    edit: [
      [
        { name: 'writer', size: 6 },
        { name: 'headline', size: 6 },
      ],
    ],
  },
}
const component = {
  uid: 'shared.quote',
  isComponent: true,
  settings: { mainField: 'text' },
  layouts: { edit: [['text']] },
}
const componentNow = {
  ...component,
  uid: 'parts.saying',
  settings: { mainField: 'words' },
  layouts: { edit: [['words']] },
}

const views = [
  {
    ...{ id: '1', uid: 'api::article.article', name: 'By Ben' },
    query: 'filters=author.name:eq:Ben,any(title:containsi:bread,quote.text:null:true)&sort=-title',
  },
  { ...{ id: '2', uid: 'api::article.article', name: 'Far' }, query: 'q=far&filters=place:gt:3' },
  { ...{ id: '3', uid: 'api::author.author', name: 'Names' }, query: 'sort=name' },
]
/** Written by hand: it is left as it is, and keeps no server from its start. */
const noView = { id: '4' }
const viewsNow = [
  {
    ...{ id: '1', uid: 'api::story.story', name: 'By Ben' },
    query: 'filters=writer.fullName:eq:Ben,any(headline:containsi:bread,saying.words:null:true)&sort=-headline',
  },
  { ...{ id: '2', uid: 'api::story.story', name: 'Far' }, query: 'q=far&filters=place:gt:3' },
  { ...{ id: '3', uid: 'api::person.person', name: 'Names' }, query: 'sort=fullName' },
]

const rowsOf = async ({ rows }: Server) =>
  ((await rows(table, ['key', 'value'])) as unknown as { key: string; value: string }[])
    .filter(({ key }) => /^(plugin_content_manager|stele_console_views)/.test(key))
    .map(({ key, value }) => [key, JSON.parse(value)] as const)
    .sort(([one], [other]) => one.localeCompare(other))

onEveryEngine('layouts and saved views', engine => {
  it('follow types and attributes that were renamed, once, and a layout under the new name stays', async () => {
    const { database, drop } = await engine.fresh()
    const open = () => startOn(database, world)
    const add = ({ app: { store } }: Server, key: string, value: unknown) =>
      store.transaction(async session => {
        const row = { key, value: JSON.stringify(value), type: 'object', environment: null, tag: null }
        const { sql, bindings } = store.knex(table).insert(row).toSQL().toNative()
        await session.run(sql, bindings)
      })
    const first = await open()
    await add(first, `${layoutStart}content_types::api::article.article`, layout)
    await add(first, `${layoutStart}components::shared.quote`, component)
    await add(first, 'stele_console_views::shared', views)
    await add(first, 'stele_console_views::7', [...views.slice(2), noView])
    await first.app.close()

    const second = await open()
    const followed = [
      [`${layoutStart}components::parts.saying`, componentNow],
      [`${layoutStart}content_types::api::story.story`, layoutNow],
      ['stele_console_views::7', [...viewsNow.slice(2), noView]],
      ['stele_console_views::shared', viewsNow],
    ] as const
    assert.deepEqual(await rowsOf(second), followed)
    const ada = await signIn(second.app, 'Super Admin', 'ada@example.test')
    const meta = await ada.meta()
    const story = meta.types.find(({ uid }) => uid === 'api::story.story')
    assert.deepEqual(story?.layout.list, ['headline', 'writer'])
    assert.equal(story?.layout.settings.defaultSortBy, 'headline')
    assert.deepEqual(
      (meta.views as readonly SavedView[]).map(({ uid, query }) => [uid, query]),
      [viewsNow[0], viewsNow[1], viewsNow[2]].map(one => [one?.uid, one?.query]),
    )
    const former = `${layoutStart}content_types::api::article.article`
    await add(second, former, { ...layout, settings: {} })
    await second.app.close()

    const third = await open()
    assert.deepEqual(
      (await rowsOf(third)).filter(([key]) => key !== former),
      followed,
    )
    await third.app.close()
    await drop()
  })
})
