import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { mysqlKind } from '../support/servers.js'
import { layoutOf } from './found.js'

const to = (relation: string, target: string, more: Record<string, string> = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})

const types = {
  'blog-post': {
    attributes: {
      metaTitle: { type: 'string' },
      HTMLBody: { type: 'richtext' },
      own: { type: 'string', column: { name: 'its_own' } },
      code: { type: 'string', unique: true },
      slug: { type: 'uid' },
      body: { type: 'text', unique: true },
      date: { type: 'date' },
      time: { type: 'time' },
      moment: { type: 'datetime' },
      stamp: { type: 'timestamp' },
      count: { type: 'integer' },
      big: { type: 'biginteger' },
      share: { type: 'float' },
      price: { type: 'decimal' },
      open: { type: 'boolean' },
      extra: { type: 'json' },
      author: to('manyToOne', 'author', { inversedBy: 'posts' }),
      mainTag: to('oneToOne', 'tag'),
      tags: to('manyToMany', 'tag', { inversedBy: 'posts' }),
      topics: to('oneToMany', 'tag'),
      related: to('oneToMany', 'blog-post'),
      friends: to('manyToMany', 'blog-post', { inversedBy: 'friendOf' }),
      friendOf: to('manyToMany', 'blog-post', { mappedBy: 'friends' }),
      parent: to('manyToOne', 'blog-post', { inversedBy: 'children' }),
      children: to('oneToMany', 'blog-post', { mappedBy: 'parent' }),
      seo: { type: 'component', component: 'shared.seo-data' },
      blocks: { type: 'dynamiczone', components: ['shared.seo-data'] },
      mentions: { type: 'relation', relation: 'morphToMany' },
      subject: { type: 'relation', relation: 'morphToOne' },
    },
    indexes: [
      { attributes: ['date', 'count'] },
      { attributes: ['count'], unique: false, name: 'by_count' },
      { attributes: ['big', 'open'], unique: true },
    ],
  },
  author: { attributes: { posts: to('oneToMany', 'blog-post', { mappedBy: 'author' }) } },
  tag: { attributes: { posts: to('manyToMany', 'blog-post', { mappedBy: 'tags' }) } },
}
const components = {
  'shared.seo-data': {
    attributes: {
      title: { type: 'string' },
      tag: to('oneToOne', 'tag'),
      inner: { type: 'component', component: 'shared.inner', repeatable: true },
    },
  },
  'shared.inner': { attributes: { name: { type: 'string' } } },
}

