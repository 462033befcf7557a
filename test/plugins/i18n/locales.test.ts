import assert from 'node:assert/strict'
import { describe, it, onTestFinished, vi } from 'vitest'
import { BootError, createTestApp, type TestApp } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { type Api, type Body, contract, refused, serve, startOn } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { localize, types, world } from './world.js'

const codes = (locales: Body[]) => locales.map(({ code, isDefault }) => (isDefault ? `${code}*` : code))
const list = async (api: Api) => codes((await api.get('/i18n/locales')).body)
const idOf = async (api: Api, code: string) =>
  (await api.get('/i18n/locales')).body.find((locale: Body) => locale.code === code).id

contract('GET /api/i18n/locales', world(), api => {
  it('is a plain list, as Strapi 4 answers it', async () => {
    const { status, body } = await api.get('/i18n/locales')
    assert.equal(status, 200)
    const { createdAt, updatedAt, ...first } = body[0]
    assert.deepEqual(first, { id: 1, name: 'English (en)', code: 'en', isDefault: true })
    assert.deepEqual(Object.keys(body[1]), ['id', 'name', 'code', 'createdAt', 'updatedAt', 'isDefault'])
    assert.ok(!Number.isNaN(Date.parse(createdAt) + Date.parse(updatedAt)))
    assert.deepEqual(codes(body), ['en*', 'fr', 'de'])
  })
  it('has no single one', async () => assert.equal((await api.get('/i18n/locales/1')).status, 405))
  it('is read from memory', async () => {
    await api.get('/i18n/locales')
    const { statements } = await api.get('/i18n/locales')
    assert.deepEqual(
      statements.filter(sql => sql.includes('articles')),
      [],
    )
  })
})

contract('adding a locale', world(), api => {
  it('names it in English unless told otherwise', async () => {
    const { status, body } = await api.send('POST', '/i18n/locales', { code: 'pt-BR' })
    assert.deepEqual(
      [status, body.code, body.name, body.isDefault],
      [200, 'pt-BR', 'Portuguese (Brazil) (pt-BR)', false],
    )
    const named = await api.send('POST', '/i18n/locales', { data: { code: 'it', name: 'Italiano' } })
    assert.equal(named.body.name, 'Italiano')
    assert.deepEqual((await list(api)).slice(3), ['pt-BR', 'it'])
  })
  it('lets requests use it at once', async () => {
    assert.equal((await api.get('/articles?locale=es')).status, 400)
    await api.send('POST', '/i18n/locales', { code: 'es' })
    assert.deepEqual((await api.get('/articles?locale=es')).body.data, [])
  })
  it('can make it the default one', async () => {
    assert.equal((await api.send('POST', '/i18n/locales', { code: 'nl', isDefault: true })).body.isDefault, true)
    const { body } = await api.send('POST', '/articles', { data: { title: 't' } })
    assert.equal(body.data.attributes.locale, 'nl')
    assert.equal((await api.get('/articles')).body.meta.pagination.total, 1)
    await api.send('PUT', `/i18n/locales/${await idOf(api, 'en')}`, { isDefault: true })
    assert.equal((await api.get('/articles')).body.meta.pagination.total, 0)
  })
  const wrong = [
    { says: 'no code', body: {}, message: /code/ },
    { says: 'a number', body: { code: 5 }, message: /code/ },
    { says: 'an empty code', body: { code: '' }, message: /code/ },
    { says: 'no language', body: { code: 'not a language' }, message: /en, pt-BR or zh-Hans/ },
    { says: 'a word of the parameter', body: { code: 'all' }, message: /code/ },
    { says: 'another spelling', body: { code: 'FR' }, message: /written fr/ },
    { says: 'a null byte', body: { code: 'e\0n' }, message: /code/ },
    { says: 'an endless name', body: { code: 'sv', name: 'x'.repeat(51) }, message: /50/ },
    { says: 'a name that is no text', body: { code: 'sv', name: {} }, message: /name/ },
    { says: 'no object', body: '[]', message: /object/ },
    { says: 'one that exists', body: { code: 'fr' }, message: 'This locale already exists' },
  ]
  for (const { says, body, message } of wrong)
    it(`refuses ${says}`, async () => {
      const before = await list(api)
      refused(await api.send('POST', '/i18n/locales', body), { status: 400, message })
      assert.deepEqual(await list(api), before)
    })
  it('of the same one at the same time adds it once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => api.send('POST', '/i18n/locales', { code: 'pl' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400], answers.map(a => a.text).join())
  })
})

contract('changing a locale', world(), api => {
  it('gives it another name', async () => {
    const id = await idOf(api, 'fr')
    assert.equal((await api.send('PUT', `/i18n/locales/${id}`, { name: 'Français' })).body.name, 'Français')
    assert.equal((await api.get('/i18n/locales')).body[1].name, 'Français')
  })
  it('refuses another code, no default at all, and what does not exist', async () => {
    const [en, fr] = [await idOf(api, 'en'), await idOf(api, 'fr')]
    refused(await api.send('PUT', `/i18n/locales/${fr}`, { code: 'de' }), { status: 400, message: /code/ })
    refused(await api.send('PUT', `/i18n/locales/${en}`, { isDefault: false }), { status: 400, message: /default/ })
    for (const id of [99, 'x', 0]) refused(await api.send('PUT', `/i18n/locales/${id}`, { name: 'n' }), { status: 404 })
    assert.deepEqual(await list(api), ['en*', 'fr', 'de'])
  })
})

