import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Body, contract, type Refusal, reads, refused } from '../support/contract.js'

const ids = ({ data }: Body) => data.map((entry: Body) => entry.id).join()
const shown = ({ data }: Body) => data[0].attributes
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const world = {
  types: {
    item: {
      attributes: {
        title: { type: 'string' },
        size: { type: 'integer' },
        code: { type: 'biginteger' },
        secret: { type: 'string', private: true },
        owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner', inversedBy: 'items' },
        shadow: { type: 'relation', relation: 'oneToOne', target: 'api::owner.owner', private: true },
        seo: { type: 'component', component: 'shared.seo' },
        blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      },
    },
    owner: {
      attributes: {
        name: { type: 'string' },
        items: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'owner' },
      },
    },
  },
  components: {
    'shared.seo': {
      attributes: {
        text: { type: 'string' },
        by: { type: 'relation', relation: 'oneToOne', target: 'api::owner.owner' },
      },
    },
    'shared.quote': { attributes: { words: { type: 'string' } } },
  },
  rest: { public: true, maxParameters: 40 },
} as const

const rows: NonNullable<Parameters<typeof contract>[1]['rows']> = async ({ entries }) => {
  for (const name of ['Ann', 'Bob']) await entries('api::owner.owner').create({ name })
  for (const [index, title] of ['a', 'b', '{"$eq":"b"}', 'c'].entries())
    await entries('api::item.item').create({
      title,
      size: index,
      code: String(index),
      owner: (index % 2) + 1,
      seo: { text: `text ${index}`, by: 1 },
      blocks: [
        { __component: 'shared.quote', words: 'w' },
        { __component: 'shared.seo', text: 's', by: 2 },
      ],
    })
}

