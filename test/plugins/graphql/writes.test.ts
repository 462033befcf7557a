import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { contract, type World } from '../../support/contract.js'
import { asking } from './asking.js'

const localized = { pluginOptions: { i18n: { localized: true } } }

const blog = {
  types: {
    article: {
      options: { draftAndPublish: true },
      ...localized,
      attributes: {
        title: { type: 'string', required: true, ...localized },
        kind: { type: 'enumeration', enum: ['two words', 'other'], ...localized },
        secret: { type: 'password', private: true, ...localized },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', ...localized },
        first: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', ...localized },
        card: { type: 'component', component: 'shared.card', ...localized },
        cards: { type: 'component', component: 'shared.card', repeatable: true, ...localized },
        zone: { type: 'dynamiczone', components: ['shared.card', 'shared.note'], ...localized },
      },
    },
    tag: { attributes: { name: { type: 'string', required: true } } },
    homepage: {
      kind: 'singleType',
      options: { draftAndPublish: true },
      ...localized,
      attributes: { headline: { type: 'string', required: true, ...localized } },
    },
  },
  components: {
    'shared.card': {
      attributes: {
        label: { type: 'string' },
        kind: { type: 'enumeration', enum: ['two words', 'other'] },
        tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
      },
    },
    'shared.note': { attributes: { text: { type: 'string' } } },
    'shared.stray': { attributes: { text: { type: 'string' } } },
  },
  plugins: [draftAndPublish, [i18n, { locales: ['en', 'fr', 'de'] }], graphql],
  async rows(app) {
    for (const name of ['red', 'green', 'blue']) await app.entries('api::tag.tag').create({ name })
  },
} satisfies World

