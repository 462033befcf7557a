import assert from 'node:assert/strict'
import { beforeEach, it } from 'vitest'
import { type Caller, definePlugin, late } from '../../core/index.js'
import { bulk } from '../../plugins/bulk/index.js'
import { graphql } from '../../plugins/graphql/index.js'
import { patch } from '../../plugins/patch/index.js'
import { type Body, contract, refused } from '../support/contract.js'

type MoreFields = NonNullable<ReturnType<NonNullable<Caller['more']>>>[number]

const [note, tag] = ['api::note.note', 'api::tag.tag']
const tags = { type: 'relation', relation: 'manyToMany', target: tag } as const

/** Of their own notes they see the texts, of those in red the code, and of all of them the titles. */
const own: MoreFields = {
  rows: { owner: { $eq: late(({ id }) => id) } },
  fields: new Set(['text', 'tags', 'card.hint', 'zone.more']),
}
const red: MoreFields = { rows: { colour: { $eq: 'red' } }, fields: new Set(['code', 'parent', 'card.inner']) }
const shared = new Set(['title', 'colour', 'owner', 'card.text', 'zone.text', 'children'])

const fields: NonNullable<Caller['fields']> = (_, uid) => (uid === note ? shared : undefined)
const more: NonNullable<Caller['more']> = (action, uid) =>
  uid !== note ? undefined : action === 'create' || action === 'update' ? [own, red] : [own, red]
const caller = (id: number): Caller => ({ scope: 'people', id, can: () => true, fields, more })
/** Rights that do not differ from caller to caller. */
const fixed = {
  fields,
  more: (_: string, uid: string) => (uid === note ? [red] : undefined),
}
const people = new Map<string, Caller>([
  ['ann', caller(1)],
  ['ben', caller(2)],
  ['fixed', { scope: 'fixed', can: () => true, ...fixed }],
  ['plain', { scope: 'plain', can: () => true, fields }],
  ['admin', { scope: 'admin', can: () => true }],
])
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => people.get(String(headers['x-caller'] ?? 'admin')),
})

/** Something that others do between the first look at an entry and its write. */
const meanwhile = definePlugin({
  name: 'meanwhile',
  register: ({ entries }) => ({ entries }),
  hooks: {
    async beforeWrite(write, _, { entries }) {
      if (write.data.title === 'meanwhile') await entries(note).update(write.id as number, { colour: 'blue' })
      return write
    },
  },
})

const world = {
  types: {
    note: {
      attributes: {
        ...{ title: { type: 'string' }, text: { type: 'string' }, code: { type: 'string' } },
        ...{ colour: { type: 'string' }, owner: { type: 'integer' }, pin: { type: 'string', private: true } },
        card: { type: 'component', component: 'shared.card' },
        zone: { type: 'dynamiczone', components: ['shared.block', 'shared.other'] },
        tags,
        parent: { type: 'relation', relation: 'manyToOne', target: note, inversedBy: 'children' },
        children: { type: 'relation', relation: 'oneToMany', target: note, mappedBy: 'parent' },
      },
    },
    tag: { attributes: { name: { type: 'string' } } },
  },
  components: {
    'shared.inner': { attributes: { word: { type: 'string' } } },
    'shared.card': {
      attributes: {
        ...{ text: { type: 'string' }, hint: { type: 'string' }, never: { type: 'string' } },
        inner: { type: 'component', component: 'shared.inner' },
      },
    },
    'shared.block': { attributes: { text: { type: 'string' }, more: { type: 'string' } } },
    'shared.other': { attributes: { more: { type: 'string' } } },
  },
  plugins: [callers, meanwhile, bulk, patch, graphql],
  rest: { public: true },
  cached: true,
} as const

