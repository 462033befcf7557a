import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Answered, type GraphqlWorld, graphqlWorld } from './graphql-world.js'
import { type Who, words } from './whole/fill.js'

const articles = (fields: string, args = '') => `{ articles${args} { data { id attributes { ${fields} } } } }`
const accountUid = 'plugin::users-permissions.user'

/** Places where a filter can ask for a value that no caller may read; PART is the condition. */
const hiddenFilters = [
  ...['{ secretNote: PART }', '{ pin: PART }', '{ not: { secretNote: PART } }', '{ seo: { secretNote: PART } }'],
  ...['{ or: [{ and: [{ secretNote: PART }] }, { id: { eq: 1 } }] }', '{ author: { secretNote: PART } }'],
  ...['{ author: { pin: PART } }', '{ seo: { pin: PART } }', '{ seo: { social: { secretNote: PART } } }'],
  ...['{ owner: { password: PART } }', '{ owner: { resetPasswordToken: PART } }', '{ slides: { secretNote: PART } }'],
  ...['{ tags: { articles: { author: { pin: PART } } } }', '{ localizations: { pin: PART } }'],
  ...['{ tags: { not: { articles: { or: [{ secretNote: PART }] } } } }', '{ owner: { confirmationToken: PART } }'],
]
/** The same for relations that visitors may not follow. */
const closedFilters = [
  ...['{ vault: { code: PART } }', '{ memos: { text: PART } }', '{ slides: { vault: { code: PART } } }'],
  ...['{ owner: { username: PART } }', '{ author: { user: { email: PART } } }', '{ not: { vault: { code: PART } } }'],
  ...['{ tags: { articles: { vault: { code: PART } } } }', '{ slides: { memo: { text: PART } } }'],
]
const sorts = [
  ...['secretNote', 'pin', 'author.pin', 'author.secretNote', 'seo.secretNote:desc', 'seo.social.secretNote'],
  ...['owner.username', 'vault.code', 'memos.text', 'slides.memo.text', 'secretScan.name', 'secretTags.name'],
]

