import { strict as assert } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { TestApp } from '../../../../core/index.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import type { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import { loaded, type PlainItem, refOf } from '../../../../plugins/console/model/form/plain.js'
import { parse } from '../../../../plugins/console/model/form/typed.js'
import { type Conflict, merge, type Side } from '../../../../plugins/console/model/merge/merge.js'
import type { FieldInfo } from '../../../../plugins/console/model/meta.js'
import { Dice } from '../../explorer/random.js'
import { Typist, told } from './typist.js'
import { type apps, Client, type DialectName, open } from './world.js'

const rounds = 80

/** One thing that an editor did, and whether an entry shows it. */
interface Deed {
  readonly path: readonly string[]
  readonly says: string
  readonly isIn: (entry: PlainItem) => boolean
}

/** The item on a path; undefined if it is not there. */
function itemAt(root: PlainItem, path: readonly string[]): PlainItem | undefined {
  let item: PlainItem | undefined = root
  for (let at = 0; item && at < path.length; at += 2) {
    const value: PlainItem['values'][string] | undefined = item.values[path[at] ?? '']
    item = value?.kind === 'items' ? value.items.find(one => refOf(one) === path[at + 1]) : undefined
  }
  return item
}

/** All that an editor did between two states of an entry. */
function deeds(kinds: Kinds, root: { before: PlainItem; after: PlainItem }, path: readonly string[] = []): Deed[] {
  const [before, after] = [itemAt(root.before, path), itemAt(root.after, path)]
  if (!before || !after) return []
  return kinds.shown(before.uid).flatMap((attribute): Deed[] => {
    const { name } = attribute
    const at = [...path, name]
    const [was, is] = [before.values[name], after.values[name]]
    const find = (entry: PlainItem) => itemAt(entry, path)?.values[name]
    if (was?.kind === 'typed' && is?.kind === 'typed') {
      const value = (typed: unknown) => parse(attribute as FieldInfo, typed).value
      const isIn = (entry: PlainItem) => {
        const now = find(entry)
        return now?.kind === 'typed' && isDeepStrictEqual(value(now.typed), value(is.typed))
      }
      return isDeepStrictEqual(value(was.typed), value(is.typed)) || attribute.type === 'password'
        ? []
        : [{ path: at, says: `typed ${JSON.stringify(is.typed)}`, isIn }]
    }
    if (was?.kind === 'links' && is?.kind === 'links') {
      const refs = (value: typeof was | undefined) => (value ? loaded(value.links).map(refOf) : [])
      const now = (entry: PlainItem) => {
        const value = find(entry)
        return value?.kind === 'links' ? refs(value) : []
      }
      const added = refs(is).filter(ref => !refs(was).includes(ref))
      const removed = refs(was).filter(ref => !refs(is).includes(ref))
      return [
        ...added.map(ref => ({ path: at, says: `added ${ref}`, isIn: (entry: PlainItem) => now(entry).includes(ref) })),
        ...removed.map(ref => ({
          path: at,
          says: `removed ${ref}`,
          isIn: (entry: PlainItem) => !now(entry).includes(ref),
        })),
      ]
    }
    if (was?.kind !== 'items' || is?.kind !== 'items') return []
    const items = (entry: PlainItem): readonly PlainItem[] => {
      const value = find(entry)
      return value?.kind === 'items' ? value.items : []
    }
    const stored = new Set(was.items.map(refOf))
    const left = new Set(is.items.map(refOf))
    return [
      ...is.items
        .filter(item => !stored.has(refOf(item)))
        .map(item => ({
          path: at,
          says: `made ${JSON.stringify(told(kinds, item))}`,
          isIn: (entry: PlainItem) => items(entry).some(one => isDeepStrictEqual(told(kinds, one), told(kinds, item))),
        })),
      ...was.items
        .filter(item => !left.has(refOf(item)))
        .map(item => ({
          path: [...at, refOf(item)],
          says: `removed ${refOf(item)}`,
          isIn: (entry: PlainItem) => !items(entry).some(one => refOf(one) === refOf(item)),
        })),
      ...was.items.filter(item => left.has(refOf(item))).flatMap(item => deeds(kinds, root, [...at, refOf(item)])),
    ]
  })
}

