import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { onSqlite } from '../../../support/engines.js'
import { type EditorsProject, openProjectOfEditors, type Person, people, type Replied } from './world.js'

const article = 'api::article.article'
const locales = ['en', 'de', 'fr'] as const
const owners = ['edda', 'anton', 'anna', 'tom', 'tess', 'tina', 'rita'] as const
const attributes = ['title', 'summary', 'internal_note', 'rating', 'secret', 'seo.metaTitle', 'seo.metaDescription']
const actions = ['read', 'create', 'update', 'publish', 'delete'] as const
type Locale = (typeof locales)[number]
type Action = (typeof actions)[number]

const roles: Readonly<Record<Person, readonly string[]>> = {
  ada: ['Super Admin'],
  edda: ['Editor'],
  anton: ['Author'],
  anna: ['Author'],
  tina: ['Translator'],
  tom: ['Team'],
  tess: ['Team'],
  rita: ['Translator', 'Author'],
}

/** A row of a role to articles, as the panel of Strapi 4.26.2 has stored it. */
interface Rule {
  readonly role: string
  readonly actions: readonly Action[]
  /** All where it is not said. */
  readonly fields?: readonly string[]
  readonly locales: readonly Locale[]
  readonly of: 'all' | 'own' | 'role'
  readonly reason: string
}

const rules: readonly Rule[] = [
  { role: 'Super Admin', actions, locales, of: 'all', reason: 'everything, by the code of the role' },
  { role: 'Editor', actions, locales, of: 'all', reason: 'no condition, three languages, all attributes' },
  {
    ...{ role: 'Author', actions: ['create', 'read', 'update', 'delete'], locales, of: 'own' },
    reason: 'is-creator, three languages, all attributes, and no row to publish',
  },
  {
    ...{ role: 'Translator', actions: ['read'], locales: ['en', 'de'], of: 'all' },
    fields: ['title', 'seo.metaTitle', 'seo.metaDescription'],
    reason: 'listed attributes of entries in English and German',
  },
  {
    ...{ role: 'Translator', actions: ['update'], locales: ['de'], of: 'all' },
    fields: ['title', 'seo.metaTitle'],
    reason: 'listed attributes of entries in German',
  },
  { role: 'Team', actions: ['create'], locales, of: 'all', reason: 'new entries without a condition' },
  {
    ...{ role: 'Team', actions: ['read', 'update', 'publish'], locales, of: 'role' },
    reason: 'has-same-role-as-creator, three languages, all attributes, and no row to delete',
  },
]

/** The rows where this server gives less than Strapi does, each with its reason. */
const stricter: readonly { readonly action: Action; readonly attribute: string; readonly reason: string }[] = [
  { action: 'read', attribute: 'secret', reason: 'a password is in no response, not even as a hash' },
]

interface Asked {
  readonly who: Person
  readonly action: Action
  readonly locale: Locale
  readonly owner: Person
}

const matching = ({ who, action, locale, owner }: Asked): readonly Rule[] =>
  rules.filter(
    rule =>
      roles[who].includes(rule.role) &&
      rule.actions.includes(action) &&
      rule.locales.includes(locale) &&
      (rule.of === 'all' ||
        (rule.of === 'own' && who === owner) ||
        (rule.of === 'role' && roles[who].some(role => roles[owner].includes(role)))),
  )

const gives = (found: readonly Rule[], action: Action, attribute: string): boolean =>
  found.some(({ fields }) => fields?.includes(attribute) ?? true) &&
  !stricter.some(one => one.action === action && one.attribute === attribute)

const has = (who: Person, action: Action): boolean =>
  rules.some(rule => roles[who].includes(rule.role) && rule.actions.includes(action))

const why = (asked: Asked, found: readonly Rule[], what = ''): string => {
  const { who, action, locale, owner } = asked
  const reasons = found.map(({ role, reason }) => `${role}: ${reason}`).join('; ')
  return `${who} ${action} ${what} of an article in ${locale} by ${owner}; ${reasons || 'no row holds'}`
}

const written = (attribute: string, value: unknown): Record<string, unknown> => {
  const [name = '', part] = attribute.split('.')
  return part === undefined ? { [name]: value } : { [name]: { [part]: value } }
}
const valueIn = (entry: unknown, attribute: string): unknown =>
  attribute.split('.').reduce<unknown>((value, name) => Object(value)[name], entry)

