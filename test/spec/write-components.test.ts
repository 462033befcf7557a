import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Answer, type Server, said, serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.quote', 'shared.slide', 'shared.seo'] },
      few: { type: 'component', component: 'shared.social', repeatable: true, min: 1, max: 2 },
      mentions: { type: 'relation', relation: 'morphToMany' },
    },
  },
  page: {
    attributes: {
      hero: { type: 'component', component: 'shared.slide', required: true },
      list: { type: 'component', component: 'shared.slide', repeatable: true, required: true },
      zone: { type: 'dynamiczone', components: ['shared.slide'], required: true, min: 1, max: 2 },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

const components = {
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string', required: true },
      metaDescription: { type: 'text', default: 'none' },
      social: { type: 'component', component: 'shared.social', repeatable: true },
      slide: { type: 'component', component: 'shared.slide' },
    },
  },
  'shared.social': {
    attributes: {
      network: { type: 'enumeration', enum: ['facebook', 'mastodon'] },
      title: { type: 'string' },
      links: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
    },
  },
  'shared.slide': {
    attributes: {
      caption: { type: 'string' },
      tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    },
  },
  'shared.quote': { attributes: { text: { type: 'text' }, secret: { type: 'password' } } },
}

const query =
  'populate[seo][populate][social][populate]=links&populate[seo][populate][slide][populate]=tag' +
  '&populate[slides][populate]=tag&populate[blocks][populate]=*'

const componentTables = [
  'components_shared_seos',
  'components_shared_socials',
  'components_shared_slides',
  'components_shared_quotes',
]
const joinTables = [
  'articles_components',
  'components_shared_seos_components',
  'components_shared_slides_tag_links',
  'components_shared_socials_links_links',
  'articles_mentions_morphs',
]

/** Row counts of every table that has to do with components. */
const footprint = async (server: Server) =>
  Object.fromEntries(
    await Promise.all(
      [...componentTables, ...joinTables].map(async table => [table, await server.count(table)] as const),
    ),
  )

const attributesOf = ({ status, body }: Answer) => {
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.attributes
}
const errorsOf = ({ status, body }: Answer): [string, string][] => {
  assert.equal(status, 400, JSON.stringify(body))
  return body.error.details.errors.map(({ path, message }: { path: string[]; message: string }) => [
    path.join('/'),
    message,
  ])
}

