import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { admin } from '../../../plugins/admin/index.js'
import { shownLabels } from '../../../plugins/console/description/labels.js'
import { contentConsole } from '../../../plugins/console/index.js'
import { signIn, world } from './world.js'

const labelled = (labels: Readonly<Record<string, Readonly<Record<string, string>>>>) => ({
  ...world,
  plugins: [
    ...world.plugins.slice(0, 2),
    [admin, { ratelimit: { enabled: false } }] as const,
    [contentConsole, { labels }] as const,
  ],
})

describe('the labels of the settings', () => {
  const lines: { readonly level: string; readonly msg: string }[] = []
  let app: TestApp
  beforeAll(async () => {
    const log = createLog('warn', { destination: { write: line => void lines.push(JSON.parse(line)) } })
    const labels = {
      de: {
        article: 'Artikel',
        'api::article.article.title': 'Titel',
        'article.quote': 'Zitat',
        'shared.quote': 'Spruch',
        'shared.quote.text': 'Wortlaut',
        homepage: 'Startseite',
        'homepage.star': 'Stern',
        articel: 'Artikel',
        'article.titel': 'Titel',
        'shared.qoute.text': 'Wortlaut',
      },
      'fr-CA': { 'author.name': 'Nom', quote: 'Citation' },
    }
    app = await createTestApp({ ...labelled(labels), log })
  })
  afterAll(() => app?.close())

  it('stand in the description by language and uid', async () => {
    const { labels } = await (await signIn(app, 'Super Admin', 'ada@example.test')).meta()
    assert.deepEqual(labels, {
      de: {
        'api::article.article': { name: 'Artikel', fields: { title: 'Titel', quote: 'Zitat' } },
        'shared.quote': { name: 'Spruch', fields: { text: 'Wortlaut' } },
        'api::homepage.homepage': { name: 'Startseite', fields: { star: 'Stern' } },
      },
      'fr-CA': { 'api::author.author': { fields: { name: 'Nom' } } },
    })
  })

  it('are those alone of types and attributes that the account sees', () => {
    const labels = {
      de: {
        seen: { name: 'Artikel', fields: { id: 'Nummer', title: 'Titel', secret: 'Geheim' } },
        hidden: { name: 'Verborgen', fields: { title: 'Titel' } },
      },
    }
    assert.deepEqual(
      shownLabels(labels, uid => (uid === 'seen' ? ['title'] : undefined)),
      { de: { seen: { name: 'Artikel', fields: { id: 'Nummer', title: 'Titel' } } } },
    )
  })

  it('are warned of where they are of nothing', () => {
    assert.deepEqual(
      lines.map(({ msg }) => msg).filter(text => text.includes('labels')),
      [
        'config/plugins: console.labels.de: there is no type "articel"; did you mean "article"?; its label is not used',
        'config/plugins: console.labels.de: api::article.article has no attribute "titel"; did you mean "title"?; its label is not used',
        'config/plugins: console.labels.de: there is no type "shared.qoute.text"; its label is not used',
        'config/plugins: console.labels.fr-CA: there is no type "quote"; its label is not used',
      ],
    )
  })

  it('stop the start where their language is no code', () =>
    assert.rejects(createTestApp(labelled({ German: { article: 'Artikel' } })), { message: /labels/ }))
})