contract('JSON text in a query string', { ...world, rows }, api => {
  describe('stands for an object or a list, wherever one may stand', () => {
    reads(api, '/items', ids, [
      { says: 'all filters', ask: '?filters={"title":{"$eq":"b"}}', gives: '2' },
      { says: 'percent-encoded', ask: `?filters=${encoded({ title: { $in: ['a', 'b'] } })}`, gives: '1,2' },
      { says: 'with space around it', ask: '?filters=%20%0A{ "title": "b" }%20', gives: '2' },
      {
        says: 'a list of filters, all of which hold',
        ask: '?filters=[{"size":{"$gt":0}},{"size":{"$lt":2}}]',
        gives: '2',
      },
      {
        says: 'repeated, all of which hold',
        ask: '?filters={"size":{"$gt":0}}&filters={"size":{"$lt":2}}',
        gives: '2',
      },
      {
        says: 'next to brackets, all of which hold',
        ask: '?filters={"size":{"$gt":0}}&filters[size][$lt]=2',
        gives: '2',
      },
      { says: 'a group', ask: '?filters[$or]=[{"title":"a"},{"title":"c"}]', gives: '1,4' },
      { says: 'an item of a group', ask: '?filters[$or][0]={"title":"a"}&filters[$or][1][title]=c', gives: '1,4' },
      { says: 'a denial', ask: '?filters[$not]={"title":"a"}', gives: '2,3,4' },
      { says: 'a relation', ask: '?filters[owner]={"name":"Bob"}', gives: '2,4' },
      { says: 'a relation by its ids', ask: '?filters[owner]=[2]', gives: '2,4' },
      { says: 'a group of a relation', ask: '?filters[owner][$or]=[{"name":"Bob"},{"name":"Cid"}]', gives: '2,4' },
      { says: 'a component', ask: '?filters[seo]={"text":{"$endsWith":"1"}}', gives: '2' },
      { says: 'a group of conditions on an attribute', ask: '?filters[size][$or]=[{"$lt":1},{"$gt":2}]', gives: '1,4' },
      { says: 'sort as a list', ask: '?sort=["owner.name:desc","size:desc"]', gives: '4,2,3,1' },
      { says: 'sort as an object', ask: '?sort={"owner":{"name":"desc"},"size":"desc"}', gives: '4,2,3,1' },
      { says: 'sort of a relation', ask: '?sort[owner]={"name":"desc"}&sort[size]=desc', gives: '4,2,3,1' },
      { says: 'an item of sort', ask: '?sort[0]={"owner":{"name":"desc"}}&sort[1]=size:desc', gives: '4,2,3,1' },
      { says: 'the page', ask: '?pagination={"page":2,"pageSize":3}', gives: '4' },
      {
        says: 'the page as an offset, with words for its numbers',
        ask: '?pagination={"start":"1","limit":2}',
        gives: '2,3',
      },
    ])
    reads(api, '/items', body => Object.keys(shown(body)).join(), [
      {
        says: 'populate as a list of paths',
        ask: '?fields=title&populate=["owner.items","seo"]',
        gives: 'title,owner,seo',
      },
      { says: 'everything', ask: '?fields=title&populate=["*"]', gives: 'title,owner,seo,blocks' },
    ])
    reads(api, '/items', shown, [
      { says: 'fields', ask: '?fields=["title","size"]', gives: { title: 'a', size: 0 } },
      {
        says: 'populate as an object',
        ask: '?fields=title&populate={"owner":{"fields":["name"]}}',
        gives: { title: 'a', owner: { data: { id: 1, attributes: { name: 'Ann' } } } },
      },
      {
        says: 'one populated relation',
        ask: '?fields=title&populate[owner]={"fields":["name"],"populate":{"items":{"fields":"size","sort":"size:desc","filters":{"size":{"$lt":2}}}}}',
        gives: {
          title: 'a',
          owner: {
            data: { id: 1, attributes: { name: 'Ann', items: { data: [{ id: 1, attributes: { size: 0 } }] } } },
          },
        },
      },
      {
        says: 'the parameters of a populate, each by itself',
        ask: '?fields=title&populate[owner][fields]=["name"]&populate[owner][populate][items][filters]={"size":{"$gt":1}}&populate[owner][populate][items][sort]=["size"]&populate[owner][populate][items][fields]=["size"]',
        gives: {
          title: 'a',
          owner: {
            data: { id: 1, attributes: { name: 'Ann', items: { data: [{ id: 3, attributes: { size: 2 } }] } } },
          },
        },
      },
      {
        says: 'the components of a zone',
        ask: '?fields=title&populate[blocks][on]={"shared.seo":{"fields":["text"]}}',
        gives: { title: 'a', blocks: [{ id: 2, __component: 'shared.seo', text: 's' }] },
      },
      {
        says: 'one component of a zone',
        ask: '?fields=title&populate[blocks][on][shared.seo]={"fields":["text"]}',
        gives: { title: 'a', blocks: [{ id: 2, __component: 'shared.seo', text: 's' }] },
      },
      {
        says: 'what all components of a zone populate',
        ask: '?fields=title&populate[blocks][populate]={"by":{"fields":["name"]}}',
        gives: {
          title: 'a',
          blocks: [
            { id: 1, __component: 'shared.quote', words: 'w' },
            { id: 2, __component: 'shared.seo', text: 's', by: { data: { id: 2, attributes: { name: 'Bob' } } } },
          ],
        },
      },
    ])
  })

  describe('has numbers, truths and null, which mean what their words mean', () => {
    reads(api, '/items', ids, [
      { says: 'a number', ask: '?filters={"size":{"$gte":2}}', gives: '3,4' },
      { says: 'a number for a text', ask: '?filters={"title":5}', gives: '' },
      { says: 'a number of many digits', ask: '?filters={"code":{"$lte":1}}', gives: '1,2' },
      { says: 'an id', ask: '?filters={"owner":2}', gives: '2,4' },
      { says: 'true', ask: '?filters={"size":{"$null":true}}', gives: '' },
      { says: 'false', ask: '?filters={"size":{"$null":false}}', gives: '1,2,3,4' },
      { says: 'null', ask: '?filters={"size":null}', gives: '' },
      { says: 'null of an operator', ask: '?filters={"size":{"$ne":null}}', gives: '1,2,3,4' },
      { says: 'an empty list', ask: '?filters={"size":{"$in":[]}}', gives: '' },
      { says: 'nothing', ask: '?filters={}', gives: '1,2,3,4' },
      { says: 'a list of nothing', ask: '?filters={"$and":[]}&populate={}&sort=[]', gives: '1,2,3,4' },
    ])
  })

  describe('is not read where text may be meant', () => {
    reads(api, '/items', ids, [
      { says: 'a value', ask: '?filters[title]={"$eq":"b"}', gives: '3' },
      { says: 'a value of an operator', ask: '?filters[title][$eq]={"$eq":"b"}', gives: '3' },
      { says: 'a value in a list', ask: '?filters[title][$in]={"$eq":"b"}', gives: '3' },
      { says: 'a list of values', ask: '?filters[title][$in]=["a","b"]', gives: '' },
      { says: 'a value that is denied', ask: '?filters[title][$not]={"$eq":"b"}', gives: '1,2,4' },
      { says: 'a value that is no JSON', ask: '?filters[title]={', gives: '' },
      { says: 'a text to look for', ask: '?_q={"$eq":"b"}', gives: '3' },
      {
        says: 'the id of an operator, and the response says where JSON is read',
        ask: '?filters[owner][$eq]={"name":"Bob"}',
        fails: { status: 400, parameter: 'filters[owner][$eq]', message: /is not an id.*all of filters is/ },
      },
      {
        says: 'a number, and the response says where JSON is read',
        ask: '?filters[size]={"$gt":1}',
        fails: {
          status: 400,
          parameter: 'filters[size]',
          message:
            'filters[size]: "{"$gt":1}" is not a number; a value is not read as JSON, all of filters is: filters={...}',
        },
      },
    ])
  })

  const broken = (message: string, parameter: string, ask: string) => ({
    says: message,
    ask,
    fails: { status: 400, name: 'ValidationError', parameter, message: `${parameter}: is not valid JSON: ${message}` },
  })
  const early = (characters: number) =>
    `it ends after ${characters} characters and is not complete; & and + in it are written %26 and %2B`
  const odd = (at: number, text: string) => `character ${at}, at ${text}, is not expected there`
  describe('that is broken is refused, with the place where it breaks', () => {
    reads(api, '/items', ids, [
      broken(early(1), 'filters', '?filters={'),
      broken(early(10), 'filters', '?filters={"title":"'),
      broken(early(11), 'filters', '?filters={"title":"a&b"}'),
      broken(early(16), 'filters', String.raw`?filters={"title":"a\"b\}`),
      broken(odd(2, '"title:b}"'), 'filters', '?filters={title:b}'),
      broken(odd(10, '"b}"'), 'filters', '?filters={"title":b}'),
      broken(odd(10, `"'b'}"`), 'filters', `?filters={"title":'b'}`),
      broken(odd(13, '"]"'), 'filters', '?filters={"title":"b"]'),
      broken(odd(15, '"x"'), 'filters', '?filters={"title":"b"} x'),
      broken(odd(6, '"]"'), 'sort', '?sort=["a",]'),
      broken(odd(10, '"true}"'), 'filters', '?filters={"title" true}'),
      broken(odd(10, '"1}"'), 'filters', '?filters={"size":01}'),
      broken(odd(3, '"$eq"'), 'filters', '?filters=[[$eq'),
      broken(early(9), 'populate[owner]', '?populate[owner]={"fields"'),
      broken(early(9), 'populate[owner][populate]', '?populate[owner][populate]={"fields"'),
      broken(early(9), 'filters[owner]', '?filters[owner]={"fields"'),
      broken(early(9), 'filters[$or][1]', '?filters[$or][0][title]=a&filters[$or][1]={"fields"'),
      broken(early(1), 'pagination', '?pagination={'),
      broken(early(1), 'fields', '?fields=['),
    ])
  })

  describe('costs what the same costs in brackets', () => {
    const list = (length: number) => encoded({ size: { $in: Array.from({ length }, (_, index) => index) } })
    const tooMany = {
      status: 400,
      message: 'The query has more than 40 parameters; ask for less, or raise rest.maxParameters',
    }
    const deep = (depth: number) => `${'{"$not":'.repeat(depth)}{"size":1}${'}'.repeat(depth)}`
    reads(api, '/items', ids, [
      { says: 'as many values as parameters are accepted', ask: `?filters=${list(40)}`, gives: '1,2,3,4' },
      { says: 'one more', ask: `?filters=${list(41)}`, fails: tooMany },
      { says: 'together with those in brackets', ask: `?filters=${list(39)}&sort=size`, gives: '1,2,3,4' },
      { says: 'one more of them', ask: `?filters=${list(39)}&sort=size&fields=size`, fails: tooMany },
      { says: 'in several texts', ask: `?filters[0]=${list(20)}&filters[1]=${list(20)}`, gives: '1,2,3,4' },
      { says: 'one more in several texts', ask: `?filters[0]=${list(20)}&filters[1]=${list(21)}`, fails: tooMany },
      { says: 'lists of nothing', ask: `?filters=${encoded(Array(41).fill([]))}`, fails: tooMany },
      { says: 'depth', ask: `?filters=${encodeURIComponent(deep(40))}`, gives: '2' },
      {
        says: 'endless depth',
        ask: `?filters=${encodeURIComponent(deep(510))}`,
        fails: { status: 400, message: 'The query is nested more than 500 levels deep; ask for less' },
      },
      {
        says: 'endless depth of nothing',
        ask: `?filters=${'['.repeat(2000)}${']'.repeat(2000)}`,
        fails: { status: 400, message: 'The query is nested more than 500 levels deep; ask for less' },
      },
    ])
    it('in statements', async () => {
      const brackets = await api.get(
        '/items?filters[owner][name][$in][0]=Bob&populate[owner][fields][0]=name&sort[0]=size:desc&pagination[page]=1',
      )
      const json = await api.get(
        '/items?filters={"owner":{"name":{"$in":["Bob"]}}}&populate={"owner":{"fields":["name"]}}&sort=["size:desc"]&pagination={"page":1}',
      )
      assert.equal(brackets.status, 200, brackets.text)
      assert.equal(json.text, brackets.text)
      // A total that is known from before is not asked for again, and what is asked at once has no order.
      assert.deepEqual(
        json.statements.toSorted(),
        brackets.statements.filter(sql => json.statements.includes(sql)).toSorted(),
      )
      assert.ok(json.statements.length >= 1)
    })
  })

  describe('reveals and reaches nothing that brackets do not', () => {
    const unknown = (parameter: string): Refusal => ({ status: 400, parameter })
    reads(api, '/items', ids, [
      { says: 'a private attribute', ask: '?filters={"secret":"x"}', fails: unknown('filters[secret]') },
      { says: 'a private relation', ask: '?filters[shadow]={"name":"x"}', fails: unknown('filters[shadow]') },
      { says: 'a private relation, broken', ask: '?filters[shadow]={', fails: unknown('filters[shadow]') },
      { says: 'a private relation to populate', ask: '?populate={"shadow":true}', fails: unknown('populate[shadow]') },
      { says: 'a prototype', ask: '?filters={"__proto__":{"size":1}}', fails: unknown('filters[__proto__]') },
      { says: 'a prototype below', ask: '?filters={"$or":[{"__proto__":1}]}', fails: unknown('filters[__proto__]') },
      { says: 'a constructor', ask: '?filters={"constructor":1}', fails: unknown('filters[constructor]') },
      {
        says: 'a constructor in populate',
        ask: '?populate={"constructor":{"populate":"*"}}',
        fails: unknown('populate[constructor]'),
      },
      { says: 'an unknown operator', ask: '?filters={"size":{"$where":"1"}}', fails: unknown('filters[size][$where]') },
      {
        says: 'an object for a value',
        ask: '?filters={"size":{"$eq":{"$gt":0}}}',
        fails: unknown('filters[size][$eq]'),
      },
      { says: 'a list in a list', ask: '?filters={"size":{"$in":[[1]]}}', fails: unknown('filters[size][$in][0]') },
      { says: 'a number for filters', ask: '?filters[$or]=[1]', fails: unknown('filters[$or][0]') },
      { says: 'numbers for fields', ask: '?fields=[1]', fails: unknown('fields[0]') },
      { says: 'an unknown page', ask: '?pagination={"size":1}', fails: unknown('pagination[size]') },
      { says: 'half a page', ask: '?pagination={"page":1.5}', fails: unknown('pagination[page]') },
      {
        says: 'a number that JSON cannot hold',
        ask: '?filters={"code":9007199254740993}',
        fails: { status: 400, parameter: 'filters[code]', message: /write it as text/ },
      },
      { says: 'the last of two equal names', ask: '?filters={"size":1,"size":2}', gives: '3' },
      { says: 'a parameter of the same name in JSON', ask: '?{"filters":{"size":1}}', fails: { status: 400 } },
    ])
    it('changes no prototype', async () => {
      await api.get(`/items?filters=${encodeURIComponent('{"__proto__":{"polluted":1},"size":1}')}`)
      assert.equal(Reflect.get({}, 'polluted'), undefined)
    })
  })

  it('of one entry is read alike', async () => {
    const { body } = await api.get('/items/2?fields=["title"]&populate={"owner":{"fields":["name"]}}')
    assert.deepEqual(body.data.attributes, { title: 'b', owner: { data: { id: 2, attributes: { name: 'Bob' } } } })
    refused(await api.get('/items/2?populate={'), { status: 400, parameter: 'populate' })
  })
})

contract(
  'JSON text in the dialect of Strapi 4',
  { ...world, rows, rest: { ...world.rest, dialect: 'strapi4' } },
  api => {
    reads(api, '/items', ids, [
      { says: 'filters', ask: '?filters={"owner":{"name":"Bob"}}', gives: '2,4' },
      { says: 'a relation', ask: '?filters[owner]={"name":"Bob"}', gives: '2,4' },
      { says: 'a value is text', ask: '?filters[title]={"$eq":"b"}', gives: '3' },
      { says: 'a prototype is dropped', ask: '?filters={"__proto__":{"size":1},"size":1}', gives: '2' },
      {
        says: 'broken JSON says where it breaks, as no client of Strapi 4 sends it',
        ask: '?filters={"title":b}',
        fails: { status: 400, message: 'filters: is not valid JSON: character 10, at "b}", is not expected there' },
      },
    ])
  },
)