contract('removing a locale', world(), api => {
  const remove = async (code: string, query = '') =>
    api.send('DELETE', `/i18n/locales/${await idOf(api, code)}${query}`)
  const total = async (query: string) => (await api.get(`/articles${query}`)).body.meta.pagination.total
  it('refuses the default one', async () => {
    refused(await remove('en', '?entries=delete'), {
      status: 400,
      name: 'ApplicationError',
      message: 'Cannot delete the default locale',
    })
  })
  it('asks what becomes of its entries', async () => {
    const { id } = (await api.send('POST', '/articles', { data: { title: 'en' } })).body.data
    await localize(api.app, 'articles', id, { locale: 'fr', title: 'fr', blocks: [{ __component: 'shared.slide' }] })
    await localize(api.app, 'articles', id, { locale: 'de', title: 'de' })
    refused(await remove('fr'), { status: 400, message: /article: 1.*entries=delete/ })
    refused(await remove('fr', '?entries=burn'), { status: 400, message: /delete or keep/ })
    assert.equal(await total('?locale=fr'), 1)
  })
  it('deletes them where that is said', async () => {
    const { status, body } = await remove('fr', '?entries=delete')
    assert.deepEqual([status, body.code], [200, 'fr'])
    assert.deepEqual(await list(api), ['en*', 'de'])
    assert.equal(await total('?locale=all'), 2)
    assert.equal((await api.get('/articles?locale=fr')).status, 400)
    const { localizations } = (await api.get('/articles?populate=localizations')).body.data[0].attributes
    assert.deepEqual(
      localizations.data.map((one: Body) => one.attributes.locale),
      ['de'],
    )
  })
  it('keeps them where that is said, and they are there again with it', async () => {
    await remove('de', '?entries=keep')
    assert.equal(await total('?locale=all'), 2)
    await api.send('POST', '/i18n/locales', { code: 'de' })
    assert.equal(await total('?locale=de'), 1)
  })
  it('that does not exist is not found', async () => {
    refused(await api.send('DELETE', '/i18n/locales/99'), { status: 404 })
  })
})

describe('the locales of a new database', () => {
  const codesOf = async (config: object): Promise<string[]> => {
    const app = await createTestApp({ plugins: [[i18n, config as never]] })
    const { payload } = await app.inject('/api/i18n/locales')
    await app.close()
    return codes(JSON.parse(payload))
  }
  it('are English', async () => assert.deepEqual(await codesOf({}), ['en*']))
  it('are those of the settings', async () =>
    assert.deepEqual(await codesOf({ defaultLocale: 'fr', locales: ['en', 'fr'] }), ['fr*', 'en']))
  it('begin with the one that the environment names, as in Strapi 4', async () => {
    vi.stubEnv('STRAPI_PLUGIN_I18N_INIT_LOCALE_CODE', 'de')
    onTestFinished(() => void vi.unstubAllEnvs())
    assert.deepEqual(await codesOf({}), ['de*'])
  })
  it('must be locales', async () => {
    await assert.rejects(
      codesOf({ locales: ['x y'] }),
      (error: Error) => error instanceof BootError && /x y/.test(error.message),
    )
  })
})

onEveryEngine('several servers', engine => {
  const options = {
    types,
    components: { 'shared.seo': { attributes: {} }, 'shared.slide': { attributes: {} } },
    plugins: [i18n],
  }
  const first = serve(engine, options)
  it('see a locale that another one added within a second', async () => {
    const second = await startOn(first.database, options)
    onTestFinished(() => second.app.close())
    assert.equal((await second.get('/articles?locale=it')).status, 400)
    await first.app.inject({ method: 'POST', url: '/api/i18n/locales', payload: { code: 'it' } })
    await vi.waitFor(async () => assert.equal((await second.get('/articles?locale=it')).status, 200), { timeout: 3000 })
  })
})

describe('stele locale', () => {
  const run = async (app: TestApp, name: string, args: string[], options = {}): Promise<string[]> => {
    const lines: string[] = []
    const command = app.commands.find(one => one.name === `locale ${name}`)
    await command?.run({
      args,
      options,
      json: false,
      interactive: false,
      print: line => lines.push(line),
      table: rows => lines.push(...rows.map(row => Object.values(row).join(' '))),
    })
    return lines
  }
  const app = async () => {
    const made = await createTestApp({
      types: { note: { pluginOptions: { i18n: { localized: true } }, attributes: {} } },
      plugins: [i18n],
    })
    onTestFinished(() => made.close())
    return made
  }
  it('lists, adds, makes default and removes', async () => {
    const made = await app()
    assert.deepEqual(await run(made, 'add', ['fr']), ['added French (fr)'])
    assert.deepEqual(await run(made, 'add', ['de'], { name: 'Deutsch' }), ['added Deutsch'])
    assert.deepEqual(await run(made, 'default', ['fr']), ['French (fr) is the default locale'])
    await made.entries('api::note.note').create({ locale: 'en' })
    await assert.rejects(
      run(made, 'remove', ['en']),
      (error: Error) => error instanceof BootError && /entries/.test(error.message),
    )
    assert.deepEqual(await run(made, 'remove', ['en'], { entries: 'delete' }), ['removed English (en)'])
    assert.deepEqual(await run(made, 'list', []), ['2 fr French (fr) true', '3 de Deutsch false'])
    assert.equal(await made.entries('api::note.note').count(), 0)
  })
  it('says what is wrong in a sentence', async () => {
    const made = await app()
    for (const [name, arg] of [
      ['add', 'x y'],
      ['add', 'en'],
      ['remove', 'en'],
      ['remove', 'xx'],
      ['default', 'xx'],
    ] as const)
      await assert.rejects(run(made, name, [arg]), BootError)
  })
})
