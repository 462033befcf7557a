import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { TestApp } from '../../core/index.js'
import { type Body, contract, type ReadCase, reads } from '../support/contract.js'

const toOne = (target: string, more = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target: `api::${target}.${target}`,
  ...more,
})

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      author: toOne('author', { inversedBy: 'articles' }),
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      editor: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.slide'] },
      hidden: toOne('tag', { private: true }),
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      team: toOne('team'),
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
  team: { attributes: { name: { type: 'string' } } },
}

const components = {
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string' },
      about: toOne('tag'),
      social: { type: 'component', component: 'shared.social', repeatable: true },
    },
  },
  'shared.social': { attributes: { url: { type: 'string' }, of: toOne('tag') } },
  'shared.slide': { attributes: { text: { type: 'string' }, tag: toOne('tag') } },
}

const rows = async ({ entries }: TestApp) => {
  await entries('api::team.team').create({ name: 'red' })
  for (const name of ['b', 'c', 'a']) await entries('api::tag.tag').create({ name })
  await entries('api::author.author').create({ name: 'Ann', team: 1 })
  await entries('api::author.author').create({ name: 'Bob' })
  await entries('api::article.article').create({
    title: 'One',
    author: 1,
    tags: [3, 1, 2],
    editor: 2,
    hidden: 1,
    seo: { metaTitle: 's', about: 1, social: [{ url: 'u1', of: 2 }, { url: 'u2' }] },
    slides: [{ text: 'p', tag: 3 }, { text: 'q' }],
    blocks: [
      { __component: 'shared.slide', text: 'b1', tag: 1 },
      { __component: 'shared.seo', metaTitle: 'b2', about: 3, social: [{ url: 'u3' }] },
      { __component: 'shared.slide', text: 'b3' },
    ],
  })
  await entries('api::article.article').create({ title: 'Two' })
  await entries('api::article.article').create({ title: 'Three', author: 1, tags: [1, 3] })
}

/** An answer without what every entry has: when it was made and changed, and the ids of component rows. */
function bare(value: Body): Body {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  const isComponent = 'id' in value && !('attributes' in value)
  const shown = Object.entries(value).filter(
    ([key]) => key !== 'createdAt' && key !== 'updatedAt' && !(isComponent && key === 'id'),
  )
  return Object.fromEntries(shown.map(([key, inner]) => [key, bare(inner)]))
}

const attributes = ({ data }: Body) => bare(data.attributes)
const entry = (id: number, name: string) => ({ id, attributes: { name } })
const ann = { data: entry(1, 'Ann') }
const bob = { data: entry(2, 'Bob') }
const [b, c, a] = [entry(1, 'b'), entry(2, 'c'), entry(3, 'a')]
const red = { data: entry(1, 'red') }
const annOfRed = { data: { id: 1, attributes: { name: 'Ann', team: red } } }
const seo = { metaTitle: 's' }
const slides = [{ text: 'p' }, { text: 'q' }]
const block = {
  b1: { __component: 'shared.slide', text: 'b1' },
  b2: { __component: 'shared.seo', metaTitle: 'b2' },
  b3: { __component: 'shared.slide', text: 'b3' },
}
const blocks = [block.b1, block.b2, block.b3]
const everything = { author: ann, tags: { data: [a, b, c] }, editor: bob, seo, slides, blocks }

/** A case about the first article, of which only what is populated is asked. */
const on = (says: string, ask: string, gives: unknown, statements?: number): ReadCase => ({
  says,
  ask: `?fields=id${ask && '&'}${ask}`,
  gives,
  ...(statements !== undefined && { statements }),
})

