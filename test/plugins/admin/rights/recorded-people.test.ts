import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { onSqlite } from '../../../support/engines.js'
import { type EditorsProject, openProjectOfEditors, type Person, type Replied } from './world.js'

/** What is asked, by whom, and what of the reply has to be so; expectations follow from the rows of the recorded roles. */
type Row = readonly [who: Person, path: string, gives: unknown, view?: (reply: Replied) => unknown]

const status = ({ status }: Replied) => status
const titles = ({ body }: Replied) =>
  body.data.map((entry: { attributes: { title: string } }) => entry.attributes.title)
const total = ({ status, body }: Replied) => body?.meta?.pagination?.total ?? status
const names = ({ status, body }: Replied) => (body?.data?.attributes ? Object.keys(body.data.attributes) : status)
const one = (name: string) => (reply: Replied) => reply.body.data?.attributes[name] ?? reply.status
const partsOfSeo = ({ body }: Replied) => Object.keys(body.data.attributes.seo)
const ofCreator = ({ body }: Replied) => Object.keys(body.data.attributes.createdBy.data.attributes)
const list = 'pagination[limit]=1&publicationState=preview'
const usual = ['createdAt', 'updatedAt', 'publishedAt', 'locale']
const columns = [
  ...['title', 'slug', 'body', 'summary', 'rating', 'views', 'bigviews', 'score', 'featured', 'published_on'],
  ...['starts_at', 'opens_at', 'touched_at', 'kind', 'contact', 'extra', 'internal_note'],
]

