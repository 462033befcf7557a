import assert from 'node:assert/strict'
import { it } from 'vitest'
import { upload } from '../../plugins/upload/index.js'
import { type Body, contract, refused, type World } from '../support/contract.js'

const relation = (relation: string, more: object = {}) => ({ type: 'relation', relation, ...more })
const types: World['types'] = {
  cat: {
    attributes: {
      name: { type: 'string' },
      age: { type: 'integer' },
      secret: { type: 'string', private: true },
      pic: { type: 'media' },
      tags: relation('morphMany', { target: 'api::tag.tag', morphBy: 'related' }),
      labels: relation('morphMany', { target: 'api::tag.tag', morphBy: 'related' }),
      star: relation('morphOne', { target: 'api::star.star', morphBy: 'owner' }),
      home: relation('manyToOne', { target: 'api::home.home', inversedBy: 'cats' }),
      card: { type: 'component', component: 'shared.card' },
    },
  },
  home: {
    attributes: {
      street: { type: 'string' },
      cats: relation('oneToMany', { target: 'api::cat.cat', mappedBy: 'home' }),
    },
  },
  tag: { attributes: { name: { type: 'string' }, related: relation('morphToMany') } },
  star: { attributes: { name: { type: 'string' }, owner: relation('morphToOne') } },
}
const components: NonNullable<World['components']> = {
  'shared.card': { attributes: { text: { type: 'string' }, photo: { type: 'media' } } },
}
const file = { mime: 'text/plain', ext: '.txt', size: 1, url: '/a', provider: 'local' }
const cat = (id: number, more: object = {}) => ({ id, __type: 'api::cat.cat', ...more })

const rows: World['rows'] = async ({ entries }) => {
  for (const name of ['pic', 'photo']) await entries('plugin::upload.file').create({ ...file, name, hash: name })
  await entries('api::home.home').create({ street: 'Elm' })
  const card = { text: 'hello', photo: 2 }
  await entries('api::cat.cat').create({ name: 'Tom', age: 3, secret: 'x', pic: 1, home: 1, card })
  await entries('api::cat.cat').create({ name: 'Kit', age: 1 })
  const both = [cat(2), cat(1), { id: 1, __type: 'api::home.home' }]
  await entries('api::tag.tag').create({ name: 'cute', related: both })
  await entries('api::tag.tag').create({ name: 'lonely' })
  await entries('api::star.star').create({ name: 'gold', owner: cat(1) })
  await entries('api::star.star').create({ name: 'none' })
}

const plugins: World['plugins'] = [upload]
const strip = (value: unknown): Body =>
  JSON.parse(JSON.stringify(value, (key, inner) => (/^(createdAt|updatedAt)$/.test(key) ? undefined : inner)))
const list = (value: Body) => value.map(({ id, __type }: Body) => `${__type} ${id}`)
const tom = ['id', 'name', 'age']

