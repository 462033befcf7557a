import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Body, contract, reads } from '../support/contract.js'

const ids = ({ data }: Body) => data.map((entry: Body) => entry.id).join()
const names = ({ data }: Body) => Object.keys(data[0]?.attributes ?? {}).join()

contract(
  'the query string',
  {
    types: {
      item: {
        attributes: {
          title: { type: 'string' },
          size: { type: 'integer' },
          owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner' },
        },
      },
      owner: { attributes: { name: { type: 'string' } } },
    },
    rows: async ({ entries }) => {
      await entries('api::owner.owner').create({ name: 'Ann' })
      const titles = ['a b', 'a+b', 'a&b', 'a=b', 'a%b', 'été', 'a,b', 'a[0]', 'a%20b', '日本']
      for (const [index, title] of titles.entries())
        await entries('api::item.item').create({ title, size: index, owner: 1 })
    },
  },
  api => {
    describe('is decoded once', () => {
      reads(api, '/items', ids, [
        { says: 'brackets as they are', ask: '?filters[title][$eq]=a,b', gives: '7' },
        { says: 'brackets encoded', ask: '?filters%5Btitle%5D%5B%24eq%5D=a%2Cb', gives: '7' },
        { says: 'brackets encoded in lower case', ask: '?filters%5btitle%5d%5b%24eq%5d=a%2cb', gives: '7' },
        { says: 'some brackets encoded', ask: '?filters[title%5D%5B$eq]=a,b', gives: '7' },
        { says: 'names encoded', ask: '?%66ilters[%74itle]=a,b', gives: '7' },
        { says: 'a plus is a space', ask: '?filters[title]=a+b', gives: '1' },
        { says: 'a space is a space', ask: '?filters[title]=a%20b', gives: '1' },
        { says: 'a plus is encoded', ask: '?filters[title]=a%2Bb', gives: '2' },
        { says: 'an ampersand is encoded', ask: '?filters[title]=a%26b', gives: '3' },
        { says: 'an equals sign needs no encoding', ask: '?filters[title]=a=b', gives: '4' },
        { says: 'a percent sign is encoded', ask: '?filters[title]=a%25b', gives: '5' },
        { says: 'letters beyond ASCII', ask: '?filters[title]=%C3%A9t%C3%A9', gives: '6' },
        { says: 'other scripts', ask: `?filters[title]=${encodeURIComponent('日本')}`, gives: '10' },
        { says: 'a comma is a comma', ask: '?filters[title]=a,b', gives: '7' },
        { says: 'brackets in a value', ask: '?filters[title]=a[0]', gives: '8' },
        { says: 'what was encoded twice is decoded once', ask: '?filters[title]=a%2520b', gives: '9' },
      ])
    })

    describe('has lists in many forms', () => {
      const both = '2,3'
      reads(api, '/items', ids, [
        { says: 'indexes', ask: '?filters[size][$in][0]=1&filters[size][$in][1]=2', gives: both },
        { says: 'no indexes', ask: '?filters[size][$in][]=1&filters[size][$in][]=2', gives: both },
        { says: 'repeated keys', ask: '?filters[size][$in]=1&filters[size][$in]=2', gives: both },
        { says: 'indexes with holes', ask: '?filters[size][$in][3]=1&filters[size][$in][9]=2', gives: both },
        { says: 'large indexes', ask: '?filters[size][$in][250]=1&filters[size][$in][999]=2', gives: both },
        { says: 'indexes in any order', ask: '?filters[size][$in][1]=1&filters[size][$in][0]=2', gives: both },
        { says: 'a list of one', ask: '?filters[size][$in][0]=1', gives: '2' },
        { says: 'a single value', ask: '?filters[size][$in]=1', gives: '2' },
      ])
      reads(api, '/items', names, [
        { says: 'a hole in a list of fields', ask: '?fields[0]=title&fields[5]=size', gives: 'title,size' },
        { says: 'the index decides the order', ask: '?fields[1]=title&fields[0]=size', gives: 'size,title' },
      ])
    })

    describe('may be untidy', () => {
      reads(api, '/items', ids, [
        { says: 'nothing behind the question mark', ask: '?&filters[size]=1', gives: '2' },
        { says: 'a trailing ampersand', ask: '?filters[size]=1&', gives: '2' },
        { says: 'doubled ampersands', ask: '?filters[size]=1&&sort=title', gives: '2' },
        {
          says: 'the order of the parameters does not matter',
          ask: '?sort=size:desc&filters[size][$lt]=2',
          gives: '2,1',
        },
      ])
      it('a lone question mark asks for nothing', async () => {
        assert.equal((await api.get('/items?')).body.data.length, 10)
      })
    })

    describe('names what is wrong', () => {
      reads(api, '/items', ids, [
        {
          says: 'an unknown parameter',
          ask: '?nope=1',
          fails: {
            status: 400,
            name: 'ValidationError',
            parameter: 'nope',
            message: /is not a parameter of api::item.item; there are fields, sort, filters/,
          },
        },
        { says: 'another letter case', ask: '?Filters[size]=1', fails: { status: 400, parameter: 'Filters' } },
        { says: 'words of other systems', ask: '?_limit=3', fails: { status: 400, parameter: '_limit' } },
        { says: 'words of the database', ask: '?where[size]=1', fails: { status: 400, parameter: 'where' } },
        {
          says: 'a parameter of a plugin that is off',
          ask: '?publicationState=live',
          fails: { status: 400, parameter: 'publicationState' },
        },
        { says: 'another one', ask: '?locale=en', fails: { status: 400, parameter: 'locale' } },
        { says: 'a bracket that is not closed', ask: '?filters[size=1', fails: { status: 400 } },
        {
          says: 'a name that every object has',
          ask: '?constructor=1',
          fails: { status: 400, parameter: 'constructor' },
        },
        { says: 'a prototype', ask: '?__proto__[x]=1', fails: { status: 400 } },
        { says: 'a prototype inside', ask: '?filters[__proto__][size]=1', fails: { status: 400 } },
        {
          says: 'what cannot be decoded',
          ask: '?filters[title]=%E0%A4%A',
          fails: { status: 400, parameter: 'filters[title]', message: /percent-encoded/ },
        },
        {
          says: 'half a percent sign',
          ask: '?filters[title]=100%',
          fails: { status: 400, parameter: 'filters[title]' },
        },
        { says: 'an unknown parameter of one entry', ask: '/1?nope=1', fails: { status: 400, parameter: 'nope' } },
        {
          says: 'an unknown parameter of an entry that is not there',
          ask: '/99?nope=1',
          fails: { status: 400, parameter: 'nope' },
        },
      ])
    })

    it('may be as deep as people write by hand, and endless brackets are refused', async () => {
      const nested = (depth: number) => `filters${'[$and][0]'.repeat(depth)}[size]=1`
      assert.equal(ids((await api.get(`/items?${nested(40)}`)).body), '2')
      const { status, body } = await api.get(`/items?${nested(300)}`)
      assert.equal(status, 400)
      assert.match(body.error.message, /levels deep/)
    })

    it('searches all texts with _q, whatever their case', async () => {
      assert.equal(ids((await api.get('/items?_q=A%2BB')).body), '2')
      assert.equal(ids((await api.get('/items?_q=%25')).body), '5,9')
      assert.equal((await api.get('/items?_q=')).body.data.length, 10)
      assert.equal(ids((await api.get('/items?_q=b&filters[size]=6')).body), '7')
    })
  },
)