contract('populate', { types, components, rows }, api => {
  describe('what is asked for, and nothing else', () => {
    reads(api, '/articles/1', attributes, [
      on('nothing unless requested', '', {}, 1),
      on('an empty populate asks for nothing', 'populate=', {}, 1),
      on('a star is everything, one level deep', 'populate=*', everything, 8),
      on('a star in a list', 'populate[0]=*', everything, 8),
      on('one relation', 'populate=author', { author: ann }, 2),
      on('a list of one', 'populate[0]=author', { author: ann }),
      on('a list of several', 'populate[0]=author&populate[1]=tags', { author: ann, tags: { data: [a, b, c] } }, 3),
      on('a list without indexes', 'populate[]=author&populate[]=editor', { author: ann, editor: bob }),
      on('repeated keys', 'populate=author&populate=editor', { author: ann, editor: bob }),
      on('separated by commas', 'populate=author,editor', { author: ann, editor: bob }),
      on('with spaces around the commas', 'populate=author%20,+editor', { author: ann, editor: bob }),
      on('the same twice is the same once', 'populate=author,author', { author: ann }, 2),
      on('a component', 'populate=seo', { seo }, 2),
      on('a repeated component', 'populate=slides', { slides }, 2),
      on('a dynamic zone', 'populate=blocks', { blocks }, 3),
    ])

    it('answers in the order of the schema, whatever the order of the query', async () => {
      const { body } = await api.get('/articles/1?populate=blocks,editor,author')
      assert.deepEqual(Object.keys(body.data.attributes), [
        'title',
        'createdAt',
        'updatedAt',
        'author',
        'editor',
        'blocks',
      ])
    })
  })

  describe('yes and no', () => {
    reads(api, '/articles/1', attributes, [
      ...['true', 't', '1', '*'].map(yes => on('yes', `populate[author]=${yes}`, { author: ann })),
      ...['false', 'f', '0', ''].map(no => on('no', `populate[author]=${no}`, {}, 1)),
      on('some yes, some no', 'populate[author]=true&populate[tags]=false&populate[editor]=1', {
        author: ann,
        editor: bob,
      }),
    ])
  })

  describe('what nothing is linked to', () => {
    reads(api, '/articles/2', attributes, [
      on('is null or an empty list', 'populate=*', {
        author: { data: null },
        tags: { data: [] },
        editor: { data: null },
        seo: null,
        slides: [],
        blocks: [],
      }),
      on('whatever is asked behind it', 'populate=author.team,seo.social.of', { author: { data: null }, seo: null }),
    ])
  })

  describe('nested, as deep as asked', () => {
    const social = [{ url: 'u1' }, { url: 'u2' }]
    reads(api, '/articles/1', attributes, [
      on('a list', 'populate[author][populate][0]=team', { author: annOfRed }, 3),
      on('a name', 'populate[author][populate]=team', { author: annOfRed }),
      on('an object', 'populate[author][populate][team]=true', { author: annOfRed }),
      on(
        'a star',
        'populate[author][populate]=*&populate[author][fields]=name',
        {
          author: {
            data: {
              id: 1,
              attributes: {
                name: 'Ann',
                team: red,
                articles: {
                  data: [
                    { id: 1, attributes: { title: 'One' } },
                    { id: 3, attributes: { title: 'Three' } },
                  ],
                },
              },
            },
          },
        },
        4,
      ),
      on('by dots', 'populate=author.team', { author: annOfRed }),
      on('by dots, in a list', 'populate[0]=author.team', { author: annOfRed }),
      on('by dots, as a key', 'populate[author.team]=true', { author: annOfRed }),
      on('a relation and what is behind it', 'populate[0]=author&populate[1]=author.team', { author: annOfRed }, 3),
      on('the other way round', 'populate=author.team,author', { author: annOfRed }, 3),
      on(
        'there and back',
        'populate[author][populate][articles][populate][author][populate][team][fields][0]=name&populate[author][populate][articles][fields][0]=title',
        {
          author: {
            data: {
              id: 1,
              attributes: {
                name: 'Ann',
                articles: {
                  data: [
                    { id: 1, attributes: { title: 'One', author: annOfRed } },
                    { id: 3, attributes: { title: 'Three', author: annOfRed } },
                  ],
                },
              },
            },
          },
        },
        5,
      ),
      on('a component of a component', 'populate=seo.social', { seo: { ...seo, social } }, 3),
      on('a component, and its component', 'populate[0]=seo&populate[1]=seo.social', { seo: { ...seo, social } }, 3),
      on(
        'two parts of a component',
        'populate=seo.social,seo.about',
        { seo: { ...seo, about: { data: b }, social } },
        4,
      ),
      on(
        'two parts of a component, one as an object',
        'populate[seo][populate][about]=true&populate[seo][populate][social]=true',
        { seo: { ...seo, about: { data: b }, social } },
        4,
      ),
      on(
        'two parts of a component, one as an object and one by dots',
        'populate[seo][populate][about]=true&populate[seo.social]=true',
        { seo: { ...seo, about: { data: b }, social } },
        4,
      ),
      on(
        'two parts of a component, one in a list and one by dots',
        'populate[seo][populate][0]=about&populate[seo.social][fields][0]=url',
        { seo: { ...seo, about: { data: b }, social } },
        4,
      ),
      on('everything of a component', 'populate[seo][populate]=*', { seo: { ...seo, about: { data: b }, social } }),
      on(
        'a relation of a component of a component',
        'populate=seo.social.of',
        {
          seo: {
            ...seo,
            social: [
              { url: 'u1', of: { data: c } },
              { url: 'u2', of: { data: null } },
            ],
          },
        },
        4,
      ),
      on(
        'a relation of a repeated component',
        'populate=slides.tag',
        {
          slides: [
            { text: 'p', tag: { data: a } },
            { text: 'q', tag: { data: null } },
          ],
        },
        3,
      ),
    ])
  })

  describe('a dynamic zone', () => {
    const full = [
      { ...block.b1, tag: { data: b } },
      { ...block.b2, about: { data: a }, social: [{ url: 'u3' }] },
      { ...block.b3, tag: { data: null } },
    ]
    reads(api, '/articles/1', attributes, [
      on('one way for all its components', 'populate[blocks][populate]=*', { blocks: full }, 6),
      on(
        'a name that some of them know',
        'populate[blocks][populate]=about',
        { blocks: [block.b1, { ...block.b2, about: { data: a } }, block.b3] },
        4,
      ),
      on('by dots', 'populate=blocks.tag', { blocks: [full[0], block.b2, full[2]] }, 4),
      on('a list of names', 'populate[blocks][populate][0]=about&populate[blocks][populate][1]=tag', {
        blocks: [full[0], { ...block.b2, about: { data: a } }, full[2]],
      }),
      on('an object of names', 'populate[blocks][populate][about][fields][0]=id&populate[blocks][populate][tag]=true', {
        blocks: [full[0], { ...block.b2, about: { data: { id: 3, attributes: {} } } }, full[2]],
      }),
      on(
        'each its own way: only what is named comes',
        'populate[blocks][on][shared.slide]=true',
        { blocks: [block.b1, block.b3] },
        2,
      ),
      on('each its own fields', 'populate[blocks][on][shared.seo][fields][0]=metaTitle', { blocks: [block.b2] }),
      on(
        'each its own populate',
        'populate[blocks][on][shared.seo][populate]=*&populate[blocks][on][shared.slide][fields][0]=text',
        { blocks: [block.b1, full[1], block.b3] },
        5,
      ),
      on('a populate of one, as an object', 'populate[blocks][on][shared.slide][populate][tag][fields][0]=name', {
        blocks: [full[0], full[2]],
      }),
      on(
        'filters of one',
        'populate[blocks][on][shared.slide][filters][text]=b3&populate[blocks][on][shared.seo]=true',
        { blocks: [block.b2, block.b3] },
      ),
      on('none of those', 'populate[blocks][on][shared.slide]=false', { blocks: [] }, 1),
    ])

    it('items carry their own id and the name of their component first', async () => {
      const { body } = await api.get('/articles/1?populate=blocks')
      assert.deepEqual(
        body.data.attributes.blocks.map((item: Body) => Object.keys(item)),
        [
          ['id', '__component', 'text'],
          ['id', '__component', 'metaTitle'],
          ['id', '__component', 'text'],
        ],
      )
    })
  })

  describe('with parameters of its own', () => {
    reads(api, '/articles/1', attributes, [
      on('fields', 'populate[author][fields][0]=name', { author: ann }),
      on('fields of nothing but the id', 'populate[author][fields]=id', {
        author: { data: { id: 1, attributes: {} } },
      }),
      on('fields next to a nested populate', 'populate[author][fields]=id&populate[author][populate]=team', {
        author: { data: { id: 1, attributes: { team: red } } },
      }),
      on('sort', 'populate[tags][sort][0]=name', { tags: { data: [a, b, c] } }),
      on('sort, descending', 'populate[tags][sort][0]=name:desc', { tags: { data: [c, b, a] } }),
      on(
        'sort, by a relation of the relation',
        'populate[author][populate][articles][sort]=tags.name:desc&populate[author][populate][articles][fields]=id',
        {
          author: {
            data: {
              id: 1,
              attributes: {
                name: 'Ann',
                articles: {
                  data: [
                    { id: 1, attributes: {} },
                    { id: 3, attributes: {} },
                  ],
                },
              },
            },
          },
        },
      ),
      on('filters', 'populate[tags][filters][name][$eq]=b', { tags: { data: [b] } }),
      on('filters with logic', 'populate[tags][filters][$or][0][name]=b&populate[tags][filters][$or][1][name]=a', {
        tags: { data: [a, b] },
      }),
      on('filters that go further', 'populate[tags][filters][articles][title]=Three', { tags: { data: [a, b] } }),
      on('filters that nothing meets', 'populate[tags][filters][name]=z&populate[author][filters][name]=z', {
        author: { data: null },
        tags: { data: [] },
      }),
      on(
        'filters and sort of a repeated component',
        'populate[slides][sort]=text:desc&populate[slides][filters][text][$ne]=x',
        { slides: [{ text: 'q' }, { text: 'p' }] },
      ),
      on('fields of a component', 'populate[seo][fields]=id', { seo: {} }),
      on(
        'all together',
        'populate[tags][filters][name][$ne]=a&populate[tags][sort]=name:desc&populate[tags][fields]=id&populate[tags][populate][articles][fields]=id',
        {
          tags: {
            data: [
              { id: 2, attributes: { articles: { data: [{ id: 1, attributes: {} }] } } },
              {
                id: 1,
                attributes: {
                  articles: {
                    data: [
                      { id: 1, attributes: {} },
                      { id: 3, attributes: {} },
                    ],
                  },
                },
              },
            ],
          },
        },
      ),
    ])
  })

  describe('the order of a to-many relation', () => {
    const linked = ({ data }: Body) => data.attributes.tags?.data.map((tag: Body) => tag.id)
    const back = ({ data }: Body) => data.attributes.articles.data.map((article: Body) => article.id)
    reads(api, '/articles/1', linked, [{ says: 'as it was given', ask: '?populate=tags', gives: [3, 1, 2] }])
    reads(api, '/articles/3', linked, [{ says: 'as it was given there', ask: '?populate=tags', gives: [1, 3] }])
    reads(api, '/tags/3', back, [
      { says: 'from the other side, as it was linked', ask: '?populate=articles', gives: [1, 3] },
    ])
    reads(api, '/authors/1', back, [{ says: 'the many of a one', ask: '?populate=articles', gives: [1, 3] }])
  })

  it('a list has for each entry what is its own', async () => {
    const { body } = await api.get('/articles?populate=author,tags&sort=title:desc')
    assert.deepEqual(
      body.data.map(({ attributes }: Body) => [
        attributes.title,
        attributes.author.data?.id,
        attributes.tags.data.map((tag: Body) => tag.id).join(),
      ]),
      [
        ['Two', undefined, ''],
        ['Three', 1, '1,3'],
        ['One', 1, '3,1,2'],
      ],
    )
  })

  it('only the entry that was asked for has meta, populated ones have none', async () => {
    const { body } = await api.get('/articles/1?populate=author')
    assert.deepEqual(Object.keys(body.data), ['id', 'attributes', 'meta'])
    assert.deepEqual(Object.keys(body.data.attributes.author.data), ['id', 'attributes'])
  })

  describe('names what is wrong', () => {
    const at = (says: string, ask: string, parameter: string, message?: RegExp): ReadCase => ({
      says,
      ask: `?${ask}`,
      fails: { status: 400, name: 'ValidationError', parameter, ...(message && { message }) },
    })
    reads(api, '/articles', attributes, [
      at('an unknown name', 'populate=nope', 'populate', /has no attribute "nope"/),
      at('an unknown name in a list', 'populate[0]=author&populate[1]=nope', 'populate[1]'),
      at('an unknown name as a key', 'populate[nope]=true', 'populate[nope]'),
      at('an unknown name as a key, even with no', 'populate[nope]=false', 'populate[nope]'),
      at('a column', 'populate=title', 'populate'),
      at('a private relation', 'populate=hidden', 'populate', /has no attribute "hidden"/),
      at('who made it, where the type does not tell', 'populate=createdBy', 'populate', /has no attribute "createdBy"/),
      at('a name that every object has', 'populate[constructor]=true', 'populate[constructor]'),
      at('an unknown nested name', 'populate[author][populate]=nope', 'populate[author][populate]'),
      at('an unknown nested name in a list', 'populate[author][populate][0]=nope', 'populate[author][populate][0]'),
      at('an unknown name in the middle of dots', 'populate=nope.team', 'populate'),
      at('neither yes nor no', 'populate[author]=yes', 'populate[author]', /true, false, t, f, 1, 0/),
      at('an unknown parameter', 'populate[author][foo]=1', 'populate[author][foo]', /fields, sort, filters, populate/),
      at('a field that is none', 'populate[author][fields][0]=nope', 'populate[author][fields][0]'),
      at('a sort that is none', 'populate[author][sort]=nope', 'populate[author][sort]'),
      at('a direction that is none', 'populate[author][sort]=name:down', 'populate[author][sort]'),
      at('a filter that is none', 'populate[author][filters][nope]=1', 'populate[author][filters][nope]'),
      at(
        'an operator that is none',
        'populate[author][filters][name][$foo]=1',
        'populate[author][filters][name][$foo]',
      ),
      at('fields of a zone', 'populate[blocks][fields][0]=text', 'populate[blocks][fields]', /\[on\]/),
      at('filters of a zone', 'populate[blocks][filters][text]=x', 'populate[blocks][filters]'),
      at(
        'a component that a zone does not have',
        'populate[blocks][on][shared.social]=true',
        'populate[blocks][on][shared.social]',
        /shared\.seo, shared\.slide/,
      ),
      at('a zone by text', 'populate[blocks][on]=shared.seo', 'populate[blocks][on]'),
      at('a name that no component of a zone has', 'populate[blocks][populate]=nope', 'populate[blocks][populate]'),
      at('on, where there is no zone', 'populate[author][on][shared.seo]=true', 'populate[author][on]'),
      ...['pagination][page', 'page', 'pageSize', 'start', 'limit'].map(key =>
        at(
          'a page of what is populated',
          `populate[tags][${key}]=1`,
          `populate[tags][${key.replace(/\].*/, '')}]`,
          /cannot be paged/,
        ),
      ),
      at('a wrong count', 'populate[tags][count]=many', 'populate[tags][count]', /"many" is neither true nor false/),
      at('a count of a zone', 'populate[blocks][count]=true', 'populate[blocks][count]', /takes populate or on/),
      at('a wrong populate of one entry', 'populate=nope', 'populate'),
    ])
  })
})