contract(
  'polymorphic relations in strapi4',
  { types, components, rows, plugins, rest: { dialect: 'strapi4' } },
  api => {
    const of = async (path: string) => {
      const { status, body } = await api.get(path)
      assert.equal(status, 200, JSON.stringify(body))
      return strip(body.data.attributes)
    }

    it('a list of entries of any type is a plain list, each with its type', async () => {
      const { related } = await of('/tags/1?populate=related')
      assert.deepEqual(related, [
        { __type: 'api::cat.cat', id: 2, name: 'Kit', age: 1 },
        { __type: 'api::cat.cat', id: 1, name: 'Tom', age: 3 },
        { __type: 'api::home.home', id: 1, street: 'Elm' },
      ])
      assert.deepEqual((await of('/tags/2?populate=related')).related, [])
    })

    it('one entry of any type is a plain object without its type', async () => {
      assert.deepEqual((await of('/stars/1?populate=owner')).owner, { id: 1, name: 'Tom', age: 3 })
      assert.equal((await of('/stars/2?populate=owner')).owner, null)
    })

    it('nothing below such an entry has an envelope', async () => {
      const { related } = await of(
        '/tags/1?populate[related][populate][0]=pic&populate[related][populate][1]=tags&populate[related][populate][2]=home.cats&populate[related][populate][3]=card.photo',
      )
      const [kit, one] = related
      assert.deepEqual([kit.pic, kit.tags, kit.home, kit.card], [null, null, null, null])
      assert.deepEqual([one.pic.name, one.home.street, one.card.photo.name], ['pic', 'Elm', 'photo'])
      assert.deepEqual(one.home.cats, [{ id: 1, name: 'Tom', age: 3 }])
      const { owner } = await of('/stars/1?populate[owner][populate][home][populate]=cats')
      assert.deepEqual(owner.home, { id: 1, street: 'Elm', cats: [{ id: 1, name: 'Tom', age: 3 }] })
    })

    it('what stands beside it keeps its envelopes', async () => {
      const { tags, pic } = await of('/cats/1?populate[pic]=true&populate[star][populate]=owner')
      assert.deepEqual([tags, pic.data.attributes.name], [undefined, 'pic'])
      const { star } = await of('/cats/1?populate[star][populate]=owner')
      assert.deepEqual(star.data.attributes.owner, { id: 1, name: 'Tom', age: 3 })
    })

    it('what a file belongs to is a plain list inside an entry, components among it', async () => {
      const { pic, card } = await of('/cats/1?populate[pic][populate]=*&populate[card][populate][photo][populate]=*')
      assert.deepEqual(pic.data.attributes.related, [{ __type: 'api::cat.cat', id: 1, name: 'Tom', age: 3 }])
      assert.deepEqual(card.photo.data.attributes.related, [{ __type: 'shared.card', id: 1, text: 'hello' }])
      const { body } = await api.get('/upload/files/2?populate[related][populate]=photo')
      assert.equal(body.related[0].photo.name, 'photo')
    })

    it('fields are those of each type; sort and filters are taken and have no effect', async () => {
      const { related } = await of('/tags/1?populate[related][fields]=name')
      assert.deepEqual(related, [
        { __type: 'api::cat.cat', id: 2, name: 'Kit' },
        { __type: 'api::cat.cat', id: 1, name: 'Tom' },
        { __type: 'api::home.home', id: 1 },
      ])
      assert.deepEqual(Object.keys((await of('/stars/1?populate[owner][fields][0]=*')).owner), tom)
      const all = ['api::cat.cat 2', 'api::cat.cat 1', 'api::home.home 1']
      for (const query of ['[sort]=name', '[filters][name]=Tom', '[sort]=name&populate[related][filters][id]=1'])
        assert.deepEqual(list((await of(`/tags/1?populate[related]${query}`)).related), all, query)
      for (const name of ['nope', 'secret'])
        refused(await api.get(`/tags/1?populate[related][fields]=${name}`), {
          status: 400,
          message: `Invalid parameter ${name}`,
        })
    })

    it('a count of a polymorphic list is not given', async () => {
      const { tags, pic } = await of('/cats/1?populate[tags][count]=true&populate[pic][count]=true')
      assert.deepEqual([tags, pic.data.attributes.name], [{ data: null }, 'pic'])
    })

    it('a written item may name the attribute at its other end', async () => {
      const { body } = await api.send('POST', '/tags', { data: { name: 'named' } })
      const { id } = body.data
      const at = (field?: string) => cat(2, field === undefined ? {} : { __pivot: { field } })
      const ends = async () => {
        const { tags, labels } = await of('/cats/2?populate=tags,labels')
        return [tags, labels].map(({ data }) => (data ?? []).some((tag: Body) => tag.id === id))
      }
      const put = (related: unknown) => api.send('PUT', `/tags/${id}`, { data: { related } })
      assert.equal((await put([at('labels')])).status, 200)
      assert.deepEqual(await ends(), [false, true])
      assert.equal((await put([at()])).status, 200)
      assert.deepEqual(await ends(), [false, true])
      assert.equal((await put([at('tags')])).status, 200)
      assert.deepEqual(await ends(), [true, false])
      assert.equal((await put([at('tags'), at('labels')])).status, 200)
      assert.deepEqual(await ends(), [true, true])
      assert.equal((await put({ disconnect: [at('tags')] })).status, 200)
      assert.deepEqual(await ends(), [false, true])
      assert.equal((await put({ connect: [at('tags')] })).status, 200)
      assert.deepEqual(await ends(), [true, true])
      for (const field of ['name', 'nope', 'star', 'home']) refused(await put([at(field)]), { status: 400 })
      assert.deepEqual(await ends(), [true, true])
      assert.equal((await put([])).status, 200)
      assert.deepEqual(await ends(), [false, false])
    })
  },
)

contract('polymorphic relations in spec', { types, components, rows, plugins }, api => {
  it('stand in envelopes, with components left out', async () => {
    const { body } = await api.get('/tags/1?populate[related][populate]=pic')
    const [, one] = body.data.attributes.related.data
    assert.deepEqual([one.id, one.attributes.__type, one.attributes.pic.data.id], [1, 'api::cat.cat', 1])
    const { body: files } = await api.get('/upload/files/2?populate=related')
    assert.deepEqual(files.related, [])
  })

  it('have no fields, sort or filters of their own', async () => {
    for (const query of ['fields', 'sort'])
      refused(await api.get(`/tags/1?populate[related][${query}]=name`), {
        status: 400,
        parameter: `populate[related][${query}]`,
      })
  })
})

const few = ['api::tag.tag.findOne', 'api::cat.cat.find', 'plugin::upload.content-api.findOne']

contract(
  'polymorphic relations in strapi4 for callers with few permissions',
  { types, components, rows, plugins, rest: { dialect: 'strapi4', public: few } },
  api => {
    it('show the entries that the caller may find, and no component', async () => {
      const { body } = await api.get('/tags/1?populate[related][populate]=home')
      const { related } = strip(body.data.attributes)
      assert.deepEqual(list(related), ['api::cat.cat 2', 'api::cat.cat 1'])
      assert.equal(related[1].home, undefined)
      const { body: file } = await api.get('/upload/files/2?populate[related][populate]=*')
      assert.deepEqual(file.related, [])
    })

    it('do not tell the fields of other types', async () => {
      refused(await api.get('/tags/1?populate[related][fields]=street'), {
        status: 400,
        message: 'Invalid parameter street',
      })
    })
  },
)