onEveryEngine('the layout of the database after the first start', engine => {
  const server = serve(engine, { types, components })
  const tables = () => layoutOf(server.database)

  const wanted: { table: string; columns: string[] }[] = [
    {
      table: 'blog_posts',
      columns:
        'id meta_title html_body its_own code slug body date time moment stamp count big share price open extra created_at updated_at created_by_id updated_by_id target_id target_type'.split(
          ' ',
        ),
    },
    { table: 'components_shared_seo_datas', columns: ['id', 'title'] },
    { table: 'components_shared_inners', columns: ['id', 'name'] },
    { table: 'blog_posts_author_links', columns: ['id', 'blog_post_id', 'author_id', 'blog_post_order'] },
    { table: 'blog_posts_main_tag_links', columns: ['id', 'blog_post_id', 'tag_id'] },
    { table: 'blog_posts_tags_links', columns: ['id', 'blog_post_id', 'tag_id', 'tag_order', 'blog_post_order'] },
    { table: 'blog_posts_topics_links', columns: ['id', 'blog_post_id', 'tag_id', 'tag_order'] },
    { table: 'blog_posts_related_links', columns: ['id', 'blog_post_id', 'inv_blog_post_id', 'blog_post_order'] },
    {
      table: 'blog_posts_friends_links',
      columns: ['id', 'blog_post_id', 'inv_blog_post_id', 'blog_post_order', 'inv_blog_post_order'],
    },
    { table: 'blog_posts_parent_links', columns: ['id', 'blog_post_id', 'inv_blog_post_id', 'blog_post_order'] },
    {
      table: 'blog_posts_components',
      columns: ['id', 'entity_id', 'component_id', 'component_type', 'field', 'order'],
    },
    {
      table: 'components_shared_seo_datas_components',
      columns: ['id', 'entity_id', 'component_id', 'component_type', 'field', 'order'],
    },
    { table: 'components_shared_seo_datas_tag_links', columns: ['id', 'seo_data_id', 'tag_id'] },
    {
      table: 'blog_posts_mentions_morphs',
      columns: ['id', 'blog_post_id', 'mentions_id', 'mentions_type', 'field', 'order'],
    },
    { table: 'admin_users', columns: ['id', 'firstname', 'lastname'] },
  ]
  for (const { table, columns } of wanted)
    it(`${table} has its columns`, async () => {
      const found = (await tables()).columns.get(table)
      assert.ok(found, `there is no table ${table}`)
      if (table === 'admin_users') for (const column of columns) assert.ok(found.has(column), column)
      else assert.deepEqual(new Set(found.keys()), new Set(columns))
    })

  it('makes one table for a relation, named after the side that owns it', async () => {
    const { columns } = await tables()
    for (const table of [
      'tags_posts_links',
      'authors_posts_links',
      'blog_posts_friend_of_links',
      'blog_posts_children_links',
    ])
      assert.equal(columns.has(table), false, table)
  })

  const declared = {
    sqlite: [
      'varchar(255)',
      'text',
      'date',
      'time',
      'datetime',
      'datetime',
      'integer',
      'bigint',
      'float',
      'float',
      'boolean',
      'json',
    ],
    mysql: [
      'varchar(255)',
      'longtext',
      'date',
      'time(3)',
      'datetime(6)',
      'timestamp(6)',
      'int',
      'bigint',
      'double',
      'decimal(10,2)',
      'tinyint(1)',
      // On MariaDB it is another name of a text.
      mysqlKind() === 'mysql' ? 'json' : 'longtext',
    ],
    postgres: [
      'character varying(255)',
      'text',
      'date',
      'time(3) without time zone',
      'timestamp(6) without time zone',
      'timestamp(6) without time zone',
      'integer',
      'bigint',
      'double precision',
      'numeric(10,2)',
      'boolean',
      'jsonb',
    ],
  }[engine.name]
  const fields = 'meta_title html_body date time moment stamp count big share price open extra'.split(' ')
  for (const [index, field] of fields.entries())
    it(`the column ${field} is ${declared[index]}`, async () => {
      const type = (await tables()).columns.get('blog_posts')?.get(field)
      // MariaDB tells a display width, MySQL does not.
      assert.equal(type?.replace(/^(int|bigint)\(\d+\)$/, '$1'), declared[index])
    })

  describe('every way along a link has an index', () => {
    const ways: { table: string; columns: string[]; unique?: boolean }[] = [
      { table: 'blog_posts_tags_links', columns: ['blog_post_id'] },
      { table: 'blog_posts_tags_links', columns: ['tag_id'] },
      { table: 'blog_posts_tags_links', columns: ['blog_post_id', 'tag_order'] },
      { table: 'blog_posts_tags_links', columns: ['tag_id', 'blog_post_order'] },
      { table: 'blog_posts_tags_links', columns: ['blog_post_id', 'tag_id'], unique: true },
      { table: 'blog_posts_author_links', columns: ['blog_post_id'] },
      { table: 'blog_posts_author_links', columns: ['author_id', 'blog_post_order'] },
      { table: 'blog_posts_author_links', columns: ['blog_post_id', 'author_id'], unique: true },
      { table: 'blog_posts_main_tag_links', columns: ['blog_post_id'] },
      { table: 'blog_posts_main_tag_links', columns: ['tag_id'] },
      { table: 'blog_posts_topics_links', columns: ['blog_post_id', 'tag_order'] },
      { table: 'blog_posts_topics_links', columns: ['tag_id'] },
      { table: 'blog_posts_friends_links', columns: ['blog_post_id', 'blog_post_order'] },
      { table: 'blog_posts_friends_links', columns: ['inv_blog_post_id', 'inv_blog_post_order'] },
      { table: 'blog_posts_components', columns: ['entity_id', 'field', 'order'] },
      { table: 'blog_posts_components', columns: ['component_id', 'component_type'] },
      {
        table: 'blog_posts_components',
        columns: ['entity_id', 'component_id', 'field', 'component_type'],
        unique: true,
      },
      { table: 'components_shared_seo_datas_components', columns: ['entity_id', 'field', 'order'] },
      { table: 'components_shared_seo_datas_tag_links', columns: ['seo_data_id'] },
      { table: 'components_shared_seo_datas_tag_links', columns: ['tag_id'] },
      { table: 'blog_posts_mentions_morphs', columns: ['blog_post_id', 'order'] },
      { table: 'blog_posts_mentions_morphs', columns: ['mentions_id', 'mentions_type'] },
      { table: 'blog_posts', columns: ['created_by_id'] },
      { table: 'blog_posts', columns: ['updated_by_id'] },
      { table: 'blog_posts', columns: ['target_type', 'target_id'] },
    ]
    for (const { table, columns, unique = false } of ways)
      it(`${table} (${columns.join(', ')})${unique ? ', unique' : ''}`, async () => {
        const { indexes } = await tables()
        const fits = indexes.filter(
          index =>
            index.table === table &&
            columns.every((column, place) => index.columns[place] === column) &&
            (!unique || (index.unique && index.columns.length === columns.length)),
        )
        assert.notEqual(
          fits.length,
          0,
          JSON.stringify(
            indexes.filter(index => index.table === table),
            null,
            1,
          ),
        )
      })
  })

  describe('indexes have the names of the layout', () => {
    const names = [
      'blog_posts_tags_links_fk',
      'blog_posts_tags_links_inv_fk',
      'blog_posts_tags_links_unique',
      'blog_posts_tags_links_order_fk',
      'blog_posts_tags_links_order_inv_fk',
      'blog_posts_created_by_id_fk',
      'blog_posts_updated_by_id_fk',
      'blog_posts_slug_unique',
      'blog_posts_code_unique',
      'blog_posts_field_index',
      'blog_posts_component_type_index',
      'blog_posts_entity_fk',
      'blog_posts_unique',
      'blog_posts_mentions_morphs_fk',
      'blog_posts_mentions_morphs_order_index',
      'blog_posts_mentions_morphs_id_column_index',
      'blog_posts_date_count_index',
      'by_count',
      'blog_posts_big_open_unique',
    ]
    for (const name of names)
      it(name, async () => {
        const { indexes } = await tables()
        assert.ok(
          indexes.some(index => index.name === name),
          indexes.map(index => index.name).join('\n'),
        )
      })
    it('a text column is too long for a unique index, so it has none', async () => {
      const { indexes } = await tables()
      assert.equal(
        indexes.some(({ columns }) => columns.includes('body')),
        false,
      )
    })
  })

  it('indexes that a schema file asks for hold', async () => {
    assert.equal((await server.post('/blog-posts', { big: '1', open: true })).status, 200)
    assert.equal((await server.post('/blog-posts', { big: '1', open: false })).status, 200)
    const { status, body } = await server.post('/blog-posts', { big: '1', open: true })
    assert.deepEqual(
      [status, body.error.message],
      [400, 'The values of attributes must be unique together; another entry has these'],
    )
  })
})

onEveryEngine('unique indexes in the dialect of v4', engine => {
  const server = serve(engine, { types, components, config: { api: { rest: { dialect: 'strapi4' } } } })
  it('are made for uid attributes alone', async () => {
    const { indexes } = await layoutOf(server.database)
    assert.ok(indexes.some(({ name }) => name === 'blog_posts_slug_unique'))
    assert.equal(
      indexes.some(({ name }) => name === 'blog_posts_code_unique'),
      false,
    )
  })
})
