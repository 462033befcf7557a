import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { TestApp } from '../../core/index.js'
import { type Body, contract, reads, refused } from '../support/contract.js'

const text = { type: 'string' }
const types = {
  page: { attributes: { title: text, zone: { type: 'dynamiczone', components: ['parts.quote'] } } },
}
const components = {
  'parts.quote': { attributes: { text } },
  'parts.photo': { attributes: { text } },
  'parts.table': { attributes: { text } },
}
const rows = async ({ entries }: TestApp) => {
  const pages = entries('api::page.page')
  await pages.create({ title: 'A', zone: [{ __component: 'parts.quote', text: 'listed' }] })
  await pages.create({ title: 'B', zone: [{ __component: 'parts.photo', text: 'not listed' }] })
}
const textsOf = ({ data }: Body) => data.attributes.zone.map(({ text: said }: { text: string }) => said)

contract('a zone that is open', { types, components, rows, rest: { openZones: true } }, api => {
  reads(api, '/pages/1', textsOf, [
    { says: 'looks for what stands in it, and fetches that', ask: '?populate=zone', gives: ['listed'], statements: 3 },
  ])
  reads(api, '/pages/2', textsOf, [
    { says: 'shows what it does not list', ask: '?populate=zone', gives: ['not listed'], statements: 3 },
    { says: 'shows it alone', ask: '?populate[zone][on][parts.photo]=true', gives: ['not listed'], statements: 3 },
    { says: 'and not where others are asked for', ask: '?populate[zone][on][parts.quote]=true', gives: [] },
  ])
})

const few = { openZones: true, limits: { statements: 3 } }
contract('what an open zone does not list', { types, components, rows, rest: few }, api => {
  it('takes nothing from what the rest of a request may cost', async () => {
    assert.equal((await api.get('/pages/2?populate=zone')).status, 200)
  })
})

contract('a zone that is not open', { types, components, rows: async () => undefined }, api => {
  it('refuses what it does not list, and names what it does', async () => {
    const answer = await api.send('POST', '/pages', { data: { zone: [{ __component: 'parts.photo' }] } })
    const message = 'zone[0].__component must be one of parts.quote'
    refused(answer, { status: 400, name: 'ValidationError', message })
  })
})
