import { strict as assert } from 'node:assert'
import { describe } from 'vitest'
import { engines } from '../../support/engines.js'
import { type AttackedServer, type Attacks, attacks } from './attacked.js'
import { words } from './fill.js'

/**
 * Ways to ask whether there is a memo with a text, without being shown one. Alice may find her own memo only, so that
 * what she hears must not depend on whether TEXT is the beginning of Bob's memo or of nobody's.
 */
const questions = [
  '/api/memos?filters[text][$startsWith]=TEXT',
  '/api/memos?filters[$or][0][text][$startsWith]=TEXT',
  '/api/memos?filters[$not][text][$startsWith]=TEXT',
  '/api/memos?_q=TEXT',
  '/api/memos?filters[owner][username]=bob&filters[text][$startsWith]=TEXT',
  '/api/memos?filters[about][memos][text][$startsWith]=TEXT',
  '/api/memos/2?filters[text][$startsWith]=TEXT',
  '/api/articles?filters[memos][text][$startsWith]=TEXT',
  '/api/articles?filters[memos][text][$notContains]=TEXT',
  '/api/articles?filters[memos][text][$not][$startsWith]=TEXT',
  '/api/articles?filters[$not][memos][text][$startsWith]=TEXT',
  '/api/articles?filters[$or][0][memos][text][$startsWith]=TEXT',
  '/api/articles?filters[$and][0][memos][text][$startsWith]=TEXT',
  '/api/articles?filters[memos][$and][0][text][$startsWith]=TEXT',
  '/api/articles?filters[memos][text][$in][0]=TEXTOB',
  '/api/articles?filters[memos][text][$between][0]=TEXT&filters[memos][text][$between][1]=CANARYZ',
  '/api/articles?filters[slides][memo][text][$startsWith]=TEXT',
  '/api/articles?filters[slides][memo][$not][text][$startsWith]=TEXT',
  '/api/articles?filters[author][articles][memos][text][$startsWith]=TEXT',
  '/api/articles?filters[localizations][memos][text][$startsWith]=TEXT',
  '/api/articles?filters[localizations][slides][memo][text][$startsWith]=TEXT',
  '/api/articles/2?filters[memos][text][$startsWith]=TEXT',
  '/api/articles?populate[memos][filters][text][$startsWith]=TEXT',
  '/api/articles?populate[slides][filters][memo][text][$startsWith]=TEXT',
  '/api/articles?populate[slides][populate][memo][filters][text][$startsWith]=TEXT',
  '/api/articles?populate[blocks][on][shared.quote][filters][memos][text][$startsWith]=TEXT',
  '/api/articles?populate[blocks][on][shared.quote][populate][memos][filters][text][$startsWith]=TEXT',
  '/api/articles?populate[blocks][on][shared.slide][populate][memo][filters][text][$startsWith]=TEXT',
  '/api/articles?populate[anything][on][api::memo.memo][filters][text][$startsWith]=TEXT',
  '/api/articles?populate[author][filters][articles][memos][text][$startsWith]=TEXT',
  '/api/authors?filters[articles][memos][text][$startsWith]=TEXT',
  '/api/authors?populate[articles][filters][memos][text][$startsWith]=TEXT',
  '/api/tags?filters[articles][memos][text][$startsWith]=TEXT',
  '/api/homepage?filters[featured][text][$startsWith]=TEXT',
  '/api/homepage?populate[featured][filters][text][$startsWith]=TEXT',
]
/** Reads whose order, total or list would reveal the memo; these are the same whether Bob's memo exists or not. */
const shown = [
  '/api/memos',
  '/api/memos?sort=text',
  '/api/memos?locale=all&publicationState=preview',
  '/api/memos?pagination[pageSize]=1&pagination[page]=2',
  '/api/memos/2',
  '/api/articles?fields=id&sort=memos.text',
  '/api/articles?fields=id&sort=memos.text:desc',
  '/api/articles?fields=id&sort[memos][id]=desc',
  '/api/articles?fields=id&sort=slides.memo.text',
  '/api/articles?fields=id&filters[memos][id][$notNull]=true',
  '/api/articles?fields=id&filters[memos][id]=2',
  '/api/articles?fields=id&filters[memos]=2',
  '/api/articles?fields=id&filters[memos][$null]=true',
  '/api/articles?fields=id&filters[memos][id][$null]=true',
  '/api/articles?fields=id&populate=memos',
  '/api/articles?fields=id&populate[memos]=*',
  '/api/articles?fields=id&populate[slides][populate]=memo',
  '/api/articles?fields=id&populate[blocks][populate]=*',
  '/api/articles?fields=id&populate[blocks][on][shared.quote][populate]=memos',
  '/api/articles?fields=id&populate=anything',
  '/api/articles?fields=id&populate[anything][populate]=*',
  '/api/articles?fields=id&populate[author][populate][articles][populate]=memos',
  '/api/articles?fields=id&populate[localizations][populate]=memos',
  '/api/authors?fields=id&populate[articles][populate]=memos',
  '/api/homepage?populate=featured',
  '/api/users/me?populate=*',
]
const counted = [
  '/api/articles?fields=id&populate[memos][count]=true',
  '/api/articles?fields=id&populate[anything][count]=true',
  '/api/articles?fields=id&populate[anything][populate][memos][count]=true',
  '/api/homepage?populate[featured][count]=true',
  '/api/articles?fields=id&filters[anything][id]=2',
  '/api/articles?fields=id&filters[anything][text][$startsWith]=CANARYB',
]