contract(
  'populate as deep as a chain is',
  {
    types: { link: { attributes: { name: { type: 'string' }, next: toOne('link') } } },
    rows: async ({ entries }) => {
      await entries('api::link.link').create({ name: 'n1' })
      for (let id = 2; id <= 15; id += 1) await entries('api::link.link').create({ name: `n${id}`, next: id - 1 })
    },
  },
  api => {
    const chain = ({ data }: Body): string => {
      const next = data.attributes.next?.data
      return next ? `${data.attributes.name} ${chain({ data: next })}` : data.attributes.name
    }
    const twelve = 'n15 n14 n13 n12 n11 n10 n9 n8 n7 n6 n5 n4 n3'
    const brackets = `${'[populate][next]'.repeat(11)}=true`
    reads(api, '/links/15', chain, [
      { says: 'twelve levels by brackets', ask: `?populate[next]${brackets}`, gives: twelve, statements: 13 },
      { says: 'twelve levels by dots', ask: `?populate=${'next.'.repeat(11)}next`, gives: twelve, statements: 13 },
      {
        says: 'twelve levels of lists',
        ask: `?populate[next]${'[populate][next]'.repeat(10)}[populate][0]=next`,
        gives: twelve,
      },
      {
        says: 'filters in a populate, eight levels deep',
        ask: `?populate[next][filters]${'[next]'.repeat(8)}[name]=n6`,
        gives: 'n15 n14',
      },
    ])
    it('the same entry may be populated again and again', async () => {
      await api.app.entries('api::link.link').update(1, { next: 1 })
      const { body } = await api.get(`/links/1?populate=${'next.'.repeat(11)}next`)
      assert.equal(chain(body), Array(13).fill('n1').join(' '))
    })
  },
)

