import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import type { Answer, Api, Body, World } from '../../support/contract.js'

const drafts = { options: { draftAndPublish: true } }
const toArticles = { type: 'relation', relation: 'oneToMany', target: 'api::article.article' }

/** Published and unpublished entries that lead to each other in every way there is. */
export const newspaper = {
  types: {
    article: {
      ...drafts,
      attributes: {
        title: { type: 'string', required: true, minLength: 3 },
        slug: { type: 'uid' },
        views: { type: 'integer', min: 0 },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
        category: { type: 'relation', relation: 'manyToOne', target: 'api::category.category', inversedBy: 'articles' },
        related: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
        card: { type: 'component', component: 'shared.card', required: true },
        notes: { type: 'component', component: 'shared.note', repeatable: true, min: 2 },
        boxes: { type: 'relation', relation: 'morphMany', target: 'api::box.box', morphBy: 'items' },
      },
    },
    category: {
      ...drafts,
      pluralName: 'categories',
      attributes: {
        name: { type: 'string' },
        articles: { ...toArticles, mappedBy: 'category' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: { ...toArticles, mappedBy: 'author' },
        first: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
        card: { type: 'component', component: 'shared.card' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
        blocks: { type: 'dynamiczone', components: ['shared.card', 'shared.note'] },
        team: { type: 'relation', relation: 'manyToOne', target: 'api::team.team', inversedBy: 'authors' },
      },
    },
    team: {
      attributes: {
        name: { type: 'string' },
        authors: { type: 'relation', relation: 'oneToMany', target: 'api::author.author', mappedBy: 'team' },
      },
    },
    box: {
      pluralName: 'boxes',
      attributes: {
        name: { type: 'string' },
        items: { type: 'relation', relation: 'morphToMany' },
        main: { type: 'relation', relation: 'morphToOne' },
      },
    },
    frontpage: {
      kind: 'singleType',
      ...drafts,
      attributes: { headline: { type: 'string', required: true }, highlights: toArticles },
    },
    menu: { kind: 'singleType', attributes: { name: { type: 'string' }, items: toArticles } },
  },
  components: {
    'shared.card': {
      attributes: {
        label: { type: 'string', required: true },
        pick: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
        picks: toArticles,
        inner: { type: 'component', component: 'shared.inner' },
      },
    },
    'shared.inner': {
      attributes: { pick: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' } },
    },
    'shared.note': { attributes: { text: { type: 'string' } } },
  },
  plugins: [draftAndPublish],
} satisfies World

export const titles = ({ data }: Body): unknown[] => data.map((entry: Body) => entry.attributes.title)

/** The entry that a write made or changed; any other answer fails the test. */
export async function written(api: Api, method: string, path: string, data?: unknown): Promise<Body> {
  const answer = await api.send(method, path, data === undefined ? undefined : { data })
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body.data
}

export const make = async (api: Api, path: string, data: unknown): Promise<number> =>
  (await written(api, 'POST', path, data)).id

/** The data that an article needs to be published. */
export const whole = (title: string) => ({ title, card: { label: 'x' } })

export const dateOf = ({ body }: Answer): string | null => body.data.attributes.publishedAt