onSqlite('editors of a recorded project read', () => {
  let open: EditorsProject
  beforeAll(async () => {
    open = await openProjectOfEditors()
  })
  afterAll(() => open.close())

  const rows = (title: string, cases: readonly Row[]) =>
    describe(title, () => {
      for (const [who, path, gives, view = status] of cases)
        it(`${who} ${path}`, async () => {
          const reply = await open.as(who, 'GET', path)
          assert.deepEqual(view(reply), gives, JSON.stringify(reply.body)?.slice(0, 300))
        })
    })

  rows('the entries that their rows say', [
    ['ada', `/articles?${list}`, 307, total],
    ['edda', `/articles?${list}`, 307, total],
    ['ada', `/articles?${list}&locale=all`, 457, total],
    ['edda', `/articles?${list}&locale=all`, 457, total],
    ['anton', `/articles?${list}&locale=all`, 3, total],
    [
      'anton',
      `/articles?fields=title&sort=id&publicationState=preview`,
      ['By anton 1', 'By anton 2', 'By anton 3'],
      titles,
    ],
    ['anna', `/articles?fields=title&publicationState=preview`, ['By anna 1'], titles],
    ['anton', '/articles/451', 200],
    ['anton', '/articles/454', 404],
    ['anton', '/articles/1', 404],
    // The same role as the maker: Tess sees what Tom wrote.
    ['tess', '/articles?fields=title&sort=id&publicationState=preview', ['By tom 1', 'By tom 2'], titles],
    ['tess', '/articles/1', 404],
    // English and German, and no French.
    ['tina', `/articles?${list}`, 307, total],
    ['tina', `/articles?${list}&locale=de`, 50, total],
    ['tina', `/articles?${list}&locale=fr`, 0, total],
    ['tina', `/articles?${list}&locale=all`, 357, total],
    // Both roles: entries in English and German, and own ones in any language.
    ['rita', `/articles?${list}&locale=all`, 357, total],
    ['tina', '/homepage', 403],
    ['edda', '/homepage', 200],
    ['anton', '/homepage', 404],
    ['edda', '/global', 200],
    ['tess', '/tags', 200],
    ['tess', '/authors', 403],
    ['tina', '/authors', 200],
    ['tina', '/categories', 403],
    // Accounts of the site: no role has rows for them.
    ['ada', '/users', 200],
    ['edda', '/users', 403],
    ['edda', '/users/me', 403],
    ['edda', '/users-permissions/roles', 403],
    ['ada', '/users-permissions/roles', 200],
    ['tina', '/i18n/locales', 200],
  ])

  rows('the attributes that their rows say', [
    ['ada', '/articles/1', [...columns, ...usual], names],
    ['edda', '/articles/1', [...columns, ...usual], names],
    ['tina', '/articles/1', ['title', 'slug', 'body', ...usual], names],
    // Of other entries than their own an author reads nothing, so both roles share the translator's attributes.
    ['rita', '/articles/1', ['title', 'slug', 'body', ...usual], names],
    ['edda', '/articles/1?fields=internal_note', 'note 1', one('internal_note')],
    ['tina', '/authors/1', ['name', 'createdAt', 'updatedAt'], names],
    ['tess', '/tags/1', ['name', 'createdAt', 'updatedAt'], names],
  ])

  rows('nothing by way of filters, sorts and searches', [
    ['edda', `/articles?${list}&filters[internal_note]=note 1`, 1, total],
    ['tina', '/articles?filters[title][$startsWith]=Harbor', 200],
    ['tina', '/articles?filters[internal_note]=note 1', 400],
    ['tina', '/articles?sort=rating', 400],
    ['tina', '/articles?filters[seo][metaTitle][$notNull]=true', 200],
    ['tina', '/articles?filters[seo][social][title][$notNull]=true', 400],
    ['tina', '/articles?filters[author][name][$notNull]=true', 200],
    ['tina', '/articles?filters[author][email][$startsWith]=a', 400],
    ['tina', '/articles?sort=author.email', 400],
    ['tina', '/articles?filters[tags][name][$notNull]=true', 400],
    ['tina', '/authors?filters[articles][title][$notNull]=true', 400],
    ['tess', '/articles?filters[category][name][$notNull]=true', 400],
    ['ada', '/articles?filters[secret][$startsWith]=$2', 400],
    ['edda', '/articles?sort=secret', 400],
    ['edda', '/articles?filters[createdBy][email][$contains]=@', 400],
    ['edda', '/articles?filters[createdBy][password][$notNull]=true', 400],
    ['edda', '/articles?filters[createdBy][roles][id]=1', 400],
    ['edda', '/articles?filters[createdBy][firstname]=Ada', 200],
    ['ada', '/users?filters[resetPasswordToken][$notNull]=true', 400],
    ['ada', '/users?filters[password][$notNull]=true', 400],
    // The words of attributes that she may not read are found nowhere.
    ['edda', `/articles?${list}&locale=de&_q=note 251`, 1, total],
    ['tina', `/articles?${list}&locale=de&_q=note 251`, 0, total],
  ])

  rows('nothing by way of populate', [
    ['tina', '/articles/1?populate=tags', ['title', 'slug', 'body', ...usual], names],
    ['tina', '/articles/1?populate=cover', ['title', 'slug', 'body', ...usual], names],
    ['tina', '/articles/1?populate=blocks', ['title', 'slug', 'body', ...usual], names],
    ['tess', '/articles/455?populate=author', [...columns, ...usual], names],
    ['tina', '/articles/1?populate[author][fields]=email', 400],
    ['tina', '/articles/1?populate[seo][fields]=metaTitle', 200],
    ['tina', '/articles/1?populate[seo][populate]=social', ['id', 'metaTitle', 'metaDescription'], partsOfSeo],
    ['tina', '/articles/1?populate=seo', ['id', 'metaTitle', 'metaDescription'], partsOfSeo],
    [
      'tina',
      '/articles/1?populate=author',
      ['name', 'createdAt', 'updatedAt'],
      ({ body }) => Object.keys(body.data.attributes.author.data.attributes),
    ],
    [
      'edda',
      '/articles/457?populate=createdBy',
      { id: 2, attributes: { firstname: 'Edda', lastname: 'Editor', username: null } },
      ({ body }) => body.data.attributes.createdBy.data,
    ],
    ['edda', '/articles/457?populate[createdBy][fields]=email', 400],
    ['edda', '/articles/457?populate[createdBy][populate]=roles', ['firstname', 'lastname', 'username'], ofCreator],
    // The author of other entries may see that hers has localizations only where she may read them.
    ['anton', '/articles/451?populate=localizations', [], ({ body }) => body.data.attributes.localizations.data],
    [
      'tina',
      '/articles/450?populate=localizations',
      [299],
      ({ body }) => body.data.attributes.localizations.data.map(({ id }: { id: number }) => id),
    ],
  ])

  it('their own alone, though others of their role have asked the same before', async () => {
    for (let time = 0; time < 3; time += 1)
      for (const [who, gives] of [
        ['anton', ['By anton 1', 'By anton 2', 'By anton 3']],
        ['anna', ['By anna 1']],
      ] as const) {
        assert.deepEqual(
          titles(await open.as(who, 'GET', '/articles?fields=title&sort=id&publicationState=preview')),
          gives,
        )
        assert.equal(status(await open.as(who, 'GET', '/articles/451')), who === 'anton' ? 200 : 404)
        assert.equal(status(await open.as(who, 'GET', '/articles/454?populate=*')), who === 'anna' ? 200 : 404)
      }
  })

  it('no password, in any form, whatever is asked', async () => {
    const { app } = open
    await app.entries('api::article.article').update(451, { secret: 'a secret of Anton' })
    for (const who of ['ada', 'edda', 'anton'] as const)
      for (const path of ['/articles/451?populate=*', '/articles?filters[id]=451&publicationState=preview', '/users']) {
        const { body } = await open.as(who, 'GET', path)
        assert.doesNotMatch(
          JSON.stringify(body ?? ''),
          /\$2[aby]\$|"password"|"secret"|resetPasswordToken/,
          `${who} ${path}`,
        )
      }
  })

  rows('files as the library of the panel lists them', [
    ['edda', '/upload/files', 40, ({ body }) => body.length],
    ['tina', '/upload/files', 40, ({ body }) => body.length],
    ['anton', '/upload/files', [], ({ body }) => body],
    ['anton', '/upload/files/1', 404],
    ['tess', '/upload/files', 403],
    ['edda', '/upload/files/1', 200],
  ])
})
