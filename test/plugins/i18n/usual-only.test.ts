import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'

const types = { note: { attributes: { text: { type: 'string' } } } } as const

it('locales are managed by the usual routes alone, where the setting keeps them from the API', async () => {
  const app = await createTestApp({ types, plugins: [[i18n, { manageLocales: false }]] })
  onTestFinished(() => app.close())
  const managing = (routes: readonly { readonly method: string; readonly path: string }[]) =>
    routes.filter(({ method, path }) => path.includes('/i18n/locales') && method !== 'GET').map(({ method }) => method)
  assert.deepEqual(managing(app.outline.routes), [])
  assert.deepEqual(managing(app.outline.usualRoutes), ['POST', 'PUT', 'DELETE'])
  const actions = app.outline.actions.filter(({ uid }) => uid === 'plugin::i18n.locales').map(({ action }) => action)
  assert.deepEqual(actions, ['listLocales'])
  assert.equal(
    (await app.inject({ method: 'POST', url: '/api/i18n/locales', payload: { code: 'de' } })).statusCode,
    405,
  )
})

it('a route says that it is a usual one alone with true, and nothing else', async () => {
  const route = { method: 'GET', path: '/odd', action: null, usualOnly: 1, run: () => '' }
  const odd = definePlugin({ name: 'odd', describe: 'a wrong route', routes: [route as never] })
  await assert.rejects(createTestApp({ types, plugins: [odd] }), /its "usualOnly" is of type number; expected true/)
})
