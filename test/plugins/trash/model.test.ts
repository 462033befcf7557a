import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Answer, type Body, contract, each } from '../../support/contract.js'
import { numbers } from '../../support/numbers.js'
import { world } from './world.js'

interface Entry {
  readonly id: number
  readonly rating: number
  readonly tag: number
  readonly parent: number | undefined
  state: 'here' | 'trash' | 'gone'
}

contract('the trash and a naive model of it', world, api => {
  it('agree on every way to meet an entry, whatever was deleted, restored and removed', async () => {
    const pick = numbers(20_261_124)
    const tags = await api.makeMany('/tags', 3)
    const all: Entry[] = []
    const inState = (...states: Entry['state'][]) => all.filter(({ state }) => states.includes(state))
    const done = new Set<number>()
    const one = (from: readonly Entry[]) => from[pick(from.length)]

    async function step(): Promise<void> {
      const kind = pick(8)
      done.add(kind)
      const target = one(inState(kind === 3 || kind === 7 ? 'here' : 'trash'))
      if (kind < 3 || !target) {
        const parent = one(inState('here'))?.id
        const [rating, tag] = [pick(9), tags[pick(3)] as number]
        const id = await api.make('/items', { title: 'm', rating, tags: [tag], ...(parent && { parent }) })
        all.push({ id, rating, tag, parent, state: 'here' })
      } else if (kind === 3 || kind === 7) {
        assert.equal((await api.delete(`/items/${target.id}`)).status, 200)
        target.state = 'trash'
      } else if (kind === 4) {
        assert.equal((await api.delete(`/items/${target.id}?trash=only`)).status, 200)
        target.state = 'gone'
      } else {
        assert.equal((await api.send('POST', `/items/${target.id}/actions/restore`)).status, 200)
        target.state = 'here'
      }
    }

    async function compare(): Promise<void> {
      const byId = (entries: readonly Entry[]) => entries.map(({ id }) => id)
      const here = inState('here')
      const visible = new Set(byId(here))
      const list = async (query: string) => (await api.get(`/items?pagination[pageSize]=100&${query}`)).body
      const sorted = [...here].sort((a, b) => b.rating - a.rating || a.id - b.id)
      const listed = await list('sort[0]=rating:desc&sort[1]=id')
      assert.deepEqual(each('id')(listed), byId(sorted))
      assert.equal(listed.meta.pagination.total, here.length)
      assert.deepEqual(each('id')(await list('sort=id&trash=only')), byId(inState('trash')))
      assert.deepEqual(each('id')(await list('sort=id&trash=with')), byId(inState('here', 'trash')))
      const walked: unknown[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { body: page }: Answer = await api.get(
          `/items?sort=rating&pagination[limit]=3&pagination[after]=${after}`,
        )
        walked.push(...each('id')(page))
        after = page.meta.pagination.next
      }
      assert.deepEqual(walked.sort(), byId(here).sort())
      const shown = await api.get('/tags?populate[items][sort]=id&sort=id&filters[id][$lte]=3')
      assert.deepEqual(
        shown.body.data.map(({ attributes }: Body) => attributes.items.data.map(({ id }: Body) => id)),
        tags.map(tag => byId(here.filter(entry => entry.tag === tag))),
      )
      const high = here.filter(({ rating }) => rating > 4).map(({ tag }) => tag)
      const filtered = await api.get('/tags?filters[items][rating][$gt]=4&sort=id')
      assert.deepEqual(each('id')(filtered.body), [...new Set(high)].sort())
      const parents = await list('sort=id&populate=parent')
      assert.deepEqual(
        parents.data.map(({ attributes }: Body) => attributes.parent.data?.id),
        here.map(({ parent }) => (parent !== undefined && visible.has(parent) ? parent : undefined)),
      )
      const orphans = await list('sort=id&filters[parent][id][$null]=true')
      assert.deepEqual(
        each('id')(orphans),
        byId(here.filter(({ parent }) => parent === undefined || !visible.has(parent))),
      )
      const grouped = await api.get('/items/aggregate?groupBy[0]=rating&measures[count]=*&sort=rating')
      const counts = new Map<number, number>()
      for (const { rating } of [...here].sort((a, b) => a.rating - b.rating))
        counts.set(rating, (counts.get(rating) ?? 0) + 1)
      assert.deepEqual(
        grouped.body.data.map(({ group, count }: Body) => [group.rating, count['*']]),
        [...counts],
      )
      for (const { id, state } of all) {
        assert.equal((await api.get(`/items/${id}?fields=id`)).status, state === 'here' ? 200 : 404)
        assert.equal((await api.get(`/items/${id}?fields=id&trash=only`)).status, state === 'trash' ? 200 : 404)
      }
    }

    for (let round = 0; round < 6; round += 1) {
      for (let steps = 0; steps < 16; steps += 1) await step()
      await compare()
    }
    assert.equal(done.size, 8)
    assert.ok(inState('gone').length > 0 && inState('here').length > 5)
  })
})
