import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { metadataOf } from '../../plugins/explorer/metadata.js'
import { upload } from '../../plugins/upload/index.js'
import { typesOf } from '../client/world.js'
import { documentOf } from '../openapi/outline.js'

const link = (required: boolean) => ({
  ...{ type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
  required,
})

const types = {
  book: {
    attributes: {
      title: { type: 'string', required: true },
      author: link(true),
      editor: link(false),
      readers: { ...link(true), relation: 'manyToMany' },
      cover: { type: 'media', required: true },
    },
  },
  author: { attributes: { name: { type: 'string' } } },
}

/** What documents, types, the explorer and the server say has to be sent with a new book. */
async function required(dialect: 'spec' | 'strapi4') {
  const app = await createTestApp({ types, plugins: [upload], config: { api: { rest: { dialect } } } })
  try {
    const { components } = (await documentOf(app.outline)) as unknown as {
      components: { schemas: Record<string, { required?: string[] }> }
    }
    const { types: shown } = metadataOf(app.outline, { name: 'test', version: '1' })
    const book = shown.find(({ singular }) => singular === 'book')
    const [, input = ''] = /interface BookInput \{(.*?)\n\}/s.exec(await typesOf(app)) ?? []
    const members = input.trim().split('\n')
    const refused = (await app.inject({ method: 'POST', url: '/api/books', payload: { data: {} } })).json()
    return {
      document: components.schemas.BookCreate?.required ?? [],
      types: members.flatMap(member => /^\s*(\w+): /.exec(member)?.[1] ?? []),
      nullable: members.flatMap(member => (/ \| null/.test(member) ? (/\w+/.exec(member)?.[0] ?? []) : [])),
      explorer: book?.attributes.flatMap(({ name, required }) => (required ? [name] : [])) ?? [],
      server: refused.error.details.errors.map(({ path }: { path: string[] }) => path[0]),
    }
  } finally {
    await app.close()
  }
}

describe('what is required of relations is said as it is done', () => {
  it.each([
    ['spec', ['title', 'author', 'readers', 'cover']],
    ['strapi4', ['title', 'author', 'readers']],
  ] as const)('in the dialect %s', async (dialect, names) => {
    const { nullable, ...said } = await required(dialect)
    for (const [who, listed] of Object.entries(said))
      assert.deepEqual([who, [...listed].sort()], [who, [...names].sort()])
    assert.ok(names.every(name => !nullable.includes(name)) && nullable.includes('editor'), nullable.join())
  })
})