contract(
  'populate of who made an entry',
  {
    types: {
      article: { options: { populateCreatorFields: true }, attributes: { title: { type: 'string' } } },
      page: { attributes: { title: { type: 'string' } } },
    },
    rows: async ({ entries, store }) => {
      await entries('admin::user').create({
        firstname: 'Ada',
        lastname: 'L',
        username: 'ada',
        email: 'ada@example.org',
        password: 'secret',
      })
      await entries('api::article.article').create({ title: 'A' })
      await entries('api::article.article').create({ title: 'B' })
      await entries('api::page.page').create({ title: 'P' })
      for (const table of ['articles', 'pages'])
        await store.reader.run(`update ${table} set created_by_id = 1 where id = 1`, [])
    },
  },
  api => {
    const ada = { id: 1, firstname: 'Ada', lastname: 'L' }
    const creators = ({ data }: Body) => {
      const { title: _, createdAt: _c, updatedAt: _u, ...rest } = data.attributes
      return rest
    }
    reads(api, '/articles/1', creators, [
      { says: 'nothing unless requested', ask: '', gives: {} },
      {
        says: 'where the type tells: an object with id, firstname and lastname',
        ask: '?populate=createdBy',
        gives: { createdBy: ada },
      },
      { says: 'with everything else', ask: '?populate=*', gives: { createdBy: ada, updatedBy: null } },
      {
        says: 'a part of it',
        ask: '?populate[createdBy][fields]=firstname',
        gives: { createdBy: { id: 1, firstname: 'Ada' } },
      },
    ])
    const titles = ({ data }: Body) => data.map((one: Body) => one.attributes.title).join()
    reads(api, '/articles', titles, [
      { says: 'filters by them', ask: '?filters[createdBy][firstname]=Ada', gives: 'A' },
      { says: 'filters by nobody', ask: '?filters[createdBy][$null]=true', gives: 'B' },
      { says: 'sort by them', ask: '?sort=createdBy.firstname', gives: 'B,A' },
      ...['email', 'password', 'resetPasswordToken', 'isActive'].map(name => ({
        says: 'never by what is secret',
        ask: `?filters[createdBy][${name}][$notNull]=true`,
        fails: { status: 400, parameter: `filters[createdBy][${name}]` },
      })),
    ])
    reads(api, '/pages', titles, [
      {
        says: 'where the type does not tell',
        ask: '?populate=createdBy',
        fails: { status: 400, parameter: 'populate' },
      },
      { says: 'nor with everything', ask: '?populate=*', gives: 'P' },
    ])
    it('is absent from everything of a type that does not tell', async () => {
      assert.doesNotMatch((await api.get('/pages?populate=*')).text, /createdBy|Ada/)
    })
  },
)

