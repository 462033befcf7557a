import assert from 'node:assert/strict'
import type { Model, QueryBuilder } from 'objection'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { rowsOf } from '../../core/index.js'
import { serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

const to = (relation: string, target: string, more: Record<string, string> = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})
const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      extra: { type: 'json' },
      author: to('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: to('manyToMany', 'tag'),
      seo: { type: 'component', component: 'shared.seo' },
      teaser: { type: 'component', component: 'shared.seo' },
      mentions: { type: 'relation', relation: 'morphToMany' },
      comments: to('morphMany', 'comment', { morphBy: 'about' }),
    },
    options: { populateCreatorFields: true },
  },
  author: { attributes: { name: { type: 'string' }, articles: to('oneToMany', 'article', { mappedBy: 'author' }) } },
  tag: { attributes: { name: { type: 'string' } } },
  comment: { attributes: { text: { type: 'string' }, about: { type: 'relation', relation: 'morphToOne' } } },
}
const components = { 'shared.seo': { attributes: { title: { type: 'string' } } } }

onEveryEngine('the objection model of a type', engine => {
  const server = serve(engine, { types, components })
  const model = (uid = 'api::article.article') => server.app.store.model(uid)

  it('has the table and the id', () => {
    assert.equal(model().tableName, 'articles')
    assert.equal(model().idColumn, 'id')
    assert.equal(model('shared.seo').tableName, 'components_shared_seos')
    assert.equal(model('admin::user').tableName, 'admin_users')
  })

  it('has a relation for every link that leads to one type', () => {
    assert.deepEqual(Object.keys(model().getRelations()).sort(), [
      ...['author', 'comments', 'createdBy', 'seo', 'tags', 'teaser', 'updatedBy'],
    ])
    assert.deepEqual(Object.keys(model('api::author.author').getRelations()).sort(), [
      'articles',
      'createdBy',
      'updatedBy',
    ])
  })

  const q = engine.name === 'postgres' ? '"' : '`'
  const cases: { says: string; uid: string; relation: string; sql: string }[] = [
    {
      says: 'a list through its table',
      uid: 'api::article.article',
      relation: 'tags',
      sql: 'select "tags".*, "articles_tags_links"."tag_order" as "linkOrder" from "tags" inner join "articles_tags_links" on "tags"."id" = "articles_tags_links"."tag_id" where "articles_tags_links"."article_id" in (7)',
    },
    {
      says: 'the one of many',
      uid: 'api::article.article',
      relation: 'author',
      sql: 'select "authors".* from "authors" inner join "articles_author_links" on "authors"."id" = "articles_author_links"."author_id" where "articles_author_links"."article_id" in (7)',
    },
    {
      says: 'the many of one, from the other side of the same table',
      uid: 'api::author.author',
      relation: 'articles',
      sql: 'select "articles".*, "articles_author_links"."article_order" as "linkOrder" from "articles" inner join "articles_author_links" on "articles"."id" = "articles_author_links"."article_id" where "articles_author_links"."author_id" in (7)',
    },
    {
      says: 'a component, by its field and its type',
      uid: 'api::article.article',
      relation: 'seo',
      sql: `select "components_shared_seos".*, "articles_components"."order" as "linkOrder" from "components_shared_seos" inner join (select "articles_components".* from "articles_components" where "field" = 'seo' and "component_type" = 'shared.seo') as "articles_components" on "components_shared_seos"."id" = "articles_components"."component_id" where "articles_components"."entity_id" in (7)`,
    },
    {
      says: 'what names it in a column of its own',
      uid: 'api::article.article',
      relation: 'comments',
      sql: `select "comments".* from "comments" where "comments"."target_id" in (7) and "target_type" = 'api::article.article'`,
    },
    {
      says: 'who made it, by a column',
      uid: 'api::article.article',
      relation: 'createdBy',
      sql: 'select "admin_users".* from "admin_users" where "admin_users"."id" in (9)',
    },
  ]
  for (const { says, uid, relation, sql } of cases)
    it(`compiles ${says}`, () => {
      const entry = model(uid).fromJson({ id: 7, created_by_id: 9 })
      const query: QueryBuilder<Model> = entry.$relatedQuery(relation as never)
      const text = query.toKnexQuery().toString()
      assert.equal(text, sql.replaceAll('"', q))
    })

  describe('reads the rows that requests have written', () => {
    let id: number
    let tags: number[]
    beforeAll(async () => {
      tags = await server.makeMany('/tags', 3)
      id = await server.make('/articles', {
        title: 't',
        tags: [...tags].reverse(),
        seo: { title: 's' },
        teaser: { title: 'x' },
      })
    })
    afterAll(() => server.delete(`/articles/${id}`))

    it('joined by the names of attributes', async () => {
      const query = model().query().alias('article').joinRelated('[tags, seo]')
      const rows = await rowsOf(
        server.app.store.reader,
        query
          .select('article.title', 'tags.id', 'seo.title as heading')
          .where('article.id', id)
          .orderBy('tags.id')
          .toKnexQuery(),
      )
      assert.deepEqual(
        rows.map(([title, tag, heading]) => [title, Number(tag), heading]),
        tags.map(tag => ['t', tag, 's']),
      )
    })
    it('in the order of the link', async () => {
      const { sql, bindings } = model()
        .relatedQuery('tags')
        .for(id)
        .clearSelect()
        .select('tags.id')
        .orderBy('articles_tags_links.tag_order')
        .toKnexQuery()
        .toSQL()
        .toNative()
      const rows = await server.app.store.reader.all(sql, bindings as unknown[])
      assert.deepEqual(
        rows.map(row => row[0]),
        [...tags].reverse(),
      )
    })
  })
})
