import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { home } from '../cli/schema-home.js'
import { idsOf } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 180_000 })

const relation = (target: string, useJoinTable: boolean, more = {}) => ({
  ...{ type: 'relation', relation: 'manyToOne', target: `api::${target}.${target}`, useJoinTable },
  ...more,
})
const named = { attributes: { name: { type: 'string' } } }

/** Favourites whose relations have tables of their own, or are columns, which an index can make unique. */
const schemas = (inTable: boolean) => ({
  types: {
    favourite: {
      attributes: {
        post: relation('post', inTable, { inversedBy: 'favourites' }),
        owner: relation('owner', inTable),
      },
      ...(!inTable && { indexes: [{ attributes: ['post', 'owner'], unique: true }] }),
    },
    post: {
      attributes: {
        ...named.attributes,
        favourites: { type: 'relation', relation: 'oneToMany', target: 'api::favourite.favourite', mappedBy: 'post' },
      },
    },
    owner: named,
  },
})

onEveryEngine('a relation that gets a column in place of its table', engine => {
  it('keeps its links, except those of entries that the index forbids, which are told', async () => {
    const own = await home(engine)
    await own.during(schemas(true), async world => {
      for (const name of ['a', 'b']) {
        await world.make('/posts', { name })
        await world.make('/owners', { name })
      }
      for (const [post, owner] of [
        [1, 1],
        [2, 1],
        [1, 1],
        [1, null],
      ])
        await world.make('/favourites', { post, owner })
    })
    own.files(schemas(false))
    const plan = await own.json('plan')
    const told = JSON.stringify(plan)
    assert.match(told, /move 3 links of favourites_post_links to favourites.post_id/)
    assert.match(
      told,
      /move 1 link of favourites_post_links to favourites.post_id: the entry leads elsewhere already, or another one has the same post_id and owner_id/,
    )
    const applied = await own.say('apply', '--yes')
    assert.match(applied.out + applied.errors, /favourites_post_links/)
    await own.during(schemas(false), async world => {
      const linked = async (id: number) => {
        const answer = await world.get(`/favourites/${id}?populate=post,owner`)
        return [idsOf(answer, 'post'), idsOf(answer, 'owner')]
      }
      assert.deepEqual(
        [await linked(1), await linked(2), await linked(4)],
        [
          [1, 1],
          [2, 1],
          [1, null],
        ],
      )
      const double = await linked(3)
      assert.ok(double.includes(null), JSON.stringify(double))
      assert.deepEqual(idsOf(await world.get('/posts/2?populate=favourites'), 'favourites'), [2])
      assert.equal((await world.post('/favourites', { post: 1, owner: 1 })).status, 400)
      assert.equal((await world.post('/favourites', { post: 2, owner: 2 })).status, 200)
    })
    // The link that could not be moved is still there.
    const left = await own.sql('select count(*) as n from favourites_post_links')
    assert.equal(Number(Object.values(Object(left[0]))[0]), 1)
    await own.sql('delete from favourites_post_links')
    await own.sql('delete from favourites_owner_links')
    const settled = JSON.stringify(await own.json('plan'))
    assert.doesNotMatch(settled, /move \d/)
  })

  it('goes back to a table with all of them', async () => {
    const own = await home(engine)
    await own.during(schemas(false), async world => {
      await world.make('/posts', { name: 'a' })
      await world.make('/owners', { name: 'a' })
      await world.make('/favourites', { post: 1, owner: 1 })
      await world.make('/favourites', { post: 1 })
    })
    own.files(schemas(true))
    assert.match(JSON.stringify(await own.json('plan')), /move 2 links of favourites.post_id to favourites_post_links/)
    await own.say('apply', '--yes')
    await own.during(schemas(true), async world => {
      assert.deepEqual(idsOf(await world.get('/posts/1?populate=favourites'), 'favourites'), [1, 2])
      assert.equal(idsOf(await world.get('/favourites/1?populate=owner'), 'owner'), 1)
    })
  })
})
