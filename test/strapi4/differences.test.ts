import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { pristineOn } from './databases.js'
import { keyOf } from './fixture.js'
import { openProject } from './project.js'

/** Points in which the page says that responses differ from those of Strapi 4, and of which it has recorded none. */
onEveryEngine('a difference from Strapi 4 that the page lists', engine => {
  async function opened() {
    const { project, variables, drop } = await pristineOn(engine)
    onTestFinished(drop)
    const file = join(project.folder, 'src/components/shared/quote.json')
    const quote = JSON.parse(readFileSync(file, 'utf8'))
    quote.attributes.picks = { type: 'relation', relation: 'oneToMany', target: 'api::article.article' }
    quote.attributes.pick = { type: 'relation', relation: 'oneToOne', target: 'api::article.article' }
    writeFileSync(file, JSON.stringify(quote))
    const { send, close } = await openProject(project, variables)
    onTestFinished(close)
    const headers = { authorization: `Bearer ${keyOf('full')}` }
    return async (url: string, data?: object, method: 'GET' | 'POST' = data ? 'POST' : 'GET') => {
      const reply = await send({ method, url, headers, ...(data && { payload: { data } }) })
      return { status: reply.statusCode, body: JSON.parse(reply.payload) }
    }
  }

  it('groups of conditions at two levels both count', async () => {
    const ask = await opened()
    const group = 'filters[author][$or][0][id][$notNull]=true&filters[author][$or][1][id]=1'
    const other = 'filters[$or][0][title]=nothing%20has%20this&filters[$or][1][title]=nor%20this'
    for (const query of [`${group}&${other}`, `${other}&${group}`])
      assert.deepEqual((await ask(`/api/articles?${query}`)).body.data, [])
    assert.ok((await ask(`/api/articles?${group}`)).body.data.length > 0)
  })

  it('a list shows no drafts below a component that on picks, as in every populate', async () => {
    const ask = await opened()
    const made = async (data: object) => (await ask('/api/articles', data)).body.data.id as number
    const [draft, live] = [await made({ title: 'draft', publishedAt: null }), await made({ title: 'live' })]
    const owner = await made({
      title: 'owner',
      blocks: [{ __component: 'shared.quote', title: 'q', picks: [draft, live], pick: draft }],
    })
    const shown = async (more: string) => {
      const populate = ['picks', 'pick'].map(name => `populate[blocks][on][shared.quote][populate][${name}][fields]=id`)
      const { body } = await ask(`/api/articles?filters[id]=${owner}&${populate.join('&')}${more}`)
      const [{ picks, pick }] = body.data[0].attributes.blocks
      return [picks.data.map(({ id }: { id: number }) => id), pick.data?.id ?? null]
    }
    assert.deepEqual(await shown(''), [[live], null])
    assert.deepEqual(await shown('&publicationState=preview'), [[draft, live], draft])
  })

  it('a sort direction that does not exist is refused for one file too', async () => {
    const ask = await opened()
    const { status, body } = await ask('/api/upload/files/1?sort=ext:sideways')
    assert.deepEqual([status, body.error.name], [400, 'ValidationError'])
    assert.equal((await ask('/api/upload/files/1?sort=ext:asc')).status, 200)
  })
})