for (const dialect of ['spec', 'strapi4'] as const) {
  contract(`mutations of content in ${dialect}`, { ...blog, rest: { dialect } }, api => {
    const ask = asking(api)
    const make = async (data: string, answer = 'id') => {
      const { data: made, text } = await ask(`mutation { createArticle(data: { ${data} }) { data { ${answer} } } }`)
      return made?.createArticle?.data ?? assert.fail(text)
    }

    describe('drafts', () => {
      it('are made unless a date is given, and have all that is required', async () => {
        const asked = 'id attributes { publishedAt }'
        assert.equal((await make('title: "draft"', asked)).attributes.publishedAt, null)
        const date = '2024-01-02T03:04:05.000Z'
        const published = await make(`title: "live", publishedAt: "${date}"`, asked)
        assert.equal(published.attributes.publishedAt, date)
        const { data, errors } = await ask('mutation { createArticle(data: { kind: other }) { data { id } } }')
        assert.deepEqual(data, { createArticle: null })
        assert.deepEqual(
          errors.map(([code]) => code),
          ['BAD_USER_INPUT'],
        )
      })
      it('may lack what is required if they say that they are drafts', async () => {
        const { id } = await make('publishedAt: null, kind: other')
        const { data } = await ask(`{ article(id: ${id}) { data { id attributes { kind } } } }`)
        if (dialect === 'strapi4') assert.deepEqual(data.article.data, { id, attributes: { kind: 'other' } })
        else assert.equal(data.article.data, null)
      })
      it('are deleted, and shown as they were', async () => {
        const { id } = await make('title: "gone", tags: [1, 2], first: 3, card: { label: "x" }, cards: [], zone: []')
        const asked =
          'id attributes { title tags { data { id } } first { data { id } } card { label } cards { label } zone { __typename } }'
        const { data, errors } = await ask(`mutation { deleteArticle(id: ${id}) { data { ${asked} } } }`)
        assert.deepEqual(errors, [])
        assert.deepEqual(data.deleteArticle.data, {
          id,
          attributes: { title: 'gone', tags: { data: [] }, first: { data: null }, card: null, cards: null, zone: null },
        })
        assert.deepEqual((await ask(`mutation { deleteArticle(id: ${id}) { data { id } } }`)).data, {
          deleteArticle: { data: null },
        })
      })
    })

    describe('values', () => {
      it('of enums are stored as they are meant, in parts too', async () => {
        const asked = 'id attributes { kind card { kind } zone { ... on ComponentSharedCard { kind } } }'
        const zone = 'zone: [{ __typename: "ComponentSharedCard", kind: "two words" }]'
        const made = await make(`title: "t", kind: two_words, card: { kind: two_words }, ${zone}`, asked)
        const kind = 'two_words'
        assert.deepEqual(made.attributes, { kind, card: { kind }, zone: [{ kind }] })
        const stored = await api.app.entries('api::article.article').first({ where: { id: Number(made.id) } })
        assert.equal(stored?.kind, 'two words')
      })
      it('name relations as numbers and as texts', async () => {
        const query = `mutation($data: ArticleInput!) { createArticle(data: $data) { data { attributes {
          tags { data { id } } cards { tag { data { id } } } zone { ... on ComponentSharedCard { tag { data { id } } } } } } } }`
        const zone = [{ __typename: 'ComponentSharedCard', tag: 2 }]
        const { data, errors } = await ask(query, {
          data: { title: 't', tags: [3, '1', '2'], cards: { tag: '2' }, zone },
        })
        assert.deepEqual(errors, [])
        const tag = { data: { id: '2' } }
        assert.deepEqual(data.createArticle.data.attributes, {
          tags: { data: [{ id: '3' }, { id: '1' }, { id: '2' }] },
          cards: [{ tag }],
          zone: [{ tag }],
        })
      })
      it('of zones are of the components that they list, and have no other names', async () => {
        const zone = 'zone: [{ __typename: "ComponentSharedNote", text: "x", stray: 1 }]'
        const made = await make(`title: "t", ${zone}`, 'attributes { zone { ... on ComponentSharedNote { text } } }')
        assert.deepEqual(made.attributes.zone, [{ text: 'x' }])
        for (const name of ['ComponentSharedStray', 'Nope']) {
          const data = `{ title: "t", zone: [{ __typename: "${name}" }] }`
          const { status, errors } = await ask(`mutation { createArticle(data: ${data}) { data { id } } }`)
          assert.deepEqual([status, errors.map(([code]) => code)], [400, ['GRAPHQL_VALIDATION_FAILED']])
        }
      })
      it('change a part that is named by its id, and replace others', async () => {
        const { id, attributes } = await make(
          'title: "t", cards: [{ label: "a", tag: 1 }, { label: "b" }]',
          'id attributes { cards { id } }',
        )
        const [card] = attributes.cards
        const data = `{ cards: [{ id: ${card.id}, label: "c" }, { kind: other }] }`
        const answer = await ask(
          `mutation { updateArticle(id: ${id}, data: ${data}) { data { attributes { cards { id label kind tag { data { id } } } } } } }`,
        )
        const [first, second] = answer.data.updateArticle.data.attributes.cards
        assert.deepEqual(first, { id: card.id, label: 'c', kind: null, tag: { data: { id: '1' } } })
        assert.deepEqual([second.label, second.kind], [null, 'other'])
      })
      it('may be private, and are not shown', async () => {
        const { id } = await make('title: "t", secret: "a password"')
        const stored = await api.rows('articles', ['secret'], { id: Number(id) })
        assert.match(String(stored[0]?.secret), /^\$2/)
      })
    })

    it('an id that nothing has is no error', async () => {
      for (const id of ['999', '"x"', '"1; drop"']) {
        const { data, errors } = await ask(
          `mutation { a: updateTag(id: ${id}, data: { name: "x" }) { data { id } } b: deleteTag(id: ${id}) { data { id } } }`,
        )
        assert.deepEqual([data, errors], [{ a: { data: null }, b: { data: null } }, []])
      }
    })
    it('each is done by itself, one after the other', async () => {
      const { data, errors } = await ask(
        `mutation { a: createTag(data: { name: "a" }) { data { id } } b: createTag(data: {}) { data { id } }
          c: createTag(data: { name: "c" }) { data { attributes { name } } } }`,
      )
      assert.equal(errors.length, 1)
      assert.equal(data.b, null)
      assert.deepEqual(data.c, { data: { attributes: { name: 'c' } } })
    })
    describe('localizations', () => {
      it('are made in the locale that is named, as drafts', async () => {
        const { id } = await make('title: "en"')
        const localize = (args: string) =>
          ask(`mutation { createArticleLocalization(${args}) { data { attributes { title locale publishedAt } } } }`)
        const { data } = await localize(`id: ${id}, locale: "fr", data: { title: "fr" }`)
        const attributes = { title: 'fr', locale: 'fr', publishedAt: null }
        assert.deepEqual(data.createArticleLocalization.data, { attributes })
        const refusals = [
          [`id: ${id}, locale: "fr", data: { title: "x" }`, 'STRAPI_APPLICATION_ERROR', 'locale is already used'],
          [`id: ${id}, data: { title: "x" }`, 'STRAPI_APPLICATION_ERROR', 'locale is missing'],
          ['id: 999, locale: "de", data: { title: "x" }', 'STRAPI_NOT_FOUND_ERROR', 'Entity not found'],
          ['locale: "de", data: { title: "x" }', 'STRAPI_NOT_FOUND_ERROR', 'Entity not found'],
        ] as const
        for (const [args, ...error] of refusals) assert.deepEqual((await localize(args)).errors, [error])
      })
      it('are not made by an update', async () => {
        const { id } = await make('title: "en"')
        const { data } = await ask(
          `mutation { updateArticle(id: ${id}, data: { title: "x" }, locale: "de") { data { id attributes { locale } } } }`,
        )
        assert.deepEqual(data.updateArticle.data, { id, attributes: { locale: 'en' } })
      })
      it('of a new entry is the one that is named', async () => {
        const { data } = await ask(
          'mutation { createArticle(data: { title: "x" }, locale: "de") { data { attributes { locale } } } }',
        )
        assert.equal(data.createArticle.data.attributes.locale, 'de')
        const query = 'mutation($l: I18NLocaleCode) { createArticle(data: { title: "x" }, locale: $l) { data { id } } }'
        assert.deepEqual((await ask(query, { l: 'xx' })).errors, [
          ['STRAPI_APPLICATION_ERROR', "This locale doesn't exist"],
        ])
      })
    })

    it('an update of a single type makes it, in one locale after the other', async () => {
      const update = (args: string) =>
        ask(`mutation { updateHomepage(${args}) { data { attributes { headline locale publishedAt } } } }`)
      assert.deepEqual((await ask('mutation { deleteHomepage { data { id } } }')).errors, [
        ['STRAPI_NOT_FOUND_ERROR', 'Entity not found'],
      ])
      assert.deepEqual(
        (await update('data: {}')).errors.map(([code]) => code),
        ['BAD_USER_INPUT'],
      )
      const { data } = await update('data: { headline: "first" }')
      assert.deepEqual(data.updateHomepage.data.attributes, { headline: 'first', locale: 'en', publishedAt: null })
      // Another locale is another entry, which is a localization.
      const second = await update('data: { headline: "second" }, locale: "fr"')
      assert.deepEqual(second.data, { updateHomepage: { data: null } })
      assert.deepEqual(
        second.errors.map(([code]) => code),
        ['BAD_USER_INPUT'],
      )
      const localized = await ask(
        'mutation { createHomepageLocalization(data: { headline: "fr" }, locale: "fr") { data { attributes { locale } } } }',
      )
      assert.deepEqual(localized.data.createHomepageLocalization.data, { attributes: { locale: 'fr' } })
      assert.equal((await update('data: { headline: "again" }')).data.updateHomepage.data.attributes.headline, 'again')
    })
  })
}
