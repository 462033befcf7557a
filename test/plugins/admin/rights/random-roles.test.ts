import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import type { PermissionRow } from '../../../../plugins/admin/rights/permissions.js'
import { type Api, start } from '../../../support/contract.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { article, makeEditor, makeRole, may, newsroom, own, tag } from './newsroom.js'

const sameRole = 'admin::has-same-role-as-creator'
const unknown = 'api::article.is-full-moon'
const attributes = ['title', 'body', 'code', 'memo', 'card.text', 'card.hint', 'tags'] as const
const locales = ['en', 'de', 'fr'] as const
const languages = ['en', 'de'] as const

/** The same numbers for the same seed. */
function drawnFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const some = <T>(list: readonly T[]): T[] => list.filter(() => next() < 0.5)
  return { next, one, some }
}

interface Drawn {
  readonly right: string
  readonly fields: readonly string[] | undefined
  readonly locales: readonly string[] | null | undefined
  readonly conditions: readonly string[]
}

interface Role {
  readonly id: number
  readonly drawn: readonly Drawn[]
}

interface Editor {
  readonly id: number
  readonly roles: readonly Role[]
}

interface Article {
  readonly id: number
  readonly locale: string
  readonly maker: Editor
}

onEveryEngine('drawn roles', engine => {
  let api: Api & { close(): Promise<void> }
  const editors: Editor[] = []
  const articles: Article[] = []
  const { next, one, some } = drawnFrom(20_261_129)

  const drawn = (right: string): Drawn => ({
    right,
    fields: next() < 0.2 ? undefined : some(attributes),
    locales: next() < 0.4 ? null : next() < 0.1 ? undefined : some(locales),
    conditions: one([[], [], [own], [sameRole], [own, sameRole], [unknown], [own, unknown]]),
  })

  const rowOf = ({ right, fields, locales, conditions }: Drawn): PermissionRow => ({
    ...may(right, article),
    properties: { ...(fields && right !== 'delete' && { fields }), ...(locales !== undefined && { locales }) },
    conditions,
  })

  beforeAll(async () => {
    api = await start(engine, newsroom)
    const roles: Role[] = []
    for (let index = 0; index < 8; index += 1) {
      const all = ['read', 'read', 'create', 'update', 'update', 'delete', 'publish']
        .filter(() => next() < 0.7)
        .map(drawn)
      roles.push({ id: await makeRole(api.app, `drawn-${index}`, [...all.map(rowOf), may('read', tag)]), drawn: all })
    }
    for (let index = 0; index < 12; index += 1) {
      const own = [...new Set([one(roles), one(roles)])]
      editors.push({
        id: await makeEditor(
          api.app,
          `drawn-${index}`,
          own.map(({ id }) => id),
        ),
        roles: own,
      })
    }
    for (let index = 0; index < 24; index += 1) {
      const [maker, locale] = [one(editors), one(languages)]
      const data = { title: `t${index}`, body: 'b', memo: 'm', code: `c${index}`, locale, publishedAt: null }
      const parts = { card: { text: 'x', hint: 'y' }, createdBy: maker.id }
      const { id } = await api.app.entries(article).create({ ...data, ...parts }, { given: true })
      articles.push({ id: Number(id), locale, maker })
    }
  })
  afterAll(() => api?.close())

  /** The plain rules: which permissions of an editor hold for an entry. */
  const holding = (editor: Editor, right: string, { locale, maker }: Article) =>
    editor.roles
      .flatMap(({ drawn }) => drawn)
      .filter(one => one.right === right)
      .filter(({ locales }) => locales === null || (locales ?? []).includes(locale))
      .filter(({ conditions }) => conditions.length === 0 || conditions.some(name => meets(name, editor, maker)))
  const meets = (name: string, editor: Editor, maker: Editor): boolean =>
    (name === own && maker.id === editor.id) ||
    (name === sameRole && maker.roles.some(role => editor.roles.some(({ id }) => id === role.id)))

  const has = (editor: Editor, right: string) =>
    editor.roles.some(({ drawn }) => drawn.some(one => one.right === right))
  /** What the permissions that hold for one entry give together, which is what Strapi 4 shows of it. */
  const named = (grants: readonly Drawn[]): ReadonlySet<string> =>
    new Set(
      grants.flatMap(
        ({ fields }) => fields ?? [...attributes, 'author', 'cards', 'cover', 'children', 'secret', 'card.note'],
      ),
    )

  /** The attributes that can be read of every entry which can, wherever it may come from. */
  const sharedBy = (editor: Editor): ReadonlySet<string> => {
    const grants = editor.roles.flatMap(({ drawn }) => drawn).filter(({ right }) => right === 'read')
    const kinds = (one: Drawn) => one.conditions.filter(name => name !== unknown)
    const isNever = (one: Drawn) =>
      one.locales === undefined || one.locales?.length === 0 || (one.conditions.length > 0 && kinds(one).length === 0)
    const isWithin = (inner: Drawn, outer: Drawn) =>
      (outer.locales === null || (inner.locales ?? [...locales, '']).every(one => outer.locales?.includes(one))) &&
      (outer.conditions.length === 0 ||
        (inner.conditions.length > 0 && kinds(inner).every(one => kinds(outer).includes(one))))
    const some = grants.filter(one => !isNever(one))
    const reached = some.length > 0 ? some : grants
    const each = reached.map(one => named(grants.filter(other => isWithin(one, other))))
    return new Set([...(each[0] ?? [])].filter(name => each.every(names => names.has(name))))
  }

  const send = (editor: Editor, method: string, path: string, body?: unknown) =>
    api.send(method, path, body, { 'x-editor': String(editor.id) })

  it('show the entries that the rules say, and of each what its rules give', async () => {
    const counts = { shown: 0, ofSome: 0 }
    for (const editor of editors) {
      const query = 'publicationState=preview&locale=all&pagination[limit]=100&populate=*&sort=id'
      const { status, body, text } = await send(editor, 'GET', `/articles?${query}`)
      if (!has(editor, 'read')) {
        assert.equal(status, 403, text)
        continue
      }
      assert.equal(status, 200, text)
      const seen = articles.filter(one => holding(editor, 'read', one).length > 0)
      assert.deepEqual(
        body.data.map(({ id }: { id: number }) => id),
        seen.map(({ id }) => id),
      )
      for (const { id, attributes: shown } of body.data) {
        const allowed = named(holding(editor, 'read', articles.find(one => one.id === id) as Article))
        for (const name of ['title', 'body', 'code', 'memo', 'tags'])
          assert.equal(name in shown, allowed.has(name), `${name} of ${id}`)
        for (const part of ['text', 'hint', 'note'])
          assert.equal(part in (shown.card ?? {}), allowed.has(`card.${part}`), `card.${part} of ${id}`)
        counts.shown += 1
        if (sharedBy(editor).size < allowed.size) counts.ofSome += 1
      }
    }
    assert.ok(counts.ofSome > 20 && counts.shown > counts.ofSome, JSON.stringify(counts))
  })

  it('filter and sort by what they give of all entries', async () => {
    for (const editor of editors.filter(one => has(one, 'read')))
      for (const name of ['title', 'body', 'code', 'memo']) {
        const isShared = sharedBy(editor).has(name)
        for (const query of [`filters[${name}]=x`, `sort=${name}`]) {
          const { status, text } = await send(editor, 'GET', `/articles?publicationState=preview&${query}`)
          assert.equal(status, isShared ? 200 : 400, `${query} ${text}`)
        }
      }
  })

  it('show all attributes where one permission alone holds for all entries', async () => {
    for (const editor of editors) {
      const reads = editor.roles.flatMap(({ drawn }) => drawn).filter(({ right }) => right === 'read')
      const [first] = reads
      if (reads.length !== 1 || !first) continue
      const { body } = await send(editor, 'GET', '/articles?publicationState=preview&locale=all&pagination[limit]=1')
      for (const name of ['title', 'body', 'code', 'memo'])
        for (const { attributes: shown } of body.data) assert.equal(name in shown, named([first]).has(name), name)
    }
  })

  it('change what the rules say, and nothing else', async () => {
    const values = { title: 'changed', body: 'changed', memo: 'changed', code: undefined }
    let changes = 0
    for (const editor of editors)
      for (const one of articles.filter((_, index) => index % 3 === 0))
        for (const [name, value] of Object.entries(values)) {
          const path = `/articles/${one.id}`
          const sent = value ?? `code ${editor.id} ${one.id}`
          const { status, text } = await send(editor, 'PUT', path, { data: { [name]: sent } })
          const isReached =
            holding(editor, 'update', one).length > 0 &&
            (!has(editor, 'read') || holding(editor, 'read', one).length > 0)
          const isAllowed = isReached && named(holding(editor, 'update', one)).has(name)
          if (!has(editor, 'update')) assert.equal(status, 403, text)
          else if (!isReached) assert.ok(status === 404 || status === 400, text)
          else assert.equal(status, isAllowed ? 200 : 400, text)
          if (status === 200) changes += 1
        }
    assert.ok(changes > 0)
  })

  it('make, publish and delete what the rules say', async () => {
    const counts = { create: 0, publish: 0, delete: 0 }
    for (const editor of editors) {
      for (const locale of languages) {
        const mine: Article = { id: 0, locale, maker: editor }
        const { status, text } = await send(editor, 'POST', `/articles?locale=${locale}`, { data: {} })
        assert.equal(status, holding(editor, 'create', mine).length > 0 ? 200 : 403, text)
        if (status === 200) counts.create += 1
      }
      for (const one of articles.slice(12, 18)) {
        const isRead = !has(editor, 'read') || holding(editor, 'read', one).length > 0
        const { status, text } = await send(editor, 'POST', `/articles/${one.id}/actions/publish`)
        const isAllowed = isRead && holding(editor, 'publish', one).length > 0
        assert.equal(status, !has(editor, 'publish') ? 403 : isAllowed ? 200 : 404, text)
        if (status === 200) counts.publish += 1
      }
      const target = articles[(editor.id * 5) % articles.length] as Article
      const isRead = !has(editor, 'read') || holding(editor, 'read', target).length > 0
      const { status, text } = await send(editor, 'DELETE', `/articles/${target.id}`)
      const isAllowed = isRead && holding(editor, 'delete', target).length > 0
      if (!has(editor, 'delete')) assert.equal(status, 403, text)
      else if (!isAllowed) assert.equal(status, 404, text)
      else if (status === 200) counts.delete += 1
    }
    assert.ok(counts.create > 0 && counts.publish > 0, JSON.stringify(counts))
  })
})
