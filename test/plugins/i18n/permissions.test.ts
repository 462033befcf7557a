import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Caller, definePlugin } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { contract, refused } from '../../support/contract.js'
import { localize, world } from './world.js'

const article = 'api::article.article'
const callers: Record<string, Caller> = {
  reader: { scope: 'reader', can: (action, uid) => uid === article && action.startsWith('find') },
  translator: {
    scope: 'translator',
    can: (action, uid) => uid === article && (action === 'createLocalization' || action === 'find'),
    rows: (action, uid) => (uid === article && action === 'createLocalization' ? { rating: 1 } : undefined),
  },
  admin: { scope: 'admin', can: () => true },
}
/** Says who is asking by a header of its own. */
const names = definePlugin({
  name: 'names',
  authenticate: ctx => callers[String(ctx.headers['x-name'])],
})
const as = (name: string) => ({ 'x-name': name })

contract(
  'what callers may do',
  world({}, { plugins: [[i18n, { locales: ['fr', 'de'] }], names], rest: { public: {} } }),
  api => {
    it('the locales are listed and changed by those who may', async () => {
      assert.equal((await api.get('/i18n/locales')).status, 403)
      assert.equal((await api.get('/i18n/locales', as('reader'))).status, 403)
      assert.equal((await api.get('/i18n/locales', as('admin'))).status, 200)
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', '/1'],
        ['DELETE', '/2'],
      ] as const)
        assert.equal((await api.send(method, `/i18n/locales${path}`, {}, as('reader'))).status, 403)
    })
    it('localizing needs a right of its own', async () => {
      const { id } = await api.app.entries(article).create({ title: 'en', rating: 1 })
      const body = { locale: 'fr', title: 'fr' }
      assert.equal((await api.send('POST', `/articles/${id}/localizations`, body, as('reader'))).status, 403)
      assert.equal((await api.send('POST', `/articles/${id}/localizations`, body)).status, 403)
      assert.equal((await api.send('POST', `/articles/${id}/localizations`, body, as('translator'))).status, 200)
    })
    it('an entry out of reach cannot be localized, and answers like one that does not exist', async () => {
      const { id } = await api.app.entries(article).create({ title: 'en', rating: 2 })
      const send = (of: unknown) =>
        api.send('POST', `/articles/${of}/localizations`, { locale: 'fr' }, as('translator'))
      const [hidden, absent] = [await send(id), await send(9999)]
      assert.equal(hidden.text, absent.text)
      refused(hidden, { status: 404, message: 'Entity not found' })
      assert.equal(await api.app.entries(article).count({ locale: 'fr', rating: 2 }), 0)
    })
    it('nor can a localization be moved out of reach', async () => {
      const { id } = await api.app.entries(article).create({ title: 'en', rating: 1 })
      const body = { locale: 'de', title: 'de', rating: 3 }
      refused(await api.send('POST', `/articles/${id}/localizations`, body, as('translator')), { status: 403 })
      assert.equal((await api.app.entries(article).first({ where: { id } }))?.rating, 1)
    })
    it('relations to types that may not be found are refused as if they were none', async () => {
      const author = await api.app.entries('api::author.author').create({ name: 'a' })
      const { id } = await api.app.entries(article).create({ title: 'en', rating: 1 })
      const send = (more: object) =>
        api.send('POST', `/articles/${id}/localizations`, { locale: 'de', title: 'de', ...more }, as('translator'))
      const [hidden, absent] = [await send({ author: author.id }), await send({ nobody: author.id })]
      refused(hidden, { status: 400, message: /^author is not an attribute of api::article\.article/ })
      assert.equal(hidden.text.replaceAll('author', 'nobody'), absent.text)
      assert.equal(await api.app.entries(article).count({ locale: 'de' }), 0)
    })
    it('a relation that the caller may not see is copied nevertheless', async () => {
      const author = await api.app.entries('api::author.author').create({ name: 'a' })
      const { id } = await api.app.entries(article).create({ title: 'en', rating: 1, author: author.id })
      const made = await api.send(
        'POST',
        `/articles/${id}/localizations`,
        { locale: 'fr', title: 'fr' },
        as('translator'),
      )
      assert.equal((await api.app.entries(article).copy(made.body.data.id))?.author, author.id)
    })
  },
)

const open = { public: [`${article}.find`, `${article}.createLocalization`, 'plugin::i18n.locales.listLocales'] }
contract('rest.public', world({}, { rest: open }), api => {
  it('can open what the plugin adds', async () => {
    const { id } = await api.app.entries(article).create({ title: 'en' })
    assert.ok(await localize(api.app, 'articles', id, { locale: 'fr', title: 'fr' }))
    assert.equal((await api.get('/i18n/locales')).status, 200)
    assert.equal((await api.send('POST', '/i18n/locales', { code: 'it' })).status, 403)
  })
})