/** Somewhere on the way to it, the editor was asked. */
const isChosen = ({ path }: Deed, chosen: readonly Conflict[]): boolean =>
  chosen.some(conflict => conflict.what !== 'order' && conflict.path.every((step, index) => step === path[index]))

const worlds: readonly [name: keyof typeof apps, dialect: DialectName][] = [
  ['sample', 'spec'],
  ['sample', 'strapi4'],
  ['project', 'strapi4'],
]

for (const [name, dialect] of worlds)
  describe(`two editors of one entry of ${name} in ${dialect}`, () => {
    let app: TestApp
    let client: Client
    const ids = new Map<string, number[]>()
    // Types with much to change: others rarely meet a conflict.
    const uids = ['api::article.article', 'api::article.article', 'api::homepage.homepage', 'api::author.author']
    const dice = new Dice(17)
    const typist = new Typist(dice, ids)
    beforeAll(async () => {
      app = await open(name, dialect)
      client = new Client(app)
      for (const uid of [...app.types.types.keys()].filter(
        uid => client.kinds.type(uid)?.path && uid.startsWith('api::'),
      ))
        for (let index = 0; index < (client.type(uid).kind === 'singleType' ? 1 : 5); index += 1) {
          const form = new Form(client.kinds, client.type(uid), undefined)
          typist.fill(form)
          const { id } = await client.saved(form)
          ids.set(uid, [...(ids.get(uid) ?? []), Number(id)])
        }
    })
    afterAll(() => app?.close())

    it('lose no change without having chosen', async () => {
      const seen = { met: 0, values: 0, items: 0, orders: 0, merged: 0 }
      for (let round = 0; round < rounds; round += 1) {
        const uid = dice.one(uids)
        const id = dice.one(ids.get(uid) ?? [])
        const type = client.type(uid)
        const before = await client.read(uid, id)
        const [first, second] = [0, 1].map(() => new Form(client.kinds, type, before.plain)) as [Form, Form]
        typist.change(first, 0.4)
        typist.change(second, 0.4)
        const mine = second.root.plain()
        if (first.changes.value === 0 || second.changes.value === 0) continue
        await client.saved(first)
        const refused = await client.save(second, second.body(), { 'if-match': `"${before.updatedAt}"` })
        assert.equal(refused.status, 412, refused.text)
        const theirs = await client.read(uid, id)
        const sides = new Map<string, Side>()
        const three = { base: before.plain, theirs: theirs.plain, mine }
        const choose = (conflict: Conflict) => {
          const key = `${conflict.what} ${conflict.path.join('/')}`
          if (!sides.has(key)) sides.set(key, dice.one(['theirs', 'mine']))
          return sides.get(key) as Side
        }
        const { read, plain, conflicts } = merge(client.kinds, three, choose)
        const form = new Form(client.kinds, type, read, { plain })
        const body = form.body()
        const saved = await client.save(form, body, { 'if-match': `"${theirs.updatedAt}"` })
        assert.equal(saved.status, 200, `${JSON.stringify(body)}\n${saved.text}`)
        const now = (await client.read(uid, id)).plain
        assert.deepEqual(told(client.kinds, now), told(client.kinds, plain))
        const hers = deeds(client.kinds, { before: before.plain, after: theirs.plain })
        const his = deeds(client.kinds, { before: before.plain, after: mine })
        const lost = [...hers, ...his].filter(deed => !isChosen(deed, conflicts) && !deed.isIn(now))
        assert.deepEqual(
          lost.map(({ path, says }) => `${path.join('/')}: ${says}`),
          [],
          JSON.stringify(conflicts),
        )
        seen.met += conflicts.length > 0 ? 1 : 0
        seen.merged += hers.length > 0 && his.length > 0 ? 1 : 0
        for (const { what } of conflicts) seen[`${what}s`] += 1
        // What was chosen is there.
        for (const conflict of conflicts.filter(({ what }) => what === 'value')) {
          const side = sides.get(`value ${conflict.path.join('/')}`) === 'mine' ? his : hers
          const deed = side.find(({ path }) => isDeepStrictEqual(path, conflict.path))
          assert.ok(!deed || deed.isIn(now), JSON.stringify(conflict))
        }
      }
      assert.ok(Math.min(seen.met, seen.values, seen.merged) > 20 && seen.items > 0, JSON.stringify(seen))
    })
  })
