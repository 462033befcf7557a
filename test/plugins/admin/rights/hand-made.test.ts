import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Answer, contract, type World } from '../../../support/contract.js'
import {
  article,
  as,
  author,
  editors,
  makeEditor,
  makeRole,
  may,
  newsroom,
  own,
  type RoleName,
  tag,
} from './newsroom.js'

type Json = Readonly<Record<string, unknown>>

const limited = {
  // Titles, and the texts of cards.
  corrector: [
    may('read', article, { fields: ['title', 'body', 'card.text', 'cards.text', 'tags', 'author'] }),
    may('update', article, { fields: ['title', 'card.text', 'cards.text', 'tags'] }),
    may('create', article, { fields: ['title', 'card.text', 'cards.text', 'tags'] }),
    may('read', tag, { fields: ['name'], conditions: [own] }),
    may('create', tag, { fields: ['name'] }),
    may('read', author, { fields: ['name'] }),
  ],
}
const corrector = Object.keys(editors).length + 1

const world = {
  ...newsroom,
  async rows(app) {
    await newsroom.rows(app)
    await makeEditor(app, 'corrector', [await makeRole(app, 'corrector', limited.corrector)])
    const author = { name: 'Ann', email: 'ann@example.test' }
    await app.entries('api::author.author').create(author)
    await app.entries('api::tag.tag').create({ name: 'hidden', weight: 5 })
  },
} as const satisfies World

