import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Body, contract, reads } from '../support/contract.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      views: { type: 'integer' },
      createdFrom: { type: 'string' },
      secret: { type: 'password' },
      note: { type: 'string', private: true },
      hiddenByName: { type: 'string' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      hiddenAuthor: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', private: true },
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
  author: { attributes: { name: { type: 'string' }, phone: { type: 'string', private: true } } },
}

const components = {
  'shared.seo': { attributes: { metaTitle: { type: 'string' }, key: { type: 'password' } } },
}

/** The names of the attributes of the first entry, in the order of the answer. */
const names = ({ data: [first] }: Body) => Object.keys(first.attributes).join()

contract(
  'fields',
  {
    types,
    components,
    config: { api: { responses: { privateAttributes: ['hiddenByName'] } } },
    rows: async ({ entries }) => {
      await entries('api::author.author').create({ name: 'Ann', phone: 'call-me' })
      await entries('api::article.article').create({
        title: 'A',
        views: 1,
        secret: 'hunter2',
        note: 'inside',
        hiddenByName: 'hidden',
        author: 1,
        hiddenAuthor: 1,
        seo: { metaTitle: 'm', key: 'hunter3' },
        blocks: [{ __component: 'shared.seo', metaTitle: 'm', key: 'hunter4' }],
      })
    },
  },
  api => {
    const everything = 'title,views,createdFrom,createdAt,updatedAt'
    reads(api, '/articles', names, [
      { says: 'every column of its own when nothing is asked', ask: '', gives: everything },
      { says: 'a star is every column', ask: '?fields=*', gives: everything },
      { says: 'a star in a list', ask: '?fields[0]=*', gives: everything },
      { says: 'a star next to a name', ask: '?fields[0]=views&fields[1]=*', gives: everything },
      { says: 'one field', ask: '?fields=title', gives: 'title' },
      { says: 'a list of one', ask: '?fields[0]=title', gives: 'title' },
      {
        says: 'several, in the order they were asked for',
        ask: '?fields[0]=views&fields[1]=title',
        gives: 'views,title',
      },
      { says: 'a list without indexes', ask: '?fields[]=views&fields[]=title', gives: 'views,title' },
      { says: 'repeated keys', ask: '?fields=views&fields=title', gives: 'views,title' },
      { says: 'the same twice is the same once', ask: '?fields[0]=views&fields[1]=views', gives: 'views' },
      {
        says: 'several with commas, in the order they were asked for',
        ask: '?fields=views,title',
        gives: 'views,title',
      },
      { says: 'with commas and spaces', ask: '?fields=views,+title', gives: 'views,title' },
      { says: 'with commas in an item of a list', ask: '?fields[0]=views,title&fields[1]=id', gives: 'views,title' },
      { says: 'a star among them', ask: '?fields=views,*', gives: everything },
      { says: 'spaces around a name do not count', ask: '?fields[0]=+views%20', gives: 'views' },
      { says: 'the id alone: no attributes', ask: '?fields=id', gives: '' },
      {
        says: "the server's own columns",
        ask: '?fields[0]=updatedAt&fields[1]=createdAt',
        gives: 'updatedAt,createdAt',
      },
      { says: 'what is populated comes on top', ask: '?fields[0]=title&populate=author', gives: 'title,author' },
      { says: 'and without any field', ask: '?fields=id&populate[0]=seo&populate[1]=author', gives: 'author,seo' },
    ])

    describe('names what is wrong', () => {
      const unknown = (name: string) => new RegExp(`has no attribute "${name}"`)
      reads(api, '/articles', names, [
        ...['nope', 'createdBy', 'created_at', 'author.name', '-title', 'constructor', '__proto'].map(name => ({
          says: 'what is no column',
          ask: `?fields[0]=${name}`,
          fails: { status: 400, name: 'ValidationError', parameter: 'fields[0]', message: unknown(name) },
        })),
        ...['author', 'seo', 'blocks'].map(name => ({
          says: 'what is populated, not selected',
          ask: `?fields[0]=${name}`,
          fails: { status: 400, parameter: 'fields[0]', message: /ask for it with populate/ },
        })),
        ...['secret', 'note', 'hiddenByName', 'hiddenAuthor'].map(name => ({
          says: 'what is hidden, in the words for what does not exist',
          ask: `?fields=${name}`,
          fails: { status: 400, name: 'ValidationError', parameter: 'fields', message: unknown(name) },
        })),
        {
          says: 'the place in the list',
          ask: '?fields[0]=title&fields[1]=nope',
          fails: { status: 400, parameter: 'fields[1]' },
        },
        { says: 'an empty name', ask: '?fields[0]=', fails: { status: 400, parameter: 'fields[0]' } },
        { says: 'one of several names', ask: '?fields=title,nope', fails: { status: 400, message: unknown('nope') } },
        {
          says: 'a hidden one of several',
          ask: '?fields=title,secret',
          fails: { status: 400, message: unknown('secret') },
        },
        { says: 'a comma with no name behind it', ask: '?fields=title,', fails: { status: 400, parameter: 'fields' } },
        {
          says: 'one of several names in a populate',
          ask: '?populate[author][fields]=id,nope',
          fails: { status: 400, parameter: 'populate[author][fields]', message: unknown('nope') },
        },
        { says: 'no name', ask: '?fields=', fails: { status: 400, parameter: 'fields' } },
        { says: 'an object', ask: '?fields[title]=1', fails: { status: 400, parameter: 'fields' } },
        {
          says: 'in a populate',
          ask: '?populate[author][fields][0]=nope',
          fails: { status: 400, parameter: 'populate[author][fields][0]' },
        },
        {
          says: 'a private field in a populate',
          ask: '?populate[author][fields][0]=phone',
          fails: { status: 400, parameter: 'populate[author][fields][0]', message: unknown('phone') },
        },
        {
          says: 'a password in a component',
          ask: '?populate[seo][fields][0]=key',
          fails: { status: 400, parameter: 'populate[seo][fields][0]', message: unknown('key') },
        },
        { says: 'a wrong field of one entry', ask: '/1?fields=nope', fails: { status: 400, parameter: 'fields' } },
      ])
    })

    it('a hidden field is refused like one that never was, at every depth and place', async () => {
      const answerTo = async (ask: string, name: string) =>
        (await api.get(`/articles?${ask}`)).text.replaceAll(name, '<name>')
      const places = [
        ['fields[0]=NAME', 'note'],
        ['sort=NAME', 'secret'],
        ['filters[NAME]=x', 'note'],
        ['filters[NAME][$startsWith]=$2b', 'secret'],
        ['filters[$or][0][NAME][$notNull]=true', 'hiddenByName'],
        ['populate=NAME', 'hiddenAuthor'],
        ['filters[hiddenAuthor][NAME]=x', 'name'],
        ['filters[author][NAME]=1', 'phone'],
        ['sort=author.NAME', 'phone'],
        ['populate[author][filters][NAME]=1', 'phone'],
        ['populate[author][sort]=NAME', 'phone'],
        ['filters[seo][NAME][$notNull]=true', 'key'],
        ['populate[blocks][on][shared.seo][fields][0]=NAME', 'key'],
      ] as const
      for (const [ask, hidden] of places) {
        const refusal = await api.get(`/articles?${ask.replace('NAME', hidden)}`)
        assert.equal(refusal.status, 400, ask)
        if (ask.includes('[hiddenAuthor]')) continue
        assert.equal(
          await answerTo(ask.replace('NAME', hidden), hidden),
          await answerTo(ask.replace('NAME', 'nothing'), 'nothing'),
          ask,
        )
      }
    })

    it('a hidden value is in no response, however it is asked for', async () => {
      for (const ask of [
        '',
        '?populate=*',
        '?fields=*&populate[seo]=true&populate[blocks][populate]=*',
        '/1?populate=*',
      ])
        assert.doesNotMatch(
          (await api.get(`/articles${ask}`)).text,
          /hunter|inside|hidden|\\$2b\\$|call-me|secret|note|key/,
        )
    })

    it('selects no column that is not answered', async () => {
      const { statements } = await api.get('/articles?fields[0]=title&pagination[withCount]=false')
      assert.equal(statements.length, 1)
      assert.doesNotMatch(statements[0] ?? '', /views|created_at|secret|note/)
    })
  },
)