onEveryEngine('components in a body', engine => {
  const server = serve(engine, { types, components })
  const make = (data: Record<string, unknown>) => server.make('/articles', data)

  describe('a single one', () => {
    it('is made, answered without a wrapper and with its defaults', async () => {
      const { seo } = attributesOf(await server.post('/articles?populate=seo', { seo: { metaTitle: 'm' } }))
      assert.deepEqual(seo, { id: seo.id, metaTitle: 'm', metaDescription: 'none' })
      assert.equal(typeof seo.id, 'number')
    })
    it('is changed in part when its own id is sent, as a number or as text', async () => {
      const id = await make({ seo: { metaTitle: 'm', social: [{ title: 'a' }] } })
      const { seo } = attributesOf(await server.get(`/articles/${id}?${query}`))
      const changed = attributesOf(
        await server.put(`/articles/${id}?${query}`, { seo: { id: seo.id, metaDescription: 'd' } }),
      ).seo
      assert.deepEqual(changed, { ...seo, metaDescription: 'd' })
      const again = attributesOf(
        await server.put(`/articles/${id}?${query}`, { seo: { id: String(seo.id), metaTitle: 'n' } }),
      )
      assert.deepEqual(again.seo, { ...seo, metaDescription: 'd', metaTitle: 'n' })
    })
    it('is replaced when no id is sent: a new one, nothing of the old one left', async () => {
      const id = await make({
        seo: { metaTitle: 'm', metaDescription: 'd', social: [{ title: 'a' }], slide: { caption: 'c' } },
      })
      const before = attributesOf(await server.get(`/articles/${id}?${query}`)).seo
      const { seo } = attributesOf(await server.put(`/articles/${id}?${query}`, { seo: { metaTitle: 'n' } }))
      assert.notEqual(seo.id, before.id)
      assert.deepEqual(seo.social, [])
      assert.equal(seo.slide, null)
      assert.deepEqual(await server.rows('components_shared_seos', ['id'], { id: before.id }), [])
      assert.deepEqual(await server.rows('components_shared_socials', ['id'], { id: before.social[0].id }), [])
      assert.deepEqual(await server.rows('components_shared_slides', ['id'], { id: before.slide.id }), [])
    })
    it('is removed by null, and left alone when it is not sent', async () => {
      const id = await make({ seo: { metaTitle: 'm' } })
      assert.equal(attributesOf(await server.put(`/articles/${id}?populate=seo`, { title: 't' })).seo.metaTitle, 'm')
      assert.equal(attributesOf(await server.put(`/articles/${id}?populate=seo`, { seo: null })).seo, null)
    })
    it('gets an id of its own on create, whatever id is sent', async () => {
      const first = attributesOf(await server.post('/articles?populate=seo', { seo: { metaTitle: 'a' } })).seo
      const second = attributesOf(
        await server.post('/articles?populate=seo', { seo: { id: first.id, metaTitle: 'b' } }),
      ).seo
      assert.notEqual(second.id, first.id)
    })
    it('unknown keys inside are named, and its own name is none', async () => {
      const { seo } = attributesOf(
        await server.post('/articles?populate=seo', { seo: { metaTitle: 'm', __component: 'x' } }),
      )
      assert.deepEqual(Object.keys(seo), ['id', 'metaTitle', 'metaDescription'])
      const { status, body } = await server.post('/articles', { seo: { metaTitle: 'm', metaTitel: 1 } })
      assert.equal(status, 400)
      assert.deepEqual(body.error.details.errors[0].path, ['seo', 'metaTitel'])
      assert.match(body.error.message, /^seo\.metaTitel is not an attribute .* did you mean "metaTitle"\?$/)
    })
  })

  describe('a list', () => {
    const slides = async (id: number) =>
      attributesOf(await server.get(`/articles/${id}?populate[slides][populate]=tag`)).slides

    it('is kept in order and replaced as a whole: kept, changed, new, removed', async () => {
      const tag = await server.make('/tags')
      const id = await make({ slides: [{ caption: '1', tag }, { caption: '2', tag }, { caption: '3' }] })
      const [one, two, three] = await slides(id)
      const reply = await server.put(`/articles/${id}?populate[slides][populate]=tag`, {
        slides: [{ id: three.id }, { id: one.id, caption: '1b' }, { caption: 'new' }],
      })
      const now = attributesOf(reply).slides
      assert.deepEqual(
        now.map(({ id, caption }: { id: number; caption: string }) => [id, caption]),
        [
          [three.id, '3'],
          [one.id, '1b'],
          [now[2].id, 'new'],
        ],
      )
      assert.equal(now[1].tag.data.id, tag)
      assert.deepEqual(await server.rows('components_shared_slides', ['id'], { id: two.id }), [])
      assert.deepEqual(await server.rows('components_shared_slides_tag_links', ['id'], { slide_id: two.id }), [])
    })
    it('is emptied by an empty list', async () => {
      const id = await make({ slides: [{ caption: '1' }] })
      assert.deepEqual(attributesOf(await server.put(`/articles/${id}?populate=slides`, { slides: [] })).slides, [])
    })
    it('the same id twice is one entry of the list', async () => {
      const id = await make({ slides: [{ caption: '1' }] })
      const [one] = await slides(id)
      const reply = await server.put(`/articles/${id}?populate=slides`, {
        slides: [{ id: one.id }, { id: one.id, caption: 'b' }],
      })
      assert.deepEqual(attributesOf(reply).slides, [{ id: one.id, caption: 'b' }])
    })
    it('has as many entries as the schema allows', async () => {
      const social = { title: 't' }
      assert.equal((await server.post('/articles', { few: [social, social] })).status, 200)
      assert.deepEqual(errorsOf(await server.post('/articles', { few: [social, social, social] })), [
        ['few', 'few field must have less than or equal to 2 items'],
      ])
    })
  })

  describe('null for a list or a zone', () => {
    const v4 = serve(engine, { types, components, config: { api: { rest: { dialect: 'strapi4' } } } })
    for (const [attribute, one] of [
      ['slides', { caption: '1' }],
      ['blocks', { __component: 'shared.quote', text: 'q' }],
    ] as const) {
      it(`clears it, as null clears every field: ${attribute}`, async () => {
        const id = await make({ [attribute]: [one] })
        const reply = await server.put(`/articles/${id}?populate=${attribute}`, { [attribute]: null })
        assert.deepEqual(attributesOf(reply)[attribute], [])
      })
      it(`is refused in the dialect of v4: ${attribute}`, async () => {
        const id = await v4.make('/articles', { [attribute]: [one] })
        const message = `${attribute} must be a \`array\` type, but the final value was: \`null\`.`
        assert.deepEqual(errorsOf(await v4.put(`/articles/${id}`, { [attribute]: null })), [[attribute, message]])
      })
    }
  })

  describe('a component that the zone does not list', () => {
    const v4 = serve(engine, { types, components, config: { api: { rest: { dialect: 'strapi4' } } } })
    const blocks = [
      { __component: 'shared.social', title: 'not listed' },
      { __component: 'shared.quote', text: 'q' },
    ]

    it('is refused, and the refusal names those that are', async () => {
      assert.deepEqual(errorsOf(await server.post('/articles', { blocks })), [
        ['blocks/0/__component', 'blocks[0].__component must be one of shared.quote, shared.slide, shared.seo'],
      ])
    })
    it('is written in the dialect of v4, shown, changed and removed like the others', async () => {
      const reply = await v4.post('/articles?populate=blocks', { blocks })
      const [social, quote] = attributesOf(reply).blocks
      assert.deepEqual([social.title, quote.text], ['not listed', 'q'])
      const path = `/articles/${reply.body.data.id}`
      assert.deepEqual(attributesOf(await v4.get(`${path}?populate[blocks][on][shared.social]=true`)).blocks, [social])
      const changed = await v4.put(`${path}?populate=blocks`, { blocks: [{ ...social, title: 'still there' }] })
      assert.deepEqual(attributesOf(changed).blocks, [{ ...social, title: 'still there' }])
      await v4.delete(path)
      assert.deepEqual(await v4.rows('components_shared_socials', ['id']), [])
    })
  })

  describe('a zone', () => {
    it('keeps components of several types in one order', async () => {
      const reply = await server.post('/articles?populate=blocks', {
        blocks: [
          { __component: 'shared.quote', text: 'q1', secret: 's' },
          { __component: 'shared.slide', caption: 's' },
          { __component: 'shared.quote', text: 'q2' },
        ],
      })
      const { blocks } = attributesOf(reply)
      assert.deepEqual(blocks as unknown, [
        { id: blocks[0].id, __component: 'shared.quote', text: 'q1' },
        { id: blocks[1].id, __component: 'shared.slide', caption: 's' },
        { id: blocks[2].id, __component: 'shared.quote', text: 'q2' },
      ])
      const id = reply.body.data.id
      const changed = attributesOf(
        await server.put(`/articles/${id}?populate=blocks`, {
          blocks: [
            { __component: 'shared.quote', id: blocks[2].id },
            { __component: 'shared.slide', id: blocks[1].id, caption: 'b' },
            { __component: 'shared.slide', caption: 'new' },
          ],
        }),
      ).blocks
      assert.deepEqual(changed as unknown, [
        blocks[2],
        { ...blocks[1], caption: 'b' },
        { id: changed[2].id, __component: 'shared.slide', caption: 'new' },
      ])
      assert.deepEqual(await server.rows('components_shared_quotes', ['id'], { id: blocks[0].id }), [])
      assert.deepEqual(attributesOf(await server.put(`/articles/${id}?populate=blocks`, { blocks: [] })).blocks, [])
    })
    it('ids belong to their component: the same number of another type is another component', async () => {
      const id = await make({ blocks: [{ __component: 'shared.quote', text: 'q' }] })
      const [quote] = attributesOf(await server.get(`/articles/${id}?populate=blocks`)).blocks
      const reply = await server.put(`/articles/${id}`, { blocks: [{ __component: 'shared.slide', id: quote.id }] })
      assert.deepEqual(said(reply), [400, 'Some of the provided components in blocks are not related to the entity'])
    })
  })

  describe('a component that is not the entry’s own', () => {
    const cases = [
      { attribute: 'seo', one: { metaTitle: 'm' } },
      { attribute: 'slides', one: { caption: 'c' } },
      { attribute: 'blocks', one: { __component: 'shared.quote', text: 'q' } },
    ]
    for (const { attribute, one } of cases)
      it(`is refused, and nothing is changed: ${attribute}`, async () => {
        const value = attribute === 'seo' ? one : [one]
        const [mine, other] = [await make({ title: 'mine', [attribute]: value }), await make({ [attribute]: value })]
        const foreign = [
          attributesOf(await server.get(`/articles/${other}?populate=${attribute}`))[attribute],
        ].flat()[0].id
        const before = attributesOf(await server.get(`/articles/${mine}?populate=${attribute}`))
        for (const id of [foreign, 999_999, 'abc', -1, 0]) {
          const sent = { ...one, id }
          const reply = await server.put(`/articles/${mine}`, {
            title: 'changed',
            [attribute]: attribute === 'seo' ? sent : [sent],
          })
          assert.deepEqual(said(reply), [
            400,
            `Some of the provided components in ${attribute} are not related to the entity`,
          ])
          assert.equal(reply.body.error.name, 'ApplicationError')
        }
        assert.deepEqual(attributesOf(await server.get(`/articles/${mine}?populate=${attribute}`)), before)
      })
    it('is refused in depth', async () => {
      const [mine, other] = [
        await make({ seo: { metaTitle: 'm' } }),
        await make({ seo: { metaTitle: 'o', social: [{ title: 'a' }] } }),
      ]
      const { seo: own } = attributesOf(await server.get(`/articles/${mine}?${query}`))
      const { seo: foreign } = attributesOf(await server.get(`/articles/${other}?${query}`))
      const reply = await server.put(`/articles/${mine}`, {
        seo: { id: own.id, social: [{ id: foreign.social[0].id }] },
      })
      assert.equal(reply.status, 400)
    })
  })

  describe('wrong values', () => {
    const cases: { says: string; send: Record<string, unknown>; errors: [string, string | RegExp][] }[] = [
      {
        says: 'a text for a component',
        send: { seo: 'x' },
        errors: [['seo', 'seo must be an object']],
      },
      {
        says: 'a list for a component',
        send: { seo: [] },
        errors: [['seo', 'seo must be an object']],
      },
      {
        says: 'an object for a list',
        send: { slides: { caption: '1' } },
        errors: [['slides', 'slides must be a list']],
      },
      {
        says: 'a text in a list',
        send: { slides: ['x'] },
        errors: [['slides/0', 'slides[0] must be an object']],
      },
      {
        says: 'a wrong value in a list',
        send: { slides: [{}, { caption: 5 }] },
        errors: [['slides/1/caption', 'slides[1].caption must be a string']],
      },
      { says: 'a missing value', send: { seo: {} }, errors: [['seo/metaTitle', 'seo.metaTitle must be defined']] },
      {
        says: 'a wrong value in depth',
        send: { seo: { metaTitle: 'm', social: [{ network: 'bogus' }] } },
        errors: [['seo/social/0/network', 'seo.social[0].network must be one of facebook, mastodon']],
      },
      {
        says: 'an unknown id in a relation inside',
        send: { slides: [{ tag: 9999 }] },
        errors: [
          ['slides/0/tag', 'slides[0].tag names an entry of api::tag.tag that does not exist or may not be seen: 9999'],
        ],
      },
      {
        says: 'a text for a zone',
        send: { blocks: 'x' },
        errors: [['blocks', 'blocks must be a list']],
      },
      { says: 'a text in a zone', send: { blocks: ['x'] }, errors: [['blocks/0', /must be an object$/]] },
      { says: 'null in a zone', send: { blocks: [null] }, errors: [['blocks/0', /must be an object$/]] },
      {
        says: 'no __component',
        send: { blocks: [{ text: 'q' }] },
        errors: [
          [
            'blocks/0/__component',
            'blocks[0].__component is required and must be one of shared.quote, shared.slide, shared.seo',
          ],
        ],
      },
      {
        says: 'an unknown __component',
        send: { blocks: [{ __component: 'shared.nope' }] },
        errors: [
          ['blocks/0/__component', 'blocks[0].__component must be one of shared.quote, shared.slide, shared.seo'],
        ],
      },
      {
        says: 'a __component that is no text',
        send: { blocks: [{ __component: {} }] },
        errors: [['blocks/0/__component', /must be one of/]],
      },
      {
        says: 'a missing value in a zone',
        send: { blocks: [{ __component: 'shared.seo' }] },
        errors: [['blocks/0/metaTitle', 'blocks[0].metaTitle must be defined']],
      },
      {
        says: 'several at once',
        send: { seo: {}, slides: [{ caption: 1 }], blocks: [{}] },
        errors: [
          ['seo/metaTitle', /defined/],
          ['slides/0/caption', /string/],
          ['blocks/0/__component', /required/],
        ],
      },
    ]
    for (const { says, send, errors } of cases)
      it(`${says}: refused, and nothing is left of it`, async () => {
        const before = await footprint(server)
        const entries = await server.count('articles')
        const found = errorsOf(await server.post('/articles', send))
        assert.deepEqual(
          found.map(([path]) => path),
          errors.map(([path]) => path),
        )
        for (const [index, [, expected]] of errors.entries())
          if (typeof expected === 'string') assert.equal(found[index]?.[1], expected)
          else assert.match(found[index]?.[1] ?? '', expected)
        assert.deepEqual(await footprint(server), before)
        assert.equal(await server.count('articles'), entries)
      })
    it('a required value inside a kept component cannot be cleared', async () => {
      const id = await make({ seo: { metaTitle: 'm' } })
      const { seo } = attributesOf(await server.get(`/articles/${id}?populate=seo`))
      assert.deepEqual(errorsOf(await server.put(`/articles/${id}`, { seo: { id: seo.id, metaTitle: null } })), [
        ['seo/metaTitle', 'seo.metaTitle is required and cannot be null'],
      ])
      assert.equal((await server.put(`/articles/${id}`, { seo: { id: seo.id, metaDescription: 'd' } })).status, 200)
    })
  })

  describe('required', () => {
    const slide = { caption: 'c' }
    const zone = [{ __component: 'shared.slide', ...slide }]
    const whole = { hero: slide, list: [slide], zone }
    const cases: { says: string; send: Record<string, unknown>; errors: string[] }[] = [
      {
        says: 'nothing is there',
        send: {},
        errors: ['hero must be defined', 'list must be defined', 'zone must be defined'],
      },
      {
        says: 'a component that is null',
        send: { ...whole, hero: null },
        errors: ['hero is required and cannot be null'],
      },
      { says: 'a zone with too few', send: { ...whole, zone: [] }, errors: ['zone field must have at least 1 items'] },
      {
        says: 'a zone with too many',
        send: { ...whole, zone: [...zone, ...zone, ...zone] },
        errors: ['zone field must have less than or equal to 2 items'],
      },
    ]
    for (const { says, send, errors } of cases)
      it(says, async () => {
        assert.deepEqual(
          errorsOf(await server.post('/pages', send)).map(([, message]) => message),
          errors,
        )
      })
    it('all is there', async () => assert.equal((await server.post('/pages', whole)).status, 200))
    it('a list or zone that is required cannot be cleared with null', async () => {
      const id = await server.make('/pages', whole)
      for (const attribute of ['list', 'zone'])
        assert.equal((await server.put(`/pages/${id}`, { [attribute]: null })).status, 400)
    })
  })

  describe('relations inside', () => {
    it('take every form, and are changed one by one in a kept component', async () => {
      const [a, b, c] = await server.makeMany('/tags', 3)
      const id = await make({ seo: { metaTitle: 'm', social: [{ links: [a, b] }], slide: { tag: a } } })
      const { seo } = attributesOf(await server.get(`/articles/${id}?${query}`))
      const reply = await server.put(`/articles/${id}?${query}`, {
        seo: {
          id: seo.id,
          social: [{ id: seo.social[0].id, links: { connect: [{ id: c, position: { before: b } }] } }],
          slide: { id: seo.slide.id, tag: { disconnect: [a] } },
        },
      })
      const changed = attributesOf(reply).seo
      assert.deepEqual(
        changed.social[0].links.data.map(({ id }: { id: number }) => id),
        [a, c, b],
      )
      assert.equal(changed.slide.tag.data, null)
    })
    it('a failure deep inside leaves nothing of a create, and of an update', async () => {
      const [a] = await server.makeMany('/tags', 1)
      const wrong = {
        seo: { metaTitle: 'm', social: [{ links: { connect: [{ id: a, position: { after: 99_999 } }] } }] },
      }
      const id = await make({ title: 'before', slides: [{ caption: '1' }] })
      const before = await footprint(server)
      const entries = await server.count('articles')
      assert.equal((await server.post('/articles', wrong)).status, 400)
      assert.equal((await server.put(`/articles/${id}`, { title: 'after', slides: [], ...wrong })).status, 400)
      assert.deepEqual(await footprint(server), before)
      assert.equal(await server.count('articles'), entries)
      assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.title, 'before')
    })
  })
})

