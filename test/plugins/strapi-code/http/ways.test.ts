import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Loose } from '../../../../plugins/strapi-code/types.js'
import { start } from '../support/written.js'

const attributes = {
  title: { type: 'string', required: true, maxLength: 20 },
  secret: { type: 'string', private: true },
  count: { type: 'integer', min: 0, default: 7 },
  price: { type: 'decimal' },
  when: { type: 'datetime' },
  kind: { type: 'enumeration', enum: ['one', 'two'] },
  extra: { type: 'json' },
  parent: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner' },
  hidden: { type: 'relation', relation: 'manyToOne', target: 'api::hidden.hidden' },
  owners: { type: 'relation', relation: 'manyToMany', target: 'api::owner.owner' },
  seo: { type: 'component', component: 'c.seo' },
  list: { type: 'component', component: 'c.seo', repeatable: true },
  zone: { type: 'dynamiczone', components: ['c.seo'] },
}

const schema = (name: string, more: object = {}) =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes,
    ...more,
  })

const heard = ['FindMany', 'FindOne', 'Count', 'Create', 'Update', 'Delete']
const lifecycles = `module.exports = { ${heard.map(name => `before${name}() {}`).join(', ')} }`

const api = (name: string, given: string, more: Record<string, string> = {}) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: given,
  ...Object.fromEntries(
    ['Controller', 'Service', 'Router'].map(part => [
      `src/api/${name}/${part.toLowerCase().replace(/r$/, 'r')}s/${name}.js`.replace('/routers/', '/routes/'),
      `module.exports = require('@strapi/strapi').factories.createCore${part}('api::${name}.${name}')`,
    ]),
  ),
  ...more,
})

const types = ['plain', 'heard', 'alone', 'lone', 'owner']
const single = {
  kind: 'singleType',
  options: {},
  attributes: { title: { type: 'string', required: true }, seo: attributes.seo },
}
const owners = { options: {}, attributes: { name: { type: 'string' }, mail: { type: 'email', private: true } } }