contract(
  'populate of polymorphic relations',
  {
    types: {
      note: {
        attributes: {
          text: { type: 'string' },
          subject: { type: 'relation', relation: 'morphToOne' },
          mentions: { type: 'relation', relation: 'morphToMany' },
        },
      },
      article: {
        attributes: {
          title: { type: 'string' },
          notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'subject' },
          mentionedIn: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' },
        },
      },
      author: {
        attributes: {
          name: { type: 'string' },
          note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'subject' },
        },
      },
    },
    rows: async ({ entries }) => {
      await entries('api::article.article').create({ title: 'A' })
      await entries('api::article.article').create({ title: 'B' })
      await entries('api::author.author').create({ name: 'Ann' })
      const of = (id: number, kind: string) => ({ id, __type: `api::${kind}.${kind}` })
      await entries('api::note.note').create({
        text: 'n1',
        subject: of(1, 'article'),
        mentions: [of(1, 'author'), of(2, 'article'), of(1, 'article')],
      })
      await entries('api::note.note').create({ text: 'n2', subject: of(1, 'author') })
      await entries('api::note.note').create({ text: 'n3', subject: of(1, 'article') })
      await entries('api::note.note').create({ text: 'n4' })
      await entries('api::article.article').create({ title: 'C', mentionedIn: [3, 2] })
    },
  },
  api => {
    const article = (id: number, title: string) => ({ id, attributes: { __type: 'api::article.article', title } })
    const author = { id: 1, attributes: { __type: 'api::author.author', name: 'Ann' } }
    reads(api, '/notes/1', attributes, [
      on('to one of any type: its type is told', 'populate=subject', { subject: { data: article(1, 'A') } }, 3),
      on(
        'to many of any type, in their order',
        'populate=mentions',
        { mentions: { data: [author, article(2, 'B'), article(1, 'A')] } },
        4,
      ),
      on('only some types', 'populate[mentions][on][api::author.author]=true', { mentions: { data: [author] } }, 3),
      on('a type in its own way', 'populate[mentions][on][api::article.article][fields]=id', {
        mentions: { data: [2, 1].map(id => ({ id, attributes: { __type: 'api::article.article' } })) },
      }),
      on('further, where the type knows the name', 'populate[subject][populate]=notes', {
        subject: {
          data: {
            id: 1,
            attributes: {
              __type: 'api::article.article',
              title: 'A',
              notes: {
                data: [
                  { id: 1, attributes: { text: 'n1' } },
                  { id: 3, attributes: { text: 'n3' } },
                ],
              },
            },
          },
        },
      }),
    ])
    reads(api, '/notes/4', attributes, [on('to many: none', 'populate=mentions', { mentions: { data: [] } })])
    reads(api, '/articles/1', attributes, [
      on(
        'the other end, of one',
        'populate=notes',
        {
          notes: {
            data: [
              { id: 1, attributes: { text: 'n1' } },
              { id: 3, attributes: { text: 'n3' } },
            ],
          },
        },
        2,
      ),
      on('sorted', 'populate[notes][sort]=text:desc', {
        notes: {
          data: [
            { id: 3, attributes: { text: 'n3' } },
            { id: 1, attributes: { text: 'n1' } },
          ],
        },
      }),
    ])
    reads(api, '/articles/3', attributes, [
      on('the other end, of many', 'populate[mentionedIn][fields]=id', {
        mentionedIn: {
          data: [
            { id: 3, attributes: {} },
            { id: 2, attributes: {} },
          ],
        },
      }),
    ])
    reads(api, '/articles/2', attributes, [on('the other end, of nothing', 'populate=notes', { notes: { data: [] } })])
    reads(api, '/authors/1', attributes, [
      on('the other end, as one', 'populate=note', { note: { data: { id: 2, attributes: { text: 'n2' } } } }, 2),
    ])
    reads(api, '/authors', ({ data }: Body) => data.length, [
      {
        says: 'cannot be filtered by',
        ask: '?filters[note][text]=n2',
        fails: { status: 400, parameter: 'filters[note]', message: /polymorphic/ },
      },
      { says: 'cannot be sorted by', ask: '?sort=note.text', fails: { status: 400, parameter: 'sort' } },
    ])
  },
)