onEveryEngine('the rows of components', engine => {
  const server = serve(engine, { types, components })
  const columns = ['field', 'order', 'component_type', 'component_id']

  it('one row for each, with its field, its type and its order', async () => {
    const reply = await server.post(`/articles?${query}`, {
      seo: { metaTitle: 'm', social: [{ title: 'a' }, { title: 'b' }] },
      slides: [{ caption: '1' }, { caption: '2' }],
      blocks: [{ __component: 'shared.quote' }, { __component: 'shared.slide' }],
    })
    const { seo, slides, blocks } = attributesOf(reply)
    assert.deepEqual(await server.rows('articles_components', columns, { entity_id: reply.body.data.id }), [
      { field: 'blocks', order: 1, component_type: 'shared.quote', component_id: blocks[0].id },
      { field: 'blocks', order: 2, component_type: 'shared.slide', component_id: blocks[1].id },
      { field: 'seo', order: 1, component_type: 'shared.seo', component_id: seo.id },
      { field: 'slides', order: 1, component_type: 'shared.slide', component_id: slides[0].id },
      { field: 'slides', order: 2, component_type: 'shared.slide', component_id: slides[1].id },
    ])
    assert.deepEqual(await server.rows('components_shared_seos_components', columns, { entity_id: seo.id }), [
      { field: 'social', order: 1, component_type: 'shared.social', component_id: seo.social[0].id },
      { field: 'social', order: 2, component_type: 'shared.social', component_id: seo.social[1].id },
    ])
  })

  it('deleting an entry leaves no component, join or morph row behind, at any depth', async () => {
    const before = await footprint(server)
    const [tag] = await server.makeMany('/tags', 1)
    const id = await server.make('/articles', {
      seo: { metaTitle: 'm', social: [{ links: [tag] }], slide: { tag } },
      slides: [{ tag }, {}],
      few: [{ links: [tag] }],
      blocks: [
        { __component: 'shared.seo', metaTitle: 'z', social: [{ links: [tag] }], slide: { tag } },
        { __component: 'shared.quote', text: 'q' },
      ],
      mentions: [{ id: tag, __type: 'api::tag.tag' }],
    })
    const during = await footprint(server)
    for (const table of [...componentTables, ...joinTables])
      assert.ok((during[table] ?? 0) > (before[table] ?? 0), `${table} is part of this test`)
    assert.equal((await server.delete(`/articles/${id}`)).status, 200)
    assert.deepEqual(await footprint(server), before)
  })

  it('replacing components leaves nothing of the former ones behind, at any depth', async () => {
    const [tag] = await server.makeMany('/tags', 1)
    const value = {
      seo: { metaTitle: 'm', social: [{ links: [tag] }], slide: { tag } },
      slides: [{ tag }],
      blocks: [{ __component: 'shared.seo', metaTitle: 'z', social: [{ links: [tag] }], slide: { tag } }],
    }
    const id = await server.make('/articles', value)
    const before = await footprint(server)
    for (const _ of [1, 2]) assert.equal((await server.put(`/articles/${id}`, value)).status, 200)
    assert.deepEqual(await footprint(server), before)
    await server.delete(`/articles/${id}`)
  })
})
