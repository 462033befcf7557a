import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Part, picture, serveUploads } from './world.js'

const photo = await picture(30, 20)
const image = (field: string, name = 'photo.png'): Part => [field, name, 'image/png', photo]
const note = (field: string, name = 'note.txt'): Part => [field, name, 'text/plain', 'hello\n']

onEveryEngine('media attributes', engine => {
  const world = serveUploads(engine)
  const files = async (...parts: Part[]): Promise<number[]> =>
    (await world.form('/upload', parts)).body.map(({ id }: { id: number }) => id)
  const make = async (data: Record<string, unknown>) =>
    (await world.send('POST', '/articles?populate=*', { data: { title: 'x', ...data } })).body.data
  const namesOf = ({ data }: { data: { attributes: { name: string } }[] }) =>
    data.map(({ attributes }) => attributes.name)
  const tables = async () => {
    await world.settled()
    return Promise.all(['files', 'files_related_morphs', 'articles'].map(world.count))
  }

  describe('in JSON bodies', () => {
    it('take an id, an object with an id, and lists of them, in the order that was sent', async () => {
      const [a, b, c] = await files(image('files', 'a.png'), image('files', 'b.png'), image('files', 'c.png'))
      const { id, attributes } = await make({ cover: a, gallery: [c, { id: a }] })
      assert.equal(attributes.cover.data.id, a)
      assert.deepEqual(namesOf(attributes.gallery), ['c.png', 'a.png'])
      const put = async (data: unknown) =>
        (await world.send('PUT', `/articles/${id}?populate=*`, { data })).body.data.attributes
      assert.equal((await put({ cover: { id: b } })).cover.data.id, b)
      assert.deepEqual(namesOf((await put({ gallery: [b, c, a] })).gallery), ['b.png', 'c.png', 'a.png'])
      assert.deepEqual(namesOf((await put({ gallery: { set: [c, { id: b }] } })).gallery), ['c.png', 'b.png'])
      const cleared = await put({ cover: null, gallery: [] })
      assert.deepEqual([cleared.cover, cleared.gallery], [{ data: null }, { data: [] }])
    })

    it('refuse connect, files that do not exist, and types that the attribute does not take', async () => {
      const [text] = await files(note('files'))
      const send = (data: unknown) => world.send('POST', '/articles', { data: { title: 'x', ...Object(data) } })
      const before = await tables()
      refused(await send({ gallery: { connect: [text] } }), { status: 400, message: /connect cannot be used/ })
      refused(await send({ cover: 9999 }), { status: 400, message: /plugin::upload\.file that does not exist/ })
      refused(await send({ cover: 'abc' }), { status: 400, message: /does not exist/ })
      refused(await send({ cover: text }), { status: 400, message: 'cover takes only images' })
      refused(await send({ cover: [[1]] }), { status: 400 })
      assert.deepEqual(await tables(), before)
    })

    it('work in components and zones', async () => {
      const [a, b] = await files(image('files', 'a.png'), note('files', 'b.txt'))
      const { id } = await make({
        seo: { shareImage: a },
        slides: [{ caption: '1' }, { caption: '2', image: b }],
        blocks: [
          { __component: 'shared.quote', text: 'q' },
          { __component: 'shared.slide', image: a },
        ],
      })
      const query = 'populate[seo][populate]=*&populate[slides][populate]=*&populate[blocks][populate]=*'
      const { attributes } = (await world.get(`/articles/${id}?${query}`)).body.data
      assert.equal(attributes.seo.shareImage.data.id, a)
      assert.deepEqual(
        attributes.slides.map(({ image }: { image: { data: { id: number } | null } }) => image.data?.id ?? null),
        [null, b],
      )
      assert.equal(attributes.blocks[1].image.data.id, a)
    })
  })

  describe('in queries', () => {
    it('are populated with fields, sort and filters of their own', async () => {
      const list = await files(image('files', 'b.png'), note('files', 'a.txt'))
      const { id } = await make({ gallery: list })
      const { body } = await world.get(`/articles/${id}?populate[gallery][fields][0]=name&populate[gallery][sort]=name`)
      assert.deepEqual(namesOf(body.data.attributes.gallery), ['a.txt', 'b.png'])
      assert.deepEqual(Object.keys(body.data.attributes.gallery.data[0].attributes), ['name'])
      const some = await world.get(`/articles/${id}?populate[gallery][filters][mime][$startsWith]=image`)
      assert.deepEqual(namesOf(some.body.data.attributes.gallery), ['b.png'])
    })

    it('are no path for filters and sort', async () => {
      refused(await world.get('/articles?filters[cover][name]=x'), { status: 400, message: /polymorphic/ })
      refused(await world.get('/articles?sort=cover.name'), { status: 400 })
      refused(await world.get('/articles?fields[0]=cover'), { status: 400 })
    })

    it('never show where a file lies in the panel', async () => {
      const { id } = await make({ cover: (await files(image('files')))[0] })
      const { text } = await world.get(`/articles/${id}?populate[cover][populate]=*`)
      assert.doesNotMatch(text, /folder/i)
      refused(await world.get(`/articles/${id}?populate[cover][populate]=folder`), { status: 400 })
      refused(await world.get(`/articles/${id}?populate[cover][fields]=folderPath`), { status: 400 })
    })
  })

  it('leave no links behind when the entry goes, components included', async () => {
    const [a] = await files(image('files'))
    const before = await tables()
    const { id } = await make({
      cover: a,
      gallery: [a],
      seo: { shareImage: a },
      blocks: [{ __component: 'shared.slide', image: a }],
    })
    await world.send('PUT', `/articles/${id}`, { data: { slides: [{ image: a }] } })
    await world.send('PUT', `/articles/${id}`, { data: { slides: [] } })
    assert.equal((await world.send('DELETE', `/articles/${id}`)).status, 200)
    assert.deepEqual(await tables(), before)
  })

  describe('multipart bodies', () => {
    const data = (value: unknown): Part => ['data', JSON.stringify(value)]
    const deep =
      'populate[cover]=*&populate[gallery]=*&populate[seo][populate]=*&populate[slides][populate]=*&populate[blocks][populate]=*'
    const attributesOf = async (id: number) => (await world.get(`/articles/${id}?${deep}`)).body.data.attributes

    it('make an entry with its files: attributes, components and zones', async () => {
      const { status, body, text } = await world.form(`/articles?${deep}`, [
        data({
          title: 'with files',
          seo: { metaTitle: 'm' },
          slides: [{ caption: 'a' }, { caption: 'b' }],
          blocks: [{ __component: 'shared.slide' }],
        }),
        image('files.cover', 'cover.png'),
        note('files.gallery', '1.txt'),
        note('files.gallery', '2.txt'),
        image('files.seo.shareImage', 'share.png'),
        image('files.slides[1].image', 'slide.png'),
        image('files.blocks.0.image', 'block.png'),
      ])
      assert.equal(status, 200, text)
      const { cover, gallery, seo, slides, blocks } = body.data.attributes
      assert.equal(cover.data.attributes.name, 'cover.png')
      assert.deepEqual(namesOf(gallery), ['1.txt', '2.txt'])
      assert.equal(seo.shareImage.data.attributes.name, 'share.png')
      assert.deepEqual([slides[0].image.data, slides[1].image.data.attributes.name], [null, 'slide.png'])
      assert.equal(blocks[0].image.data.attributes.name, 'block.png')
      await world.settled()
    })

    it('change an entry: a single file is replaced, a list grows, components stay what they were', async () => {
      const made = await world.form('/articles', [
        data({ title: 'x', seo: { metaTitle: 'kept' }, slides: [{ caption: 'a' }, { caption: 'b' }] }),
        image('files.cover', '1.png'),
        note('files.gallery', '1.txt'),
      ])
      const { id } = made.body.data
      const answer = await world.form(
        `/articles/${id}`,
        [
          data({}),
          image('files.cover', '2.png'),
          note('files.gallery', '2.txt'),
          image('files.seo.shareImage', 's.png'),
          image('files.slides[1].image', 'b.png'),
        ],
        'PUT',
      )
      assert.equal(answer.status, 200, answer.text)
      const { title, cover, gallery, seo, slides } = await attributesOf(id)
      assert.equal(title, 'x')
      assert.equal(cover.data.attributes.name, '2.png')
      assert.deepEqual(namesOf(gallery), ['1.txt', '2.txt'])
      assert.deepEqual([seo.metaTitle, seo.shareImage.data.attributes.name], ['kept', 's.png'])
      assert.deepEqual(
        slides.map(({ caption, image }: Record<string, { data: { attributes: { name: string } } | null }>) => [
          caption,
          image?.data?.attributes.name,
        ]),
        [
          ['a', undefined],
          ['b', 'b.png'],
        ],
      )
    })

    it('join the files that the data names', async () => {
      const [a] = await files(note('files', 'known.txt'))
      const made = await world.form(`/articles?${deep}`, [
        data({ title: 'x', gallery: [a] }),
        note('files.gallery', 'new.txt'),
      ])
      assert.deepEqual(namesOf(made.body.data.attributes.gallery), ['known.txt', 'new.txt'])
    })

    it('make and change the entry of a single type', async () => {
      const put = (...parts: Part[]) => world.form('/homepage?populate=*', [data({}), ...parts], 'PUT')
      assert.equal(
        (await put(image('files.banner', '1.png'))).body.data.attributes.banner.data.attributes.name,
        '1.png',
      )
      await put(note('files.gallery', '1.txt'))
      const { body } = await put(note('files.gallery', '2.txt'))
      assert.deepEqual(namesOf(body.data.attributes.gallery), ['1.txt', '2.txt'])
    })

    const refusals: readonly (readonly [says: string, parts: Part[], message: RegExp])[] = [
      ['an entry that is not valid', [data({ title: null }), image('files.cover')], /title/],
      [
        'a file that the attribute does not take',
        [data({ title: 'x' }), note('files.cover')],
        /cover takes only images/,
      ],
      ['an attribute that does not exist', [data({ title: 'x' }), image('files.nosuch')], /no attribute "nosuch"/],
      ['an attribute that holds no files', [data({ title: 'x' }), image('files.title')], /"title"/],
      ['a component that is not there', [data({ title: 'x' }), image('files.slides[3].image')], /no such component/],
      ['a path into nothing', [data({ title: 'x' }), image('files.seo')], /"seo"/],
      ['a path of prototypes', [data({ title: 'x' }), image('files.__proto__.x')], /__proto__/],
      ['a file without the prefix', [data({ title: 'x' }), image('cover')], /prefixing them/],
      ['no data', [['title', 'x'], image('files.cover')], /Missing "data"/],
      ['data that is no JSON', [['data', '{bad'], image('files.cover')], /"data"/],
      ['data that is a list', [['data', '[]'], image('files.cover')], /"data"/],
    ]
    for (const [says, parts, message] of refusals)
      it(`are refused for ${says}, and nothing of them stays`, async () => {
        const before = [await tables(), world.stored()]
        refused(await world.form('/articles', parts), { status: 400, message })
        assert.deepEqual([await tables(), world.stored()], before)
      })

    it('that change what does not exist leave nothing either', async () => {
      const before = [await tables(), world.stored()]
      refused(await world.form('/articles/9999', [data({ title: 'x' }), image('files.cover')], 'PUT'), { status: 404 })
      refused(await world.form('/articles/abc', [data({ title: 'x' }), image('files.cover')], 'PUT'), { status: 404 })
      assert.deepEqual([await tables(), world.stored()], before)
    })
  })
})
