import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { type Api, type Body, contract, refused } from '../support/contract.js'

const types = {
  author: {
    attributes: {
      name: { type: 'string' },
      books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'author' },
      notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'subject' },
      links: { type: 'component', component: 'shared.link', repeatable: true },
    },
  },
  book: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'books' },
    },
  },
  note: { attributes: { text: { type: 'string' }, subject: { type: 'relation', relation: 'morphToOne' } } },
}
const components = { 'shared.link': { attributes: { url: { type: 'string' } } } }

/** `x-hides` is a type that a request may not find; `x-title` is that of the only books that it may. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => ({
    scope: `${headers['x-hides']} ${headers['x-title']}`,
    can: (_, uid) => uid !== headers['x-hides'],
    ...(headers['x-title'] !== undefined && {
      rows: (_: string, uid: string) => (uid === 'api::book.book' ? { title: String(headers['x-title']) } : undefined),
    }),
  }),
})

const world = {
  types,
  components,
  plugins: [callers, draftAndPublish],
  rows: async ({ entries }: Api['app']) => {
    const links = [{ url: 'a' }, { url: 'b' }]
    for (const name of ['Ann', 'Bob'])
      await entries('api::author.author').create({ name, ...(name === 'Ann' && { links }) })
    for (const title of ['x', 'x', 'y']) await entries('api::book.book').create({ title, author: 1 })
    await entries('api::book.book').create({ title: 'draft', author: 1, publishedAt: null })
    const subject = { id: 1, __type: 'api::author.author' }
    await entries('api::note.note').create({ text: 'n', subject })
  },
}
const counted = (name: string) => (body: Body) => body.data.map((entry: Body) => entry.attributes[name])
const related = (...counts: number[]) => counts.map(count => ({ data: { attributes: { count } } }))

contract('a count in a populate', world, api => {
  const count = async (name: string, more = '', headers: Record<string, string> = {}) => {
    const answer = await api.get(`/authors?sort=id&populate[${name}][count]=true${more}`, headers)
    assert.equal(answer.status, 200, answer.text)
    return counted(name)(answer.body)
  }

  it('stands in place of the entries, in one statement for all parents', async () => {
    const { body, statements } = await api.get(
      '/authors?sort=id&populate[books][count]=true&populate[notes][count]=true&populate[links][count]=true&pagination[withCount]=false',
    )
    assert.deepEqual(counted('books')(body), related(3, 0))
    assert.deepEqual(counted('notes')(body), related(1, 0))
    assert.deepEqual(counted('links')(body), [{ count: 2 }, { count: 0 }])
    assert.equal(statements.filter(text => text.includes('count(')).length, 3, statements.join('\n'))
    assert.deepEqual(
      (await api.get('/authors/1?populate[books][count]=true')).body.data.attributes.books,
      related(3)[0],
    )
  })
  it('counts what its filters, the rules of the caller and the state let be found', async () => {
    assert.deepEqual(await count('books', '&populate[books][filters][title]=x'), related(2, 0))
    assert.deepEqual(await count('books', '', { 'x-title': 'y' }), related(1, 0))
    assert.deepEqual(await count('books', '&publicationState=preview'), related(4, 0))
  })
  it('is absent where the caller may not find the type', async () =>
    assert.deepEqual(await count('books', '', { 'x-hides': 'api::book.book' }), [undefined, undefined]))
  it('may be written as JSON, and false', async () => {
    const { body } = await api.get('/authors/1?fields=name&populate={"books":{"count":true}}')
    assert.deepEqual(body.data.attributes, { name: 'Ann', books: related(3)[0] })
    const { data } = (await api.get('/authors/1?populate[books][count]=false')).body
    assert.equal(data.attributes.books.data.length, 3)
  })
})

contract('a count in a populate under the budget', { ...world, rest: { limits: { statements: 3 } } }, api => {
  it('costs a statement as what it counts does', async () => {
    const ask = (name: string) => `populate[${name}][count]=true`
    assert.equal((await api.get(`/authors?${ask('books')}`)).status, 200)
    refused(await api.get(`/authors?${ask('books')}&${ask('notes')}`), { status: 400, message: /statements/ })
  })
})

contract('a count in a populate, disabled', { ...world, rest: { countInPopulate: false } }, api => {
  it('is refused', async () =>
    refused(await api.get('/authors?populate[books][count]=true'), {
      status: 400,
      parameter: 'populate[books][count]',
      message: /cannot be counted/,
    }))
})