/** The id that a refusal repeats is the client's own; the words around it must not differ. */
const withoutId = (message = ''): string => message.replace(/seen: \d+$/, 'seen: <id>')

const timeless = (text: string): string => text.replace(/"requestId":"[^"]+"|"updatedAt":"[^"]+"/g, '')

function suite({ attack }: Attacks, more: readonly string[]): void {
  for (const question of questions)
    attack(`no question tells of rows that a rule hides: ${question}`, async server => {
      const [right, wrong] = await Promise.all(
        ['CANARYB', 'CANARYX'].map(text => server.get('alice', question.replaceAll('TEXT', text))),
      )
      assert.equal(right?.status, wrong?.status)
      const [one, other] = [right, wrong].map(answer => timeless(answer?.text ?? '').replace(/CANARY[BX]/g, ''))
      assert.equal(one, other)
    })

  const without = async (server: AttackedServer, who: 'alice' | 'visitor', path: string) =>
    timeless((await server.get(who, path)).text)
  attack('no order, total or list depends on rows that a rule hides', async server => {
    const paths = [...shown, ...more]
    const before = new Map<string, string>()
    for (const path of paths) before.set(path, await without(server, 'alice', path))
    const { memoOfBob } = server.known.ids
    const { status } = await server.write('fullToken', 'PUT', `/api/memos/${memoOfBob}`, {
      data: { text: `ZZZ ${words.ofBob}` },
    })
    assert.equal(status, 200)
    for (const path of paths) assert.equal(await without(server, 'alice', path), before.get(path), path)
    await server.write('fullToken', 'PUT', `/api/memos/${memoOfBob}`, { data: { text: words.ofBob } })
  })

  attack('nobody changes, takes or gives away what a rule keeps from them', async server => {
    const { alice, bob, memoOfAlice, memoOfBob } = server.known.ids
    const refused = async (method: string, path: string, data: unknown, statuses: readonly number[]) => {
      const { status, text } = await server.write('alice', method, path, { data })
      assert.ok(statuses.includes(status), `${method} ${path} ${JSON.stringify(data)}: ${status} ${text}`)
    }
    await refused('PUT', `/api/memos/${memoOfBob}`, { text: 'mine now' }, [404])
    await refused('PUT', `/api/memos/${memoOfBob}?filters[id]=1`, { owner: alice }, [404])
    await refused('DELETE', `/api/memos/${memoOfBob}`, {}, [404])
    for (const owner of [bob, [bob], { id: bob }, { connect: [bob] }, { set: [bob] }, null, [], 999_999])
      await refused('PUT', `/api/memos/${memoOfAlice}`, { owner }, [400, 403])
    await refused('POST', '/api/memos', { text: 'for bob', owner: bob }, [400, 403])
    await refused('POST', '/api/memos', { text: 'for nobody' }, [403])
    await refused('POST', '/api/articles', { title: 'for bob', owner: bob }, [400, 403])
    const { body } = await server.get('bob', `/api/memos/${memoOfBob}?populate=owner`)
    assert.equal(body.data.attributes.text, words.ofBob)
  })

  attack('a row that a rule hides is linked no more than one that does not exist', async server => {
    const { alice, bob, memoOfBob } = server.known.ids
    const link = async (data: Record<string, unknown>) => {
      const { status, body } = await server.write('alice', 'POST', '/api/articles', {
        data: { title: 'a link', owner: alice, ...data },
      })
      return `${status} ${withoutId(body.error?.message)}`
    }
    for (const of of [
      (id: number) => ({ memos: [id] }),
      (id: number) => ({ memos: { connect: [{ id }] } }),
      (id: number) => ({ memos: { set: [id] } }),
      (id: number) => ({ slides: [{ caption: 'x', memo: id }] }),
      (id: number) => ({ blocks: [{ __component: 'shared.quote', memos: [id] }] }),
      (id: number) => ({ anything: [{ id, __type: 'api::memo.memo' }] }),
    ]) {
      assert.equal(await link(of(memoOfBob)), await link(of(999_999)))
      assert.match(await link(of(memoOfBob)), /^400 .*not exist/)
    }
    const user = 'plugin::users-permissions.user'
    const [one, other] = await Promise.all([bob, 999_999].map(id => link({ anything: [{ id, __type: user }] })))
    assert.equal(one, other)
    const { body } = await server.get('bob', '/api/memos?populate=about')
    assert.equal(body.data[0].attributes.about.data.id, 2)
  })

  attack(
    'an entry of a type that the caller may not find is linked no more than one that does not exist',
    async server => {
      const link = async (__type: string, id: number) => {
        const data = { text: 'a link', anything: [{ id, __type }] }
        const { status, body } = await server.write('visitor', 'POST', '/api/messages', { data })
        return `${status} ${withoutId(body.error?.message)}`
      }
      const closed = ['api::vault.vault', 'api::memo.memo', 'plugin::users-permissions.user', 'admin::user']
      const inner = [
        'admin::api-token',
        'plugin::users-permissions.session',
        'shared.seo',
        'plugin::users-permissions.role',
      ]
      for (const type of [...closed, ...inner]) {
        assert.equal(await link(type, 1), await link(type, 999_999), type)
        assert.match(await link(type, 1), /^400 .*not exist/, type)
      }
      assert.match(await link('api::tag.tag', 1), /^200/)
    },
  )

  attack('links to entries that the caller may not find outlive a change of the others', async server => {
    const types = async () => {
      const { body } = await server.get('fullToken', '/api/articles/1?populate=anything')
      const { anything } = body.data.attributes
      // The dialects differ in the envelopes.
      const entries: { __type?: string; attributes?: { __type: string } }[] = anything.data ?? anything
      return entries.map(one => one.attributes?.__type ?? one.__type)
    }
    const before = await types()
    for (const anything of [[], null, { set: [] }, { disconnect: [{ id: 1, __type: 'api::vault.vault' }] }]) {
      const { status, text } = await server.write('alice', 'PUT', '/api/articles/1', { data: { anything } })
      assert.equal(status, 200, text)
    }
    const after = await types()
    for (const type of ['api::vault.vault', 'admin::api-token'])
      assert.ok(before.includes(type) && after.includes(type))
    assert.ok(!after.includes('api::tag.tag'))
  })
}

describe('rows that a rule hides (spec)', () => suite(attacks('row rules, spec'), []))
describe('rows that a rule hides (strapi4)', () =>
  suite(attacks('row rules, strapi4', { dialect: 'strapi4' }), counted))

for (const engine of engines.filter(({ name }) => name !== 'sqlite'))
  (engine.available ? describe : describe.skip)(`rows that a rule hides on ${engine.name}`, () =>
    suite(
      attacks(`row rules, ${engine.name}`, async () => ({ database: (await engine.fresh()).database })),
      [],
    ),
  )
