import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createLog } from '../../../core/log.js'
import { accountUid } from '../../../plugins/admin/content-types.js'
import { contract } from '../../support/contract.js'
import type { Editor } from './project.js'
import { signIn, world } from './world.js'

/** The statements about entries, as the log of the server has them: those about rights are read again with time. */
const statements: string[] = []
const log = createLog('trace', {
  destination: {
    write: (line: string) =>
      void (/"msg":"statement"/.test(line) && /articles|homepages/.test(line) && statements.push(line)),
  },
})

contract('what leads to an entry', { ...world, log }, api => {
  let ada: Editor
  let ben: Editor
  const create = async (type: string, data: object) =>
    Number((await api.app.entries(`api::${type}.${type}`).create(data as never)).id)
  const ids: Record<string, number> = {}
  const links = async (editor: Editor, path: string) => {
    const { status, body, text } = await editor.get(`/console/links/${path}`)
    assert.equal(status, 200, text)
    return body.data.map((one: { uid: string; attribute: string; total: number; entries: { id: number }[] }) => [
      `${one.uid.split('.')[1]} ${one.attribute}`,
      one.total,
      one.entries.map(({ id }) => id),
    ])
  }

  it('is found by attribute, through components and zones, with drafts and all languages', async () => {
    ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    ben = await signIn(api.app, 'Author', 'ben@example.test')
    ids.eve = await create('author', { name: 'Eve' })
    ids.other = await create('author', { name: 'Other' })
    const author = ids.eve
    ids.plain = await create('article', { title: 'Plain', author })
    ids.draft = await create('article', { title: 'Draft', author, publishedAt: null })
    ids.quoted = await create('article', { title: 'Quoted', quote: { text: 'x', author } })
    ids.zone = await create('article', {
      title: 'Zone',
      author: ids.other,
      blocks: [
        { __component: 'shared.quote', author },
        { __component: 'shared.list', author, quotes: [{ text: 'a' }, { text: 'b', author }] },
      ],
    })
    ids.home = await create('homepage', { headline: 'Home', star: author })
    assert.deepEqual(await links(ada, `api::author.author/${author}`), [
      ['article author', 2, [ids.draft, ids.plain]],
      ['article quote.author', 1, [ids.quoted]],
      ['article blocks.author', 1, [ids.zone]],
      ['article blocks.quotes.author', 1, [ids.zone]],
      ['homepage star', 1, [ids.home]],
    ])
    assert.deepEqual(await links(ada, `api::author.author/${ids.other}`), [['article author', 1, [ids.zone]]])
  })

  it('shows the entries with what names them, and whether they are drafts', async () => {
    const { body } = await ada.get(`/console/links/api::author.author/${ids.eve}`)
    const [{ entries }, , , , home] = body.data
    assert.deepEqual(
      entries.map(({ title, locale, publishedAt }: Record<string, unknown>) => [title, locale, publishedAt === null]),
      [
        ['Draft', 'en', true],
        ['Plain', 'en', false],
      ],
    )
    assert.deepEqual(home.entries, [{ id: ids.home, title: 'Home' }])
  })

  it('has no link twice that is seen in the entry itself', async () => {
    ids.tag = await create('tag', { name: 'Rye' })
    ids.tagged = await create('article', { title: 'Tagged', tags: [ids.tag], related: [ids.plain] })
    assert.deepEqual(await links(ada, `api::tag.tag/${ids.tag}`), [['article tags', 1, [ids.tagged]]])
    assert.deepEqual(await links(ada, `api::article.article/${ids.tagged}`), [], 'authors and tags are its own')
    assert.deepEqual(await links(ada, `api::article.article/${ids.plain}`), [['article related', 1, [ids.tagged]]])
  })

  it('is found through a relation to any type', async () => {
    ids.about = await create('article', { title: 'About', about: { id: ids.tag, __type: 'api::tag.tag' } })
    const found = await links(ada, `api::tag.tag/${ids.tag}`)
    assert.deepEqual(found.at(-1), ['article about', 1, [ids.about]])
    assert.deepEqual(
      await links(ada, `api::author.author/${ids.tag}`).then(all => all.map(([name]: [string]) => name)),
      [
        ...['article author', 'article quote.author', 'article blocks.author', 'article blocks.quotes.author'],
        'homepage star',
      ],
    )
  })

  it('is told as far as the editor may find it', async () => {
    const { id } = (await api.app.entries(accountUid).first({ where: { email: { $eq: 'ben@example.test' } } })) ?? {}
    const one = await ben.ask('POST', '/console/api/authors', { data: { name: 'Own' } })
    assert.equal(one.status, 200, one.text)
    const own = one.body.data.id
    const mine = await ben.ask('POST', '/console/api/articles', { data: { title: 'Mine', author: own } })
    assert.equal(mine.status, 200, mine.text)
    await create('article', { title: 'Not mine', author: own })
    assert.equal(typeof id, 'number')
    assert.deepEqual(await links(ben, `api::author.author/${own}`), [['article author', 1, [mine.body.data.id]]])
    assert.equal((await links(ada, `api::author.author/${own}`))[0][1], 2)
    const hidden = await ben.get(`/console/links/api::author.author/${ids.eve}`)
    assert.deepEqual([hidden.status, hidden.body.error.name], [404, 'NotFoundError'])
  })

  for (const path of [
    'api::author.author/0',
    'api::author.author/99999',
    'api::author.author/99999999999999',
    'api::author.author/1%20or%201',
    'nowhere/1',
  ])
    it(`is a 404 for what is not there: ${path}`, async () =>
      assert.equal((await ada.get(`/console/links/${path}`)).status, 404))
  for (const uid of ['shared.quote', 'admin::role', 'constructor'])
    it(`is a 404 for what has no entries of its own: ${uid}`, async () =>
      assert.equal((await ada.get(`/console/links/${uid}/1`)).status, 404))

  it('takes the same number of statements for many entries, of which the latest five are shown', async () => {
    const author = await create('author', { name: 'Many' })
    const add = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        await create('article', { title: `A${index}`, author, blocks: [{ __component: 'shared.quote', author }] })
      }
    }
    const counted = async () => {
      const before = statements.length
      const found = await links(ada, `api::author.author/${author}`)
      return { count: statements.length - before, found }
    }
    await add(1)
    await counted()
    await add(1)
    const few = await counted()
    await add(20)
    const many = await counted()
    assert.equal(many.count, few.count)
    assert.deepEqual(
      many.found.map(([name, total, shown]: [string, number, number[]]) => [name, total, shown.length]),
      [
        ['article author', 22, 5],
        ['article blocks.author', 22, 5],
      ],
    )
  })
})