contract('requests that no page of the console sends', world, api => {
  const as_ = (who: RoleName | 'corrector') => (who === 'corrector' ? { 'x-editor': String(corrector) } : as(who))
  const send = (who: RoleName | 'corrector', method: string, path: string, body?: unknown) =>
    api.send(method, path, body, as_(who))
  const entry = async (id: number) => {
    const populate = { card: true, cards: true, tags: true, author: true, createdBy: true, updatedBy: true }
    const [found] = await api.app.entries(article).find({ where: { id }, everything: true, populate })
    // biome-ignore lint/suspicious/noExplicitAny: an entry with all that is populated.
    return found as any
  }
  const made = async (more: Json = {}) => {
    const data = { title: 'made', body: 'text', memo: 'private', secret: 'a long secret', publishedAt: null }
    const card = { text: 'card', hint: 'kept', note: 'private part' }
    const known = {
      card,
      cards: [
        { text: 'one', hint: 'kept one' },
        { text: 'two', hint: 'kept two' },
      ],
      tags: [1],
      author: 1,
    }
    return Number((await api.app.entries(article).create({ ...data, ...known, ...more })).id)
  }
  const refusedAs = (status: number, { status: found, text }: Answer) => assert.equal(found, status, text)

  const hidden: readonly Json[] = [
    { body: 'x' },
    { memo: 'x' },
    { secret: 'another secret' },
    { author: null },
    { code: 'x' },
    { createdBy: 6 },
    { cover: 1 },
    { card: { text: 'x', hint: 'x' } },
    { card: { text: 'x', note: 'x' } },
    { cards: [{ text: 'x', hint: 'x' }] },
    { nothing: 1 },
  ]
  for (const data of hidden)
    it(`attributes that may not be written: ${JSON.stringify(data)}`, async () => {
      const id = await made()
      const before = await entry(id)
      for (const [method, path, body] of [
        ['PUT', `/articles/${id}`, { data: { title: 'taken', ...data } }],
        ['PATCH', `/articles/${id}`, { data: { title: 'taken', ...data } }],
        ['POST', '/articles/bulk', { operations: [{ update: id, data: { title: 'taken', ...data } }] }],
      ] as const) {
        const reply = await send('corrector', method, path, body)
        // The name of who wrote an entry is sent back as it was read, and has no effect.
        refusedAs('createdBy' in data ? 200 : 400, reply)
      }
      const { title, updatedAt, updatedBy, ...after } = await entry(id)
      const { title: _, updatedAt: __, updatedBy: ___, ...rest } = before
      assert.deepEqual(after, rest)
      if (!('createdBy' in data)) assert.equal(title, 'made')
    })

  /** Ways to write that need no id, and those that name the entry otherwise. */
  const furtherWays: Readonly<Record<string, (id: number, data: Json) => readonly [string, string, unknown]>> = {
    'a create': (_, data) => ['POST', '/articles', { data }],
    'a create among several': (_, data) => ['POST', '/articles/bulk', { operations: [{ create: data }] }],
    'an update among several, each for itself': (id, data) => [
      'POST',
      '/articles/bulk',
      { operations: [{ update: id, data }], atomic: false },
    ],
    'a localization': (id, data) => ['POST', `/articles/${id}/localizations`, { data: { ...data, locale: 'de' } }],
    'an entry within another one': (id, data) => ['PUT', `/articles/${id}`, { data: { children: { create: [data] } } }],
    'an update by a value': (id, data) => ['PUT', `/articles/by/code/value-${id}`, { data }],
  }
  const foreign: readonly Json[] = [
    ...[{ body: 'x' }, { memo: 'x' }, { secret: 'another secret' }, { author: 1 }, { code: 'taken' }, { cover: 1 }],
    ...[{ card: { text: 'x', hint: 'x' } }, { cards: [{ text: 'x', note: 'x' }] }, { nothing: 1 }],
    ...[{ 'card.hint': 'x' }, { 'seo.title': 'x' }, { 'author.email': 'x' }],
    ...[{ publishedAt: '2020-01-01T00:00:00.000Z' }, { publishAt: '2999-01-01T00:00:00.000Z' }],
  ]
  for (const [way, request] of Object.entries(furtherWays))
    it(`attributes that may not be written, by ${way}`, async () => {
      for (const data of foreign) {
        const id = await made()
        await api.app.entries(article).update(id, { code: `value-${id}` })
        const before = await entry(id)
        const count = await api.count('articles')
        const reply = await send('corrector', ...request(id, { title: 'taken', ...data }))
        const failure = reply.body?.results?.[0] ?? reply.body
        const isDropped = 'publishedAt' in data && /create|localization/.test(way)
        const why = `${way} ${JSON.stringify(data)} ${reply.text}`
        // A new entry is a draft, whatever is said of publishing.
        if (isDropped) assert.ok(reply.status === 200, why)
        else assert.ok((failure.error?.status ?? failure.status ?? reply.status) === 400, why)
        if (isDropped) continue
        assert.equal(await api.count('articles'), count, why)
        const { updatedAt: _, ...after } = await entry(id)
        const { updatedAt: __, ...same } = before
        assert.deepEqual(after, same, why)
      }
    })

  it('attributes that may not be written, by mutations of GraphQL', async () => {
    const mutate = async (query: string, variables: Json) =>
      (await api.send('POST', '/../graphql', { query, variables }, as_('corrector'))).body
    const id = await made()
    const before = await entry(id)
    const count = await api.count('articles')
    for (const data of [{ body: 'x' }, { memo: 'x' }, { secret: 'another secret' }, { author: 1 }, { code: 'taken' }]) {
      const update = 'mutation ($id: ID!, $data: ArticleInput!) { updateArticle(id: $id, data: $data) { data { id } } }'
      const create = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }'
      const sent = { title: 'taken', ...data }
      for (const body of [await mutate(update, { id, data: sent }), await mutate(create, { data: sent })])
        assert.ok(body.errors?.length > 0, JSON.stringify([data, body]))
    }
    assert.deepEqual(await entry(id), before)
    assert.equal(await api.count('articles'), count)
  })

  it('roles given to oneself, and accounts, by the routes of entries', async () => {
    for (const path of ['users', 'roles', 'permissions', 'admin/users', 'admin-users', 'admin_users'])
      for (const method of ['GET', 'POST', 'PUT'] as const) {
        const at = method === 'PUT' ? `/${path}/${corrector}` : `/${path}`
        const { status } = await send('corrector', method, at, { data: { roles: [1] } })
        assert.ok(status === 403 || status === 404 || status === 405, `${method} ${at} ${status}`)
      }
    for (const data of [{ createdBy: { roles: [1] } }, { updatedBy: { id: 1, roles: [1] } }]) {
      const id = await made()
      await send('corrector', 'PUT', `/articles/${id}`, { data: { title: 'x', ...data } })
    }
    const [account] = await api.app
      .entries('admin::user')
      .find({ where: { id: corrector }, everything: true, populate: { roles: true } })
    assert.deepEqual(
      ((account?.roles ?? []) as Json[]).map(({ code }) => code),
      ['corrector'],
    )
  })

  it('a component keeps the parts that its editor may not write', async () => {
    const id = await made()
    const { card, cards } = await entry(id)
    const items = [
      { id: cards[1].id, text: 'second' },
      { id: cards[0].id, text: 'first' },
    ]
    const data = { card: { text: 'changed' }, cards: items }
    refusedAs(200, await send('corrector', 'PUT', `/articles/${id}`, { data }))
    const after = await entry(id)
    assert.deepEqual(after.card, { ...card, text: 'changed' })
    const parts = after.cards.map(({ text, hint }: Json) => [text, hint])
    assert.deepEqual(parts, [
      ['second', 'kept two'],
      ['first', 'kept one'],
    ])
    // Removing one would remove what it keeps.
    refusedAs(400, await send('corrector', 'PUT', `/articles/${id}`, { data: { card: null } }))
    refusedAs(400, await send('corrector', 'PUT', `/articles/${id}`, { data: { cards: [] } }))
    assert.deepEqual((await entry(id)).card, { ...card, text: 'changed' })
  })

  it('relations lead to what the editor may find, and keep the rest', async () => {
    const id = await made()
    const tagsOf = async () => (await entry(id)).tags.map(({ name }: Json) => name)
    const mine = await send('corrector', 'POST', '/tags', { data: { name: 'mine' } })
    refusedAs(200, mine)
    refusedAs(400, await send('corrector', 'POST', '/tags', { data: { name: 'x', weight: 1 } }))
    const own = mine.body.data.id
    for (const [tags, gives] of [
      [{ connect: [own] }, ['hidden', 'mine']],
      [{ disconnect: [own] }, ['hidden']],
      [[own], ['hidden', 'mine']],
      [{ set: [] }, ['hidden']],
      [{ set: [own] }, ['hidden', 'mine']],
      [{ disconnect: [1] }, ['hidden', 'mine']],
      [[], ['hidden']],
      [null, ['hidden']],
    ] as const) {
      refusedAs(200, await send('corrector', 'PUT', `/articles/${id}`, { data: { tags } }))
      assert.deepEqual((await tagsOf()).sort(), gives, JSON.stringify(tags))
    }
    // A foreign one is as good as none.
    const other = await made({ tags: [] })
    refusedAs(400, await send('corrector', 'PUT', `/articles/${other}`, { data: { tags: [1] } }))
    assert.deepEqual((await entry(other)).tags, [])
  })

  it('entries of others, in every way', async () => {
    const id = await made({ code: 'foreign' })
    for (const [method, path, body] of [
      ['GET', `/articles/${id}?publicationState=preview`],
      ['GET', '/articles/by/code/foreign?publicationState=preview'],
      ['PUT', `/articles/${id}`, { data: { title: 'taken' } }],
      ['PATCH', `/articles/${id}`, { data: { title: 'taken' } }],
      ['PUT', `/articles/${id}`, { data: {} }],
      ['DELETE', `/articles/${id}`],
      ['DELETE', '/articles/by/code/foreign'],
      ['POST', `/articles/${id}/actions/publish`],
      ['POST', `/articles/${id}/actions/restore`],
      ['POST', `/articles/${id}/localizations`, { data: { locale: 'de', title: 'de' } }],
      ['GET', `/articles/${id}/versions?publicationState=preview`],
      ['POST', `/articles/${id}/versions/1/actions/restore`],
      ['POST', '/articles/bulk', { operations: [{ update: id, data: { title: 'taken' } }] }],
      ['POST', '/articles/bulk', { operations: [{ delete: id }] }],
      ['POST', '/articles/bulk', { operations: [{ publish: id }] }],
    ] as const)
      refusedAs(404, await send('reporter', method, path, body))
    refusedAs(400, await send('reporter', 'PUT', '/articles/by/code/foreign', { data: { title: 'taken' } }))
    const { body } = await api.send(
      'POST',
      '/../graphql',
      { query: `mutation { updateArticle(id: ${id}, data: { title: "taken" }) { data { id } } }` },
      as('reporter'),
    )
    assert.equal(body.data?.updateArticle?.data?.id, undefined)
    const { title, deletedAt } = await entry(id)
    assert.deepEqual([title, deletedAt], ['made', null])
  })

  it('an entry that is given to another editor, or taken', async () => {
    const mine = await send('reporter', 'POST', '/articles', { data: { title: 'mine', createdBy: editors.chief } })
    refusedAs(200, mine)
    assert.equal((await entry(mine.body.data.id)).createdBy.id, editors.reporter)
    refusedAs(
      200,
      await send('reporter', 'PUT', `/articles/${mine.body.data.id}`, { data: { createdBy: editors.chief } }),
    )
    const { createdBy, updatedBy } = await entry(mine.body.data.id)
    assert.deepEqual([createdBy.id, updatedBy.id], [editors.reporter, editors.reporter])
  })

  it('other languages', async () => {
    const [en, de, fr] = [await made(), await made({ locale: 'de' }), await made({ locale: 'fr' })]
    const change = (id: number) => send('translator', 'PUT', `/articles/${id}`, { data: { title: 'translated' } })
    refusedAs(404, await change(en))
    refusedAs(200, await change(de))
    refusedAs(404, await change(fr))
    refusedAs(200, await send('translator', 'GET', `/articles/${en}?publicationState=preview`))
    refusedAs(404, await send('translator', 'GET', `/articles/${fr}?publicationState=preview`))
    const add = (id: number, locale: string) =>
      send('translator', 'POST', `/articles/${id}/localizations`, { data: { locale, title: locale } })
    refusedAs(403, await add(en, 'fr'))
    refusedAs(404, await add(fr, 'de'))
    const added = await add(en, 'de')
    refusedAs(200, added)
    refusedAs(403, await add(added.body.data.id, 'fr'))
    for (const locale of ['en', 'fr'])
      refusedAs(403, await send('translator', 'POST', `/articles?locale=${locale}`, { data: { title: 'x' } }))
    refusedAs(403, await send('translator', 'POST', '/articles', { data: { title: 'x', locale: 'fr' } }))
    refusedAs(200, await send('translator', 'POST', '/articles', { data: { title: 'x', locale: 'de' } }))
    refusedAs(400, await send('translator', 'PUT', `/articles/${de}`, { data: { locale: 'en' } }))
    assert.equal((await entry(de)).locale, 'de')
  })

  it('the languages of an entry are told as far as its localizations may be read', async () => {
    const id = await made()
    for (const locale of ['de', 'fr'])
      refusedAs(200, await send('chief', 'POST', `/articles/${id}/localizations`, { data: { locale, title: locale } }))
    const all = 'populate=localizations&publicationState=preview'
    for (const [who, locales] of [
      ['chief', ['de', 'fr']],
      ['translator', ['de']],
    ] as const) {
      const { body, text } = await send(who, 'GET', `/articles/${id}?${all}`)
      assert.deepEqual(
        body.data.attributes.localizations.data.map((one: Json) => (one.attributes as Json).locale).sort(),
        locales,
      )
      assert.equal(text.includes('"fr"'), who === 'chief', text)
    }
  })

  it('numbers about entries count those that may be read', async () => {
    await made()
    await send('reporter', 'POST', '/articles', { data: { title: 'mine' } })
    const all = 'publicationState=preview&locale=all'
    const counted = async (who: RoleName) =>
      (await send(who, 'GET', `/articles/aggregate?${all}&measures[count]=*`)).body.data[0].count['*']
    for (const who of ['reporter', 'chief', 'translator'] as const) {
      const { body } = await send(who, 'GET', `/articles?${all}&pagination[withCount]=true`)
      assert.equal(await counted(who), body.meta.pagination.total)
    }
    assert.notEqual(await counted('reporter'), await counted('chief'))
    refusedAs(400, await send('translator', 'GET', `/articles/aggregate?${all}&groupBy=secret`))
    refusedAs(400, await send('corrector', 'GET', `/articles/aggregate?${all}&groupBy=memo`))
    refusedAs(400, await send('corrector', 'GET', `/articles/aggregate?${all}&groupBy=author.email`))
  })

  it('versions: neither hidden attributes nor those that may not be written come back', async () => {
    const id = await made({ body: 'first text', tags: [] })
    await api.app.entries(article).update(id, { title: 'second', body: 'second text', memo: 'second memo' })
    const version = await send('corrector', 'GET', `/articles/${id}/versions/1?publicationState=preview`)
    refusedAs(200, version)
    assert.doesNotMatch(version.text, /memo|secret|kept/)
    const { body } = await send('corrector', 'POST', `/articles/${id}/versions/1/actions/restore`)
    const after = await entry(id)
    assert.deepEqual([after.title, after.body, after.memo], ['made', 'second text', 'second memo'])
    assert.equal(body.meta.left.includes('body'), true)
  })

  it('queries by what may not be read', async () => {
    await made()
    for (const [who, query] of [
      ['corrector', 'filters[memo]=private'],
      ['corrector', 'filters[card][hint]=kept'],
      ['corrector', 'filters[cards][note]=x'],
      ['corrector', 'sort=memo'],
      ['corrector', 'sort=card.hint'],
      ['corrector', 'fields=memo'],
      ['corrector', 'filters[author][email]=ann@example.test'],
      ['corrector', 'sort=author.email'],
      ['corrector', 'filters[tags][weight]=5'],
      ['corrector', 'populate[card][fields]=hint'],
      ['corrector', 'populate[author][fields]=email'],
      ['corrector', 'populate=cover'],
      ['corrector', 'populate[author][populate]=articles'],
      ['chief', 'filters[secret][$notNull]=true'],
      ['chief', 'fields=secret'],
      ['chief', 'filters[createdBy][email][$contains]=@'],
      ['chief', 'filters[createdBy][password][$notNull]=true'],
      ['chief', 'populate[createdBy][fields]=password'],
      ['chief', 'filters[createdBy][roles][code]=chief'],
    ] as const)
      refusedAs(400, await send(who, 'GET', `/articles?publicationState=preview&${query}`))
    const all = 'publicationState=preview&populate=*'
    const { body } = await send('corrector', 'GET', `/articles?${all}`)
    assert.deepEqual(
      Object.keys(body.data[0].attributes).filter(name => !/At$|By$|locale|localizations/.test(name)),
      ['title', 'body', 'author', 'tags', 'card', 'cards'],
    )
    // A filter through tags counts those that may be found.
    const found = await send('corrector', 'GET', '/articles?publicationState=preview&filters[tags][name]=hidden')
    assert.deepEqual(found.body.data, [])
  })

  it('passwords are in no response', async () => {
    const id = await made()
    for (const path of [`/articles/${id}?populate=*&`, `/articles/${id}/versions?`, '/articles?'])
      assert.doesNotMatch(
        (await send('chief', 'GET', `${path}publicationState=preview`)).text,
        /\$2[aby]\$|a long secret/,
      )
    const copied = await send('chief', 'POST', `/articles/${id}/localizations`, { data: { locale: 'de', title: 'de' } })
    refusedAs(200, copied)
    assert.doesNotMatch(copied.text, /\$2[aby]\$|secret/)
  })

  it('types without any row, and routes of settings', async () => {
    for (const who of ['guest', 'corrector'] as const)
      for (const path of ['/page', '/upload/files', ...(who === 'guest' ? ['/articles', '/tags', '/articles/1'] : [])])
        refusedAs(403, await send(who, 'GET', path))
    refusedAs(403, await send('chief', 'POST', '/i18n/locales', { code: 'es' }))
    refusedAs(200, await send('guest', 'GET', '/i18n/locales'))
    refusedAs(403, await send('guest', 'POST', '/articles', { data: { title: 'x' } }))
    refusedAs(
      403,
      await send('chief', 'GET', '/articles?trash=only&filters[id]=0').then(async one => {
        // The trash is read with the entries; what is in it is purged by Super Admins.
        refusedAs(200, one)
        return send('chief', 'DELETE', '/articles/1?trash=only')
      }),
    )
  })
})