/** No reply of Strapi was recorded for these accounts: what is expected follows from their rows, by the rules of its panel. */
onSqlite('the rights of the recorded people to articles, one by one', () => {
  let open: EditorsProject
  const ids = new Map<string, number>()
  const values = { title: 'title', summary: 'summary', internal_note: 'note', rating: 4, secret: 'Secret-pass-1' }
  const seo = { metaTitle: 'meta', metaDescription: 'description' }
  const make = async (owner: Person, locale: Locale) => {
    const data = { ...values, seo, locale, publishedAt: null, createdBy: people[owner] }
    return Number((await open.app.entries(article).create(data, { given: true })).id)
  }
  const stored = async (id: number) =>
    (await open.app.entries(article).find({ where: { id }, everything: true, populate: { seo: true } }))[0]
  beforeAll(async () => {
    open = await openProjectOfEditors()
    for (const owner of owners) for (const locale of locales) ids.set(`${owner} ${locale}`, await make(owner, locale))
  })
  afterAll(() => open.close())

  const each = async (who: Person, action: Action, look: (asked: Asked, id: number) => Promise<void>) => {
    for (const owner of owners)
      for (const locale of locales) await look({ who, action, locale, owner }, ids.get(`${owner} ${locale}`) as number)
  }
  /** The status that a request about an entry has. */
  const expected = (asked: Asked, found: readonly Rule[]): number =>
    found.length > 0 ? 200 : has(asked.who, asked.action) ? 404 : 403
  const hasStatus = ({ status, body }: Replied, wanted: number, says: string) =>
    assert.equal(status, wanted, `${says} ${JSON.stringify(body)?.slice(0, 200)}`)

  for (const who of Object.keys(people) as Person[]) {
    it(`${who} reads`, () =>
      each(who, 'read', async (asked, id) => {
        const found = matching(asked)
        const reply = await open.as(who, 'GET', `/articles/${id}?populate=*`)
        hasStatus(reply, expected(asked, found), why(asked, found))
        if (reply.status !== 200) return
        for (const attribute of attributes)
          assert.equal(
            valueIn(reply.body.data.attributes, attribute) !== undefined,
            gives(found, 'read', attribute),
            why(asked, found, attribute),
          )
      }))

    it(`${who} updates`, () =>
      each(who, 'update', async (asked, id) => {
        const found = matching(asked)
        for (const attribute of attributes.filter(name => name !== 'secret')) {
          const value = attribute === 'rating' ? 1 : 'changed'
          const reply = await open.as(who, 'PUT', `/articles/${id}`, { data: written(attribute, value) })
          const says = why(asked, found, attribute)
          hasStatus(reply, expected(asked, found), says)
          assert.equal(valueIn(await stored(id), attribute) === value, gives(found, 'update', attribute), says)
          if (reply.status === 200) await open.app.entries(article).update(id, { ...values, seo })
        }
      }))

    it(`${who} publishes`, () =>
      each(who, 'publish', async (asked, id) => {
        const found = matching(asked)
        const reply = await open.as(who, 'POST', `/articles/${id}/actions/publish`)
        hasStatus(reply, expected(asked, found), why(asked, found))
        const { publishedAt } = (await stored(id)) ?? {}
        assert.equal(publishedAt !== null, found.length > 0, why(asked, found))
        await open.app.entries(article).update(id, { publishedAt: null })
        // Not by the way of an update either.
        const data = { publishedAt: '2020-01-01T00:00:00.000Z' }
        await open.as(who, 'PUT', `/articles/${id}`, { data })
        assert.equal((await stored(id))?.publishedAt, null, why(asked, found))
      }))

    it(`${who} creates, as a draft of their own`, async () => {
      for (const locale of locales) {
        const asked: Asked = { who, action: 'create', locale, owner: who }
        const found = matching(asked)
        const data = { title: 'new', locale, publishedAt: '2020-01-01T00:00:00.000Z', createdBy: people.ada }
        const reply = await open.as(who, 'POST', `/articles?locale=${locale}`, { data })
        hasStatus(reply, found.length > 0 ? 200 : 403, why(asked, found))
        if (reply.status !== 200) continue
        const where = {
          where: { id: Number(reply.body.data.id) },
          everything: true,
          populate: { createdBy: true },
        } as const
        const [made] = await open.app.entries(article).find(where)
        const { publishedAt, createdBy } = made ?? {}
        assert.deepEqual([publishedAt, Object(createdBy).id], [null, people[who]], why(asked, found))
      }
    })

    it(`${who} deletes`, () =>
      each(who, 'delete', async asked => {
        const found = matching(asked)
        const id = await make(asked.owner, asked.locale)
        hasStatus(await open.as(who, 'DELETE', `/articles/${id}`), expected(asked, found), why(asked, found))
        assert.equal((await stored(id)) === undefined, found.length > 0, why(asked, found))
      }))
  }
})
