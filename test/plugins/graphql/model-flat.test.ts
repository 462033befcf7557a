import assert from 'node:assert/strict'
import { type GraphQLSchema, validateSchema } from 'graphql'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestAppOptions } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { modelOf } from '../../../plugins/graphql/model/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { printedType } from './printed-type.js'

async function schemaOf(options: TestAppOptions): Promise<GraphQLSchema> {
  const app = await createTestApp(options)
  onTestFinished(() => app.close())
  const { types, plugins } = app.outline
  return modelOf({ types: types.types.values(), plugins, settings: { shadowCRUD: true, shape: 'flat' } })
}

const localized = { pluginOptions: { i18n: { localized: true } } }
const text = { type: 'string', ...localized }

const blog: TestAppOptions = {
  types: {
    article: {
      options: { draftAndPublish: true },
      ...localized,
      attributes: {
        title: { ...text, required: true },
        secret: { type: 'password' },
        internal: { type: 'string', private: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', required: true },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        cover: { type: 'media' },
        photos: { type: 'media', multiple: true },
        parts: { type: 'component', component: 'ui.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['ui.part'] },
        any: { type: 'relation', relation: 'morphToMany' },
      },
    },
    author: { attributes: { name: { type: 'string' } } },
    tag: { attributes: { name: { type: 'string' } } },
    homepage: { kind: 'singleType', attributes: { headline: { type: 'string' } } },
  },
  components: { 'ui.part': { attributes: { label: { type: 'string', required: true } } } },
  plugins: [draftAndPublish, [i18n, { locales: ['en', 'fr'] }], upload],
}

const listed = (name: string, more = '') =>
  `(filters: ${name}FiltersInput, pagination: PaginationArg = {}, sort: [String] = []${more})`
const states = ', status: PublicationStatus = PUBLISHED'

describe('the flat shape', () => {
  it('has entries with their ids beside their attributes, and nothing around them', async () => {
    const schema = await schemaOf(blog)
    assert.deepEqual(validateSchema(schema), [])
    const printed = (name: string) => printedType(schema.getType(name))
    assert.equal(
      printed('Article'),
      `type Article {
  documentId: ID!
  title: String
  secret: String
  author: Author
  tags${listed('Tag')}: [Tag!]
  tags_connection${listed('Tag')}: TagRelationResponseCollection
  cover: UploadFile
  photos${listed('UploadFile')}: [UploadFile!]
  photos_connection${listed('UploadFile')}: UploadFileRelationResponseCollection
  parts${listed('ComponentUiPart')}: [ComponentUiPart]
  zone: [ArticleZoneDynamicZone]
  any: [GenericMorph]
  createdAt: DateTime
  updatedAt: DateTime
  publishedAt: DateTime
  localizations${listed('Article', states)}: [Article!]
  localizations_connection${listed('Article', states)}: ArticleRelationResponseCollection
  locale: String
}`,
    )
    assert.equal(printed('ComponentUiPart'), 'type ComponentUiPart {\n  id: ID!\n  label: String\n}')
    assert.equal(
      printed('ArticleEntityResponseCollection'),
      'type ArticleEntityResponseCollection {\n  nodes: [Article!]!\n  pageInfo: Pagination!\n}',
    )
    assert.equal(printed('TagRelationResponseCollection'), 'type TagRelationResponseCollection {\n  nodes: [Tag!]!\n}')
    assert.equal(printed('PublicationStatus'), 'enum PublicationStatus {\n  DRAFT\n  PUBLISHED\n}')
    assert.match(printed('TagFiltersInput'), /\{\n {2}documentId: IDFilterInput\n {2}name: StringFilterInput\n/)
    for (const name of ['ArticleEntity', 'ArticleEntityResponse', 'ResponseCollectionMeta', 'PublicationState'])
      assert.equal(schema.getType(name), undefined, name)
  })

  it('has roots as Strapi 5 names them', async () => {
    const schema = await schemaOf(blog)
    const [queries, mutations] = [schema.getQueryType(), schema.getMutationType()].map(printedType)
    const has = (type: string | undefined, ...lines: readonly string[]) => {
      for (const line of lines) assert.ok(type?.includes(`\n  ${line}\n`), `${line} is not in ${type}`)
    }
    const locale = ', locale: I18NLocaleCode'
    has(
      queries,
      'article(documentId: ID!, status: PublicationStatus = PUBLISHED): Article',
      `articles${listed('Article', states + locale)}: [Article!]!`,
      `articles_connection${listed('Article', states + locale)}: ArticleEntityResponseCollection`,
      'tag(documentId: ID!): Tag',
      `tags${listed('Tag')}: [Tag!]!`,
      'homepage: Homepage',
      `uploadFiles${listed('UploadFile')}: [UploadFile!]!`,
    )
    has(
      mutations,
      `createArticle(data: ArticleInput!${locale}${states}): Article`,
      'updateArticle(documentId: ID!, data: ArticleInput!): Article',
      'deleteArticle(documentId: ID!): DeleteMutationResponse',
      `createArticleLocalization(documentId: ID!, data: ArticleInput${locale}): Article`,
      'createTag(data: TagInput!): Tag',
      'updateHomepage(data: HomepageInput!): Homepage',
      'deleteHomepage: DeleteMutationResponse',
    )
  })

  it('is refused where an attribute has the name of another field', async () => {
    const of = (name: string): TestAppOptions => ({
      types: {
        article: {
          attributes: {
            [name]: { type: 'string' },
            tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
            parts: { type: 'component', component: 'ui.part', repeatable: true },
          },
        },
        tag: { attributes: { name: { type: 'string' } } },
      },
      components: { 'ui.part': { attributes: { documentId: { type: 'string' } } } },
    })
    for (const name of ['documentId', 'tags_connection'])
      await assert.rejects(schemaOf(of(name)), new RegExp(`"${name}" of api::article.article .* "flat"; rename it`))
    await schemaOf(of('parts_connection'))
  })
})
