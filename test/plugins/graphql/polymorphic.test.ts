import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { asking } from './asking.js'

describe('relations to any type, where the app has components', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({
      plugins: [graphql],
      components: { 'shared.seo': { attributes: { title: { type: 'string' } } } },
      types: {
        note: {
          attributes: {
            title: { type: 'string' },
            about: { type: 'relation', relation: 'morphToMany' },
            next: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
            seo: { type: 'component', component: 'shared.seo' },
          },
        },
      },
    })
    const notes = app.entries('api::note.note')
    const { id: first } = await notes.create({ title: 'first' })
    const { id: second } = await notes.create({ title: 'second', next: first })
    await notes.create({ title: 'third', about: [{ id: second, __type: 'api::note.note' }] })
  })
  afterAll(() => app.close())

  it('are followed further', async () => {
    const fragment = '... on Note { title next { data { attributes { title } } } } ... on ComponentSharedSeo { id }'
    const { data, errors } = await asking({ app })(
      `{ notes(filters: { title: { eq: "third" } }) { data { attributes { about { __typename ${fragment} } } } } }`,
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(data.notes.data[0].attributes.about, [
      { __typename: 'Note', title: 'second', next: { data: { attributes: { title: 'first' } } } },
    ])
  })
})