for (const dialect of ['spec', 'strapi4'] as const)
  describe(`GraphQL shows callers only what they may read (${dialect})`, () => {
    let world: GraphqlWorld
    beforeAll(async () => {
      world = await graphqlWorld({ dialect })
    })
    afterAll(() => world?.close())
    const ask = (who: Who, query: string, variables?: Readonly<Record<string, unknown>>) =>
      world.ask(who, query, variables)
    const refused = ({ errors, text }: Answered, code: string) => {
      assert.ok(errors.length > 0, text)
      for (const error of errors) assert.ok(error.startsWith(`${code}: `), error)
    }

    it('values of passwords are null, and private attributes are no fields', async () => {
      for (const who of ['visitor', 'editor', 'fullToken'] as const) {
        const { body } = await ask(who, articles('pin seo { pin }'))
        for (const { attributes } of body.data.articles.data)
          assert.deepEqual({ ...attributes }, { pin: null, seo: { pin: null } })
        for (const name of ['secretNote', 'secretScan { data { id } }', 'seo { secretNote }', 'createdBy { id }'])
          refused(await ask(who, articles(name)), 'GRAPHQL_VALIDATION_FAILED')
      }
      for (const name of ['password', 'resetPasswordToken', 'confirmationToken']) {
        const query = `{ usersPermissionsUsers { data { attributes { ${name} } } } }`
        const { body, errors } = await ask('fullToken', query)
        if (errors.length > 0) continue
        for (const { attributes } of body.data.usersPermissionsUsers.data) assert.equal(attributes[name], null)
      }
    })

    it('no filter asks for them, at any depth', async () => {
      for (const filter of hiddenFilters)
        for (const part of ['{ startsWith: "C" }', '{ not: { null: true } }', 'null']) {
          const query = articles('title', `(filters: ${filter.replaceAll('PART', part)})`)
          refused(await ask('fullToken', query), 'BAD_USER_INPUT')
        }
      for (const filter of closedFilters) {
        const args = `(filters: ${filter.replaceAll('PART', '{ startsWith: "C" }')})`
        refused(await ask('visitor', articles('title', args)), 'BAD_USER_INPUT')
        const below = `{ authors { data { attributes { articles${args} { data { id } } } } } }`
        refused(await ask('visitor', below), 'BAD_USER_INPUT')
      }
    })

    it('no order asks for them', async () => {
      for (const sort of sorts) {
        refused(await ask('visitor', articles('title', `(sort: "${sort}")`)), 'BAD_USER_INPUT')
        const below = `{ tags { data { attributes { articles(sort: ["id", "${sort}"]) { data { id } } } } } }`
        refused(await ask('visitor', below), 'BAD_USER_INPUT')
      }
    })

    it('variables ask for no more than texts', async () => {
      const filtered = `query ($f: ArticleFiltersInput) ${articles('title', '(filters: $f)')}`
      const part = { startsWith: 'C' }
      for (const f of [
        { secretNote: part },
        { pin: part },
        { and: [{ not: { pin: part } }] },
        { seo: { secretNote: part } },
        { author: { pin: part } },
        { tags: { articles: { author: { secretNote: part } } } },
      ])
        refused(await ask('fullToken', filtered, { f }), 'BAD_USER_INPUT')
      const sorted = `query ($s: [String]) ${articles('title', '(sort: $s)')}`
      for (const s of sorts) refused(await ask('visitor', sorted, { s: ['id', s] }), 'BAD_USER_INPUT')
    })

    it('fragments show no more than fields', async () => {
      const hidden = articles('blocks { ... on ComponentSharedSeo { pin social { network } } }')
      for (const { attributes } of (await ask('fullToken', hidden)).body.data.articles.data)
        for (const block of attributes.blocks) assert.ok(block?.pin === undefined || block.pin === null)
      for (const query of [
        articles('blocks { ... on ComponentSharedSeo { secretNote } }'),
        articles('blocks { ... on ComponentSharedSeo { social { secretNote } } }'),
        articles('anything { ... on Author { secretNote } }'),
        '{ articles { data { ...F } } } fragment F on ArticleEntity { attributes { ...G } } fragment G on Article { secretNote }',
        // The schema has no interfaces by which types could be met.
        '{ articles { data { ... on Node { id } } } }',
        '{ ...F } fragment F on Entity { id }',
      ])
        refused(await ask('fullToken', query), 'GRAPHQL_VALIDATION_FAILED')
    })

    it('what is written of them is not shown', async () => {
      const mutation = (fields: string) =>
        `mutation ($d: ArticleInput!) { createArticle(data: $d) { data { id attributes { ${fields} } } } }`
      const d = { title: 'written', pin: 'a pin', seo: { pin: 'a pin', secretNote: 'a note' } }
      const { body, text } = await ask('fullToken', mutation('title pin seo { pin }'), { d })
      const { id, attributes } = body.data.createArticle.data
      assert.deepEqual(attributes, { title: 'written', pin: null, seo: { pin: null } }, text)
      refused(await ask('fullToken', mutation('secretNote'), { d }), 'GRAPHQL_VALIDATION_FAILED')
      assert.doesNotMatch(
        (await ask('fullToken', `mutation { deleteArticle(id: ${id}) { data { attributes { pin } } } }`)).text,
        /a pin|\$2/,
      )
    })

    it('a relation that is refused below a root is null for every value of a variable, and the rest is shown', async () => {
      const below = 'articles(sort: "secretNote") { data { id } } again: articles(sort: "pin") { data { id } }'
      const query = `query ($n: ID) { authors(filters: { id: { gt: $n } }) { data { id attributes { name ${below} } } } }`
      for (const n of ['0', '-1', '-2']) {
        const answered = await ask('visitor', query, { n })
        refused(answered, 'BAD_USER_INPUT')
        const { data } = answered.body.data.authors
        assert.ok(data.length > 0, answered.text)
        for (const { attributes } of data) {
          assert.ok(attributes.name, answered.text)
          assert.deepEqual([attributes.articles, attributes.again], [null, null])
        }
      }
    })

    it('relations to closed types are null wherever they stand, and under every name', async () => {
      const vault = 'vault { __typename data { __typename id attributes { code } } }'
      for (const [fields, count] of [
        [`${vault} x: ${vault}`, 10],
        [`s: slides { ${vault} y: ${vault} }`, 20],
        [`blocks { ... on ComponentSharedSlide { ${vault} m: memo { data { id attributes { text } } } } }`, 10],
        [`blocks { ... on ComponentSharedQuote { m: memos { data { id attributes { text } } } } }`, 5],
        [`owner { data { id } } o: owner { data { attributes { username } } }`, 10],
      ] as const) {
        const { errors, text, body } = await ask('visitor', articles(fields))
        assert.deepEqual([...new Set(errors)], ['FORBIDDEN: Forbidden access'])
        assert.ok(errors.length >= count, text)
        assert.doesNotMatch(JSON.stringify(body.data), /Vault|"code":|"username":|Memo"/)
      }
      const { text } = await ask('visitor', articles('anything { __typename ... on Vault { code } }'))
      assert.doesNotMatch(text, /Vault|Memo|User/)
    })

    it('polymorphic relations show what the caller may find, and no more', async () => {
      const query =
        '{ article(id: 1) { data { attributes { anything { __typename ... on Memo { text } ... on Tag { name } } } } } }'
      const names = async (who: Who) =>
        (await ask(who, query)).body.data.article.data.attributes.anything.map(
          ({ __typename }: { __typename: string }) => __typename,
        )
      assert.deepEqual(await names('visitor'), ['Tag'])
      assert.deepEqual(
        (await names('alice')).filter((name: string) => name !== 'UsersPermissionsUser'),
        ['Memo', 'Tag'],
      )
    })

    it('rows that a rule hides are told by no answer', async () => {
      for (const who of ['alice', 'bob'] as const) {
        const memos = '{ memos { data { attributes { text owner { data { id } } } } meta { pagination { total } } } }'
        const { body } = await ask(who, memos)
        assert.equal(body.data.memos.data.length, 1)
        assert.equal(body.data.memos.meta.pagination.total, 1)
      }
      const { memoOfBob } = world.known.ids
      const { body } = await ask('alice', `{ memo(id: ${memoOfBob}) { data { id attributes { text } } } }`)
      assert.deepEqual(body.data.memo, { data: null })
      const questions = [
        articles('title', '(filters: { memos: { text: { startsWith: "TEXT" } } })'),
        articles('title', '(filters: { not: { memos: { text: { startsWith: "TEXT" } } } })'),
        articles('title', '(filters: { slides: { memo: { text: { startsWith: "TEXT" } } } })'),
        articles('title', '(filters: { author: { articles: { memos: { text: { startsWith: "TEXT" } } } } })'),
        articles('m: memos(filters: { text: { startsWith: "TEXT" } }) { data { id } }'),
        articles('slides(filters: { memo: { text: { startsWith: "TEXT" } } }) { id }'),
        '{ memos(filters: { or: [{ text: { startsWith: "TEXT" } }] }) { data { id } meta { pagination { total } } } }',
      ]
      for (const question of questions) {
        const [right, wrong] = await Promise.all(
          ['CANARYB', 'CANARYX'].map(text => ask('alice', question.replaceAll('TEXT', text))),
        )
        assert.equal(right?.text, wrong?.text)
      }
    })

    it('callers write only what rules and permissions let them', async () => {
      const { bob, memoOfBob, memoOfAlice } = world.known.ids
      const nothing = async (who: Who, mutation: string) => {
        const { body, text } = await ask(who, `mutation { a: ${mutation} }`)
        assert.ok(!body.data?.a?.data && !body.data?.a?.ok, text)
      }
      await nothing('alice', `updateMemo(id: ${memoOfBob}, data: { text: "mine" }) { data { id } }`)
      await nothing('alice', `deleteMemo(id: ${memoOfBob}) { data { id } }`)
      await nothing('alice', `updateMemo(id: ${memoOfAlice}, data: { owner: ${bob} }) { data { id } }`)
      await nothing('alice', `createMemo(data: { text: "x", owner: ${bob} }) { data { id } }`)
      await nothing('alice', `createArticle(data: { title: "x", owner: 1, memos: [${memoOfBob}] }) { data { id } }`)
      await nothing('alice', `updateUsersPermissionsUser(id: ${bob}, data: { username: "taken" }) { data { id } }`)
      await nothing('alice', `deleteUsersPermissionsUser(id: ${bob}) { data { id } }`)
      await nothing('visitor', 'createArticle(data: { title: "x" }) { data { id } }')
      await nothing('visitor', 'removeFile(id: 1) { data { id } }')
      await nothing('visitor', 'deleteUploadFile(id: 1) { data { id } }')
      await nothing('visitor', 'updateFileInfo(id: 1, info: { name: "x" }) { data { id } }')
      await nothing('editor', 'createUsersPermissionsRole(data: { name: "x" }) { ok }')
      await nothing('editor', 'deleteUsersPermissionsRole(id: 1) { ok }')
      await nothing('editor', 'updateUsersPermissionsRole(id: 1, data: { name: "x" }) { ok }')
      const { body } = await ask('bob', '{ memos { data { attributes { text } } } me { username role { name } } }')
      assert.equal(body.data.memos.data[0].attributes.text, words.ofBob)
      assert.equal(body.data.me.username, 'bob')
    })

    it('one document is answered to each caller by his own rights, in any order', async () => {
      const query = articles(
        'title owner { data { attributes { username } } } m: memos { data { attributes { text } } }',
      )
      const first = new Map<Who, string>()
      for (const who of [
        'visitor',
        'editor',
        'alice',
        'visitor',
        'bob',
        'fullToken',
        'alice',
        'editor',
        'bob',
      ] as const) {
        const { text } = await ask(who, query)
        assert.equal(text, first.get(who) ?? text)
        first.set(who, text)
      }
      assert.equal(new Set(first.values()).size, first.size)
    })

    it('accounts of roles are hidden from callers who may not find accounts, under every name', async () => {
      const users = 'users { data { id attributes { username } } }'
      const query = `{ usersPermissionsRoles { data { id attributes { name ${users} u: ${users} v: users(sort: "id") { data { id } } } } } }`
      for (const name of ['roles', 'roles-and-accounts', 'roles'] as const) {
        const isShown = name === 'roles-and-accounts'
        const { body, text } = await world.send('visitor', { query }, { authorization: `Bearer ${name}` })
        assert.ok(body.data.usersPermissionsRoles, `${name}: ${text}`)
        const [{ attributes }] = body.data.usersPermissionsRoles.data
        assert.equal(attributes.name, 'Authenticated')
        for (const key of ['users', 'u', 'v'])
          assert.equal((attributes[key]?.data ?? []).length > 0, isShown, `${name}: ${key}: ${text}`)
        assert.equal(text.includes('alice'), isShown)
      }
    })

    if (dialect === 'spec')
      it('drafts are shown to those who ask for them alone, at every depth', async () => {
        for (const query of [
          '{ tags { data { attributes { articles { data { attributes { title } } } } } } }',
          '{ authors { data { attributes { a: articles { data { attributes { title } } } } } } }',
          articles('title author { data { attributes { articles { data { attributes { title } } } } } }'),
          articles('title localizations { data { attributes { title } } }'),
          `{ tags(filters: { articles: { title: { startsWith: "${words.draft}" } } }) { data { id } } }`,
          `{ authors(filters: { articles: { title: { startsWith: "${words.draft}" } } }) { data { id } } }`,
        ]) {
          const { text, body } = await ask('visitor', query)
          assert.ok(query.includes(words.draft) || !text.includes(words.draft), text)
          if (query.includes(words.draft)) assert.deepEqual(Object.values(body.data), [{ data: [] }])
        }
        for (const locale of ['zz', "en' or 1=1 --", 'all,en']) {
          const query = 'query ($locale: I18NLocaleCode) { articles(locale: $locale) { data { id } } }'
          refused(await ask('visitor', query, { locale }), 'BAD_USER_INPUT')
        }
      })

    it('names are suggested only to callers who may ask for the schema', async () => {
      for (const [query, variables] of [
        ['{ vualt }'],
        ['{ vaults }'],
        ['{ articles { data { attributes { secretNot titel } } } }'],
        ['{ articles(filters: { secretNot: { eq: "a" } }) { data { id } } }'],
        ['{ articles(fliters: 1) { data { id } } }'],
        ['{ articles { ... on Vualt { id } } }'],
        ['mutation { createVualt }'],
        ['query ($a: VualtInput) { articles { data { id } } }'],
        ['{ articles(publicationState: LIV) { data { id } } }'],
        ['{ articles { data { id @skp } } }'],
        ['query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }', { f: { secretNot: {} } }],
        ['query ($s: PublicationState) { articles(publicationState: $s) { data { id } } }', { s: 'LIV' }],
      ] as const) {
        const { errors, status, text } = await ask('visitor', query, variables)
        assert.equal(status, 400)
        assert.ok(errors.length > 0)
        assert.doesNotMatch(text, /Did you mean|secretNote/)
      }
      for (const query of ['{ __schema { types { name } } }', '{ __type(name: "Vault") { name } }'])
        refused(await ask('fullToken', query), 'GRAPHQL_VALIDATION_FAILED')
    })

    it('what is wrong is refused in words that show no insides', async () => {
      for (const [query, variables] of [
        ['{ article(id: "1 or 1=1") { data { id } } }'],
        ['{ articles(pagination: { page: 2147483647, pageSize: 2147483647 }) { data { id } } }'],
        ['{ articles(filters: { id: { eq: "\\u0000" } }) { data { id } } }'],
        ['{ articles(filters: { extra: { contains: "\\u0000\'" } }) { data { id } } }'],
        ['{ articles(filters: { big: { gt: "99999999999999999999999999" } }) { data { id } } }'],
        ['{ articles(sort: ["id; drop table articles", "title:down"]) { data { id } } }'],
        ['query ($a: String, $b: String) { articles(sort: [$a, $b]) { data { id } } }'],
        ['mutation { createMessage(data: { text: "x", about: 999999 }) { data { id } } }'],
        ['mutation { createMessage(data: { text: "x", about: "1\' or" }) { data { id } } }'],
        ['mutation { resetPassword(code: "x", password: "abcdef12", passwordConfirmation: "abcdef12") { jwt } }'],
        ['query ($toString: String) { articles(sort: [$toString]) { data { id } } }'],
        ['query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }', { f: { constructor: 1 } }],
      ] as const)
        await ask('visitor', query, variables)
      const { body } = await ask('visitor', '{ tags { data { __proto__: id constructor: id } } }')
      assert.deepEqual(Object.keys(body.data.tags.data[0]), ['__proto__', 'constructor'])
      assert.equal(Object.keys(Object.prototype).length, 0)
      assert.deepEqual(world.faults, [])
    })

    it('a hash names the document that it is the hash of, and no other', async () => {
      const sha256Hash = createHash('sha256').update('{ tags { data { id } } }').digest('hex')
      const extensions = { persistedQuery: { version: 1, sha256Hash } }
      for (const query of ['{ authors { data { id } } }', '{ tags { data { id } } } ', '{ nope }']) {
        const { status } = await world.send('visitor', { query, extensions })
        assert.equal(status, 400)
        assert.match((await world.send('visitor', { extensions })).text, /PERSISTED_QUERY_NOT_FOUND/)
      }
      const hashOfWrong = createHash('sha256').update('{ nope }').digest('hex')
      const wrong = { persistedQuery: { version: 1, sha256Hash: hashOfWrong } }
      await world.send('visitor', { query: '{ nope }', extensions: wrong })
      assert.match((await world.send('visitor', { extensions: wrong })).text, /PERSISTED_QUERY_NOT_FOUND/)
      await world.send('alice', { query: '{ tags { data { id } } }', extensions })
      assert.match((await world.send('visitor', { extensions })).text, /"tags":/)
      for (const hash of ['__proto__', 'constructor', 'a'.repeat(500_000)]) {
        const named = { persistedQuery: { version: 1, sha256Hash: hash } }
        assert.match((await world.send('visitor', { extensions: named })).text, /PERSISTED_QUERY_NOT_FOUND/)
      }
    })

    it(`an account has the role that others gave it`, async () => {
      const { alice } = world.known.ids
      const role = async () =>
        (await world.app.entries(accountUid).first({ where: { id: { $eq: alice } }, populate: { role: true } }))?.role
      const before = await role()
      await ask('alice', `mutation { updateUsersPermissionsUser(id: ${alice}, data: { role: 4 }) { data { id } } }`)
      const rest = await role()
      assert.deepEqual(rest, before)
    })
  })

describe('GraphQL as a way around limits of others', () => {
  const signIn = 'login(input: { identifier: "alice", password: "wrong" }) { jwt }'

  it('each sign-in counts as one try, be they aliases or a batch', async () => {
    for (const isBatch of [false, true]) {
      const world = await graphqlWorld({ accounts: { ratelimit: { enabled: true, interval: 60_000, max: 5 } } })
      try {
        const aliases = Array.from({ length: 10 }, (_, index) => `a${index}: ${signIn}`)
        const { text } = await world.send(
          'visitor',
          isBatch
            ? aliases.map(query => ({ query: `mutation { ${query} }` }))
            : { query: `mutation { ${aliases.join(' ')} }` },
        )
        assert.equal(text.split('STRAPI_RATE_LIMIT_ERROR').length - 1, 5, text)
      } finally {
        await world.close()
      }
    }
  })

  it('a page of another origin sends nothing, where the settings say so', async () => {
    const world = await graphqlWorld({ settings: { apolloServer: { csrfPrevention: true } } })
    try {
      const query = 'mutation { createMessage(data: { text: "forged" }) { data { id } } }'
      for (const type of [
        ...['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''],
        ...['TEXT/PLAIN', 'text/plain; application/json', 'text/plain,application/json', ' text/plain'],
      ]) {
        const body = type.startsWith('application/x') ? `query=${encodeURIComponent(query)}` : JSON.stringify({ query })
        const { status } = await world.send('alice', body, { 'content-type': type })
        assert.equal(status, 400, type)
      }
      const { status } = await world.get('alice', `/graphql?query=${encodeURIComponent('{ tags { data { id } } }')}`)
      assert.equal(status, 400)
      assert.equal((await world.app.entries('api::message.message').find()).length, 0)
    } finally {
      await world.close()
    }
  })
})