/** Two types that differ by nothing but events which are heard: those go the way of the code, the others that of the engine. */
const files = {
  ...api('plain', schema('plain')),
  ...api('heard', schema('heard'), { 'src/api/heard/content-types/heard/lifecycles.js': lifecycles }),
  ...api('alone', schema('alone', single)),
  ...api('lone', schema('lone', single), { 'src/api/lone/content-types/lone/lifecycles.js': lifecycles }),
  ...api('owner', schema('owner', owners)),
  ...api('hidden', schema('hidden', owners)),
  'src/components/c/seo.json': JSON.stringify({
    collectionName: 'components_c_seos',
    info: { displayName: 'seo' },
    attributes: { meta: { type: 'string' }, note: { type: 'string', private: true }, owner: attributes.parent },
  }),
  'config/api.js': 'module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } }',
  'config/plugins.js':
    "module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: env('JWT_SECRET') } } })",
  'package.json': JSON.stringify({
    name: 'written',
    dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2' },
  }),
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
    for (const name of ${JSON.stringify(types)}) for (const action of ['find', 'findOne', 'create', 'update', 'delete'])
      await strapi.query('plugin::users-permissions.permission').create({ data: { action: \`api::\${name}.\${name}.\${action}\`, role: role.id } })
    for (const name of ['Ada', 'Bo']) await strapi.entityService.create('api::owner.owner', { data: { name, mail: name + '@x.test' } })
    await strapi.entityService.create('api::hidden.hidden', { data: { name: 'h' } })
    for (const name of ['plain', 'heard']) for (const [title, publishedAt] of [['one', new Date(0)], ['two', new Date(0)], ['draft', null], ['four', new Date(0)]])
      await strapi.entityService.create(\`api::\${name}.\${name}\`, { data: { title, publishedAt, secret: 's', price: 1.5, parent: 1, hidden: 1, owners: [2, 1], seo: { meta: title, note: 'n', owner: 2 }, list: [{ meta: 'a' }, { meta: 'b', owner: 1 }], zone: [{ __component: 'c.seo', meta: 'z', note: 'n' }] } })
  } }`,
}

type Asked = readonly [method: string, path: string, body?: unknown]

const reads: readonly Asked[] = [
  ...[
    '',
    'sort=title:desc',
    'sort[0]=count&sort[1]=title',
    'fields[0]=title',
    'fields[0]=title&fields[1]=count',
    'publicationState=preview&sort=id',
  ],
  ...['pagination[page]=2&pagination[pageSize]=2&sort=id', 'pagination[start]=1&pagination[limit]=1&sort=id'],
  ...['pagination[withCount]=false&sort=id', 'pagination[limit]=-1', 'pagination[pageSize]=1000'],
  ...[
    'filters[title][$contains]=o&sort=id',
    'filters[parent][name]=Ada',
    'filters[$or][0][title]=one&filters[$or][1][id]=4&sort=id',
  ],
  ...[
    'filters[seo][meta]=two',
    'filters[owners][id]=1&sort=id',
    'filters[title][$in][0]=one&filters[title][$in][1]=two&sort=id',
  ],
  ...['filters[secret]=s', 'filters[nope]=1', 'sort=secret', 'sort=nope', 'fields=nope', 'filters[hidden][name]=h'],
  ...[
    'populate=*&sort=id',
    'populate=parent,seo&sort=id',
    'populate=hidden&sort=id',
    'populate[0]=owners&populate[1]=list.owner&sort=id',
  ],
  ...[
    'populate[parent][fields]=name&sort=id',
    'populate[owners][sort]=name&populate[owners][filters][name][$ne]=Bo&sort=id',
  ],
  ...[
    'populate[seo][populate]=owner&sort=id',
    'populate[zone][on][c.seo][fields]=meta&sort=id',
    'populate=nope&sort=id',
    'unknown=1&sort=id',
  ],
  ...['populate[seo]=true&sort=id', 'populate[createdBy]=true&sort=id', 'filters[when][$null]=true&sort=id'],

  // pages
  ...[
    'page=0',
    'page=-1',
    'page=',
    'page=9',
    'pageSize=0',
    'pageSize=-1',
    'pageSize=',
    'page=abc',
    'pageSize=1.5',
    'limit=0',
    'limit=',
    'limit=-2',
    'start=-1',
    'start=2',
    'limit=2',
    'withCount=f',
    'withCount=1',
    'withCount=maybe',
    'foo=1',
    'page=1&pagination[start]=1',
    'start=1&pagination[pageSize]=1',
  ].map(one => `sort=id&pagination[${one.replace('=', ']=')}`),
  ...['pagination=5', 'page=2', 'pageSize=1', 'start=1', 'limit=1', '_limit=1'].map(one => `sort=id&${one}`),
  // order
  ...[
    'title:DESC',
    'title,id:desc',
    ' title , id ',
    'title:asc:desc',
    '',
    'parent.name',
    'seo.meta:desc',
    'owners.name',
    'title:down',
    'title:',
    'nosuch',
    'parent.nosuch',
    '-title',
    'parent',
    'seo',
    'zone',
    'hidden.name',
    'createdBy',
    'secret',
    'extra',
    'id:desc',
  ].map(one => `sort=${one}`),
  ...[
    'sort[title]=desc',

    'sort[parent][name]=asc&sort[title]=asc',
    'sort[title]=x',
    'sort[]=title',
    'sort=title&sort=id',
  ],
  // columns
  ...['title', '*', 'id', 'title,count', ' title ', 'nosuch', 'parent', 'seo', 'secret', 'createdBy'].map(
    one => `sort=id&fields=${one}`,
  ),
  ...[
    'fields[0]=',
    'fields[0]=*&fields[1]=title',
    'fields[0]=title&fields[1]=nosuch',
    'fields[]=title&fields[]=price',
    'fields=title&fields=count',
  ].map(one => `sort=id&${one}`),
  // filters
  ...[
    '[title]=one',
    '[title][0]=one&filters[title][1]=two',
    '[id][$gt]=1',
    '[id]=abc',
    '[count]=',
    '[count][$between][0]=1&filters[count][$between][1]=9',
    '[title][$not][$eq]=one',
    '[$not][title]=one',
    '[title][$notNull]=true',
    '[when][$notNull]=false',
    '[$bogus]=1',
    '[parent][$bogus]=1',
    '[parent]=1',
    '[parent][id][$eq]=1',
    '[parent][$in][0]=1',
    '[parent][$null]=true',
    '[parent][id][$ne]=1',
    '[owners]=1',
    '[owners][name][$startsWith]=B',
    '[owners][$or][0][id]=1',
    '[seo][$null]=true',
    '[list][meta]=b',
    '[list][owner][name]=Ada',
    '[zone][meta]=z',
    '[createdBy]=1',
    '[seo][note]=n',
    '[parent][mail]=x',
    '[price]=1.5',
    '[price][$lt]=2',
    '[title][$containsi]=O',
    '[title][$eqi]=ONE',
    '[kind][$null]=true',
    '[publishedAt][$lt]=2000-01-01',
    '[publishedAt]=junk',
    '[$and][0][title]=one',
    '[title][$in]=one',
    '[title]=',
  ].map(one => `sort=id&filters${one}`),
  'sort=id&_q=two',
  'sort=id&where[title]=one',
  'sort=id&publicationState=live',
  'publicationState=junk',
  'sort=id&locale=fr',
  // what is populated
  ...[
    '=true',
    '=false',
    '=',
    '=nosuch',
    '=title',
    '=parent, seo',
    '[]=parent',
    '[0]=parent&populate[1]=nosuch',
    '[parent]=t',
    '[parent]=f',
    '[parent]=any',
    '[parent]=*',
    '[parent][populate]=*',
    '[parent][populate]=nosuch',
    '[parent][fields]=nosuch',
    '[parent][sort]=nosuch',
    '[owners][filters][nosuch]=1',
    '[owners][filters][mail]=x',
    '[nosuch]=true',
    '[nosuch][fields]=a',
    '[seo][fields]=meta',
    '[seo][fields]=note',
    '[list][sort]=meta:desc',
    '[list][filters][meta]=a',
    '[owners][count]=true',
    '[list][count]=true',
    '[zone][populate]=*',
    '[zone][populate]=owner',
    '[zone][on][c.seo]=true',
    '[zone][on][c.seo][populate]=owner',
    '[zone][on][c.nosuch]=true',
    '[zone][fields]=meta',
    '[hidden][fields]=name',
    '=seo.owner,list.owner',
    '[0]=seo.owner',
    '=createdBy',
    '=localizations',
    '[seo][populate][owner][fields]=name',
    '[parent][filters][name]=Bo',
  ].map(one => `sort=id&populate${one}`),
].map(query => ['GET', `/api/NAMEs?${query}`] as const)

const ones: readonly Asked[] = [
  '1',
  '2?populate=*',
  '3',
  '1?populate=owners&fields=title',
  '99',
  'x',
  '1?filters[nope]=1',
].map(rest => ['GET', `/api/NAMEs/${rest}`] as const)

const writes: readonly Asked[] = [
  [
    'POST',
    '/api/NAMEs',
    {
      data: {
        title: 'new',
        owners: [1, 2],
        parent: 2,
        hidden: 1,
        secret: 'x',
        seo: { meta: 'm', owner: 1 },
        list: [{ meta: 'l' }],
        zone: [{ __component: 'c.seo', meta: 'z' }],
      },
    },
  ],
  ['GET', '/api/NAMEs/5?populate=*'],
  [
    'POST',
    '/api/NAMEs?populate=owners&fields=title',
    { data: { title: 'more', owners: { connect: [{ id: 2 }] }, id: 77, createdAt: '2000-01-01', unknown: 1 } },
  ],
  ['POST', '/api/NAMEs', { data: { title: 'a draft', publishedAt: null } }],
  ['POST', '/api/NAMEs', { data: {} }],
  ['POST', '/api/NAMEs', { data: { title: 'x'.repeat(30), count: -1, kind: 'three' } }],
  ['POST', '/api/NAMEs', { data: { title: 'x', count: 'many' } }],
  ['POST', '/api/NAMEs', {}],
  ['POST', '/api/NAMEs', { data: { title: 'x', when: 'junk' } }],
  ['POST', '/api/NAMEs', { data: { title: 'x', when: '2024-02-29', price: '1.25', kind: 'two', extra: { a: [1] } } }],
  ['POST', '/api/NAMEs', { data: [] }],
  ['POST', '/api/NAMEs', { data: { title: 'x', seo: { nope: 1 }, list: null } }],
  ['POST', '/api/NAMEs?filters[nope]=1', { data: { title: 'x' } }],
  ['POST', '/api/NAMEs', { data: { title: 5 } }],
  ['POST', '/api/NAMEs', { data: { title: 'x', owners: null, parent: null } }],
  ['POST', '/api/NAMEs', { data: { title: 'x', owners: [{ id: 2 }, 1], parent: { connect: [2] } } }],
  ['POST', '/api/NAMEs', { data: { title: 'x', owners: [99] } }],
  [
    'PUT',
    '/api/NAMEs/1?populate=seo,owners',
    { data: { title: 'changed', owners: { disconnect: [1] }, seo: { meta: 'changed' } } },
  ],
  ['PUT', '/api/NAMEs/1', { data: { seo: null, list: [], count: null } }],
  ['GET', '/api/NAMEs/1?populate=*'],
  ['PUT', '/api/NAMEs/1', { data: { title: '' } }],
  ['PUT', '/api/NAMEs/99', { data: { title: 'none' } }],
  ['PUT', '/api/NAMEs/1', { title: 'no data' }],
  ['DELETE', '/api/NAMEs/2?populate=parent'],
  ['DELETE', '/api/NAMEs/2'],
  ['GET', '/api/NAMEs?sort=id&publicationState=preview'],
]

const ofSingle: readonly Asked[] = [
  ['GET', '/api/NAME'],
  ['DELETE', '/api/NAME'],
  ['PUT', '/api/NAME', { data: {} }],
  ['PUT', '/api/NAME?populate=seo', { data: { title: 'made', seo: { meta: 'm' } } }],
  ['GET', '/api/NAME?populate=*'],
  ['PUT', '/api/NAME', { data: { title: 'changed' } }],
  ['GET', '/api/NAME?fields=title'],
  ['DELETE', '/api/NAME'],
  ['GET', '/api/NAME'],
]

describe('standard actions answer alike on both ways', () => {
  const compare = async (asked: readonly Asked[], [one, other]: readonly [string, string]) => {
    const project = await start(files)
    const send = async (name: string, [method, path, body]: Asked) => {
      const url = path.replace('NAME', name)
      const { status, text } = await project.send({
        auth: 'none',
        method,
        path: url,
        ...(body !== undefined && { body }),
      })
      return [status, timeless(JSON.parse(text || 'null'))]
    }
    const differences: Loose[] = []
    for (const ask of asked) {
      const [engine, code] = [await send(one, ask), await send(other, ask)]
      try {
        assert.deepEqual(code, engine)
      } catch {
        differences.push({ ask: ask.slice(0, 2).join(' '), engine: JSON.stringify(engine), code: JSON.stringify(code) })
      }
    }
    assert.deepEqual(differences, [])
  }

  it('reads of many', () => compare(reads, ['plain', 'heard']))
  it('reads of one', () => compare(ones, ['plain', 'heard']))
  it('writes', () => compare(writes, ['plain', 'heard']))
  it('single types', () => compare(ofSingle, ['alone', 'lone']))
})

const stamps = ['createdAt', 'updatedAt', 'publishedAt']

/** Without the times at which an entry was written, and without the ids of components, which all types count together. */
function timeless(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(timeless)
  if (typeof value !== 'object' || value === null) return value
  const isComponent = 'meta' in value && !('data' in value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isComponent && key === 'id'))
      .map(([key, inner]) => [key, stamps.includes(key) ? typeof inner : timeless(inner)]),
  )
}