contract('attributes of some entries', world, api => {
  const as = (who: string) => ({ 'x-caller': who })
  const get = (who: string, path: string) => api.get(path, as(who))
  const ids = { annRed: 0, annBlue: 0, benRed: 0, benBlue: 0 }
  beforeEach(async () => {
    const all = api.app.entries(note)
    for (const { id } of await all.find({ fields: ['id'] })) await all.delete(Number(id))
    const word = await api.app.entries(tag).create({ name: 'word' })
    let parent: number | null = null
    for (const [name, owner, colour] of [
      ['annRed', 1, 'red'],
      ['annBlue', 1, 'blue'],
      ['benRed', 2, 'red'],
      ['benBlue', 2, 'blue'],
    ] as const) {
      const plain = { title: name, text: `text of ${name}`, code: `code of ${name}`, owner, colour, pin: 'pin' }
      const card = { text: 'card', hint: 'hint', never: 'never', inner: { word: 'inner' } }
      const zone = [
        { __component: 'shared.block', text: 'block', more: 'more' },
        { __component: 'shared.other', more: 'more' },
      ]
      const made = await all.create({ ...plain, card, zone, tags: [word.id], parent })
      ids[name] = parent = Number(made.id)
    }
  })
  const path = (id: number, query = '') => `/notes/${id}?populate=*${query}`
  const shown = ({ attributes }: Body) => Object.keys(attributes).filter(name => !/At$/.test(name))

  it('are shown where an entry is one of those, in lists and alone', async () => {
    const of = {
      annRed: ['title', 'text', 'code', 'colour', 'owner', 'card', 'zone', 'tags', 'parent', 'children'],
      annBlue: ['title', 'text', 'colour', 'owner', 'card', 'zone', 'tags', 'children'],
      benRed: ['title', 'code', 'colour', 'owner', 'card', 'zone', 'parent', 'children'],
      benBlue: ['title', 'colour', 'owner', 'card', 'zone', 'children'],
    }
    const { body } = await get('ann', '/notes?populate=*&sort=id')
    for (const [index, [name, names]] of Object.entries(of).entries()) {
      assert.deepEqual(shown(body.data[index]), names, name)
      const alone = await get('ann', path(ids[name as keyof typeof of]))
      assert.deepEqual(alone.body.data, body.data[index])
    }
    assert.equal(body.data[0].attributes.text, 'text of annRed')
    assert.equal(body.data[0].attributes.tags.data[0].attributes.name, 'word')
  })

  it('and so are parts of components, and of those in zones', async () => {
    const { body } = await get('ann', '/notes?populate[card][populate]=*&populate[zone][populate]=*&sort=id')
    const cards = body.data.map(({ attributes: { card } }: Body) => Object.keys(card).join())
    assert.deepEqual(cards, ['id,text,hint,inner', 'id,text,hint', 'id,text,inner', 'id,text'])
    const parts = ({ attributes: { zone } }: Body) => zone.map((item: Body) => Object.keys(item).join())
    assert.deepEqual(parts(body.data[0]), ['id,__component,text,more', 'id,__component,more'])
    assert.deepEqual(parts(body.data[2]), ['id,__component,text', 'id,__component'])
  })

  it('wherever in a response the entry stands, and one by one on its pages', async () => {
    const { body } = await get('ann', `${path(ids.annRed, '').replace('populate=*', 'populate[children][populate]=*')}`)
    const [child] = body.data.attributes.children.data
    assert.deepEqual(
      [child.attributes.title, child.attributes.text, 'code' in child.attributes],
      ['annBlue', 'text of annBlue', false],
    )
    const first = await get('ann', '/notes?sort=title&fields=title,text&pagination[after]=&pagination[limit]=3')
    assert.deepEqual(
      first.body.data.map(({ attributes }: Body) => Object.keys(attributes).join()),
      ['title,text', 'title,text', 'title'],
    )
    const next = `/notes?sort=title&fields=title,text&pagination[limit]=3&pagination[after]=${first.body.meta.pagination.next}`
    assert.deepEqual(
      (await get('ann', next)).body.data.map(({ attributes }: Body) => attributes),
      [{ title: 'benRed' }],
    )
  })

  it('take one statement for each attribute with entries, and none for each entry', async () => {
    const asked = '/notes?populate=*&pagination[withCount]=false'
    const { statements } = await get('ann', asked)
    // The list, a component, two components of a zone, and three relations.
    assert.equal(statements.length, 7, statements.join('\n'))
    await api.app.entries(note).create({ title: 'another', owner: 1, colour: 'red' })
    assert.equal((await get('ann', asked)).statements.length, 7)
    await api.app.entries(note).create({ title: 'more', owner: 1, colour: 'red' })
    const some = await get('ann', '/notes?fields=title&pagination[withCount]=false')
    assert.ok(!some.statements.join().includes('case when'), 'who asks for nothing of it pays nothing')
  })

  for (const query of [
    ...['filters[text]=x', 'filters[code][$notNull]=true', 'sort=text', 'sort=code', 'filters[tags][name]=word'],
    ...['filters[card][hint]=hint', 'sort=card.hint', 'filters[parent][title]=x', 'filters[$or][0][text]=x'],
    ...['populate[children][filters][text]=x', 'populate[children][sort]=code', 'filters[children][text]=x'],
    ...['fields=pin', 'populate[card][fields]=never', 'filters[pin]=pin'],
  ])
    it(`are named by no filter and no sort: ${query}`, async () => {
      refused(await get('ann', `/notes?${query}`), { status: 400 })
    })

  it('nor by numbers about entries', async () => {
    for (const query of ['groupBy=text', 'measures[max]=code', 'filters[text]=x', 'measures[count]=text'])
      refused(await get('ann', `/notes/aggregate?${query}`), { status: 400 })
  })

  it('are what each caller sees, whatever others have asked before', async () => {
    for (const who of ['ann', 'plain', 'ben', 'ann', 'fixed', 'admin', 'plain', 'ben']) {
      const { body } = await get(who, path(ids.annBlue))
      assert.equal('text' in body.data.attributes, who === 'ann' || who === 'admin', who)
    }
  })

  it('follow the entry at once, also where the response is cached', async () => {
    for (const who of ['ann', 'fixed']) {
      const code = async () => (await get(who, path(ids.annBlue))).body.data.attributes.code
      for (const colour of ['blue', 'red', 'blue', 'red']) {
        await api.app.entries(note).update(ids.annBlue, { colour })
        for (let time = 0; time < 3; time += 1)
          assert.equal(await code(), colour === 'red' ? 'code of annBlue' : undefined)
      }
    }
  })

  const ways: Readonly<Record<string, (id: number, data: object) => readonly [string, string, object]>> = {
    put: (id, data) => ['PUT', `/notes/${id}`, { data }],
    patch: (id, data) => ['PATCH', `/notes/${id}`, { data }],
    bulk: (id, data) => ['POST', '/notes/bulk', { operations: [{ update: id, data }] }],
  }
  for (const [way, request] of Object.entries(ways))
    it(`are written where the entry is one of those: ${way}`, async () => {
      const send = async (id: number, data: object) => {
        const [method, path, body] = request(id, data)
        return (await api.send(method, path, body, as('ann'))).status
      }
      const expected = {
        annRed: { text: 200, code: 200 },
        annBlue: { text: 200, code: 400 },
        benRed: { text: 400, code: 200 },
        benBlue: { text: 400, code: 400 },
      }
      for (const [name, statuses] of Object.entries(expected)) {
        const id = ids[name as keyof typeof ids]
        for (const [attribute, status] of Object.entries(statuses)) {
          assert.equal(await send(id, { title: 'changed', [attribute]: 'changed' }), status, `${name} ${attribute}`)
          const [entry] = await api.app.entries(note).find({ where: { id } })
          assert.equal(entry?.[attribute] === 'changed', status === 200)
        }
        assert.equal(await send(id, { pin: 'x' }), 400)
        assert.equal(await send(id, { title: 'by the usual right' }), 200)
      }
      assert.equal(await send(999_999, { text: 'x' }), 400)
    })

  it('and so are parts of components, of which the others stay', async () => {
    const send = (id: number, card: object) => api.send('PUT', `/notes/${id}`, { data: { card } }, as('ann'))
    assert.equal((await send(ids.annBlue, { hint: 'changed' })).status, 200)
    assert.equal((await send(ids.benRed, { hint: 'changed' })).status, 400)
    assert.equal((await send(ids.annBlue, { never: 'changed' })).status, 400)
    const cardOf = async (id: number) =>
      ((await api.app.entries(note).find({ where: { id }, populate: { card: true } }))[0] as Body).card
    const { id: _, ...changed } = await cardOf(ids.annBlue)
    assert.deepEqual(changed, { text: 'card', hint: 'changed', never: 'never' })
    assert.equal((await cardOf(ids.benRed)).hint, 'hint')
  })

  it('are written into a new entry that is one of those', async () => {
    const post = (data: object) => api.send('POST', '/notes', { data }, as('ann'))
    assert.equal((await post({ title: 'new', owner: 1, text: 'x' })).status, 200)
    assert.equal((await post({ title: 'new', owner: 2, colour: 'red', code: 'x' })).status, 200)
    const count = await api.count('notes')
    refused(await post({ title: 'new', owner: 2, text: 'x' }), { status: 400, message: /text/ })
    refused(await post({ title: 'new', owner: 1, colour: 'blue', code: 'x' }), { status: 400, message: /code/ })
    refused(await post({ title: 'new', owner: 1, pin: 'x' }), { status: 400, message: /pin/ })
    assert.equal(await api.count('notes'), count)
  })

  it('of an entry that a request makes one of those is what it was', async () => {
    const send = (id: number, data: object) => api.send('PUT', `/notes/${id}`, { data }, as('ann'))
    refused(await send(ids.benBlue, { colour: 'red', code: 'x' }), { status: 400, message: /code/ })
    assert.equal((await send(ids.benRed, { colour: 'blue', code: 'last' })).status, 200)
  })

  it('of an entry that is no longer one of those are not written', async () => {
    const data = { title: 'meanwhile', code: 'x' }
    refused(await api.send('PUT', `/notes/${ids.benRed}`, { data }, as('ann')), { status: 403 })
    const [entry] = await api.app.entries(note).find({ where: { id: ids.benRed } })
    assert.deepEqual([entry?.title, entry?.code, entry?.colour], ['benRed', 'code of benRed', 'blue'])
  })

  it('are those of REST in GraphQL', async () => {
    const query = `{ notes(sort: "id") { data { id attributes { title text code tags { data { id } } mine: text } } } }`
    const { body, text } = await api.send('POST', '/../graphql', { query }, as('ann'))
    const found = body.data?.notes?.data as Body[]
    assert.ok(found, text)
    assert.deepEqual(
      found.map(({ attributes: { text, code, mine } }) => [text, code, mine]),
      [
        ['text of annRed', 'code of annRed', 'text of annRed'],
        ['text of annBlue', null, 'text of annBlue'],
        [null, 'code of benRed', null],
        [null, null, null],
      ],
    )
  })
})
