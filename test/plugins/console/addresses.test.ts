import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import { StaticBody } from '../../../core/plugin-kit.js'
import { contentConsole } from '../../../plugins/console/index.js'
import { consoleRoutes, pageHeaders } from '../../../plugins/console/routes/page.js'
import type { Console } from '../../../plugins/console/service.js'
import { contractOnce } from '../../support/contract.js'
import { Editor } from './project.js'
import { signIn, world } from './world.js'

describe('the page', () => {
  const asset = new StaticBody('text/javascript; charset=utf-8', 'run()')
  const built = {
    page: new StaticBody('text/html; charset=utf-8', '<!doctype html>'),
    assets: new Map([['index-Ab1.js', asset]]),
    ...{ styles: '', icon: '' },
  }
  /** The routes of the page with one that is built, as it is made by the build alone. */
  const page = definePlugin({
    name: 'page',
    register: () =>
      ({ built: () => built, headers: pageHeaders(['https://files.example.com'], []) }) as unknown as Console,
    routes: consoleRoutes,
  })
  const opened = async (work: (app: TestApp) => Promise<void>) => {
    const app = await createTestApp({ plugins: [page] })
    await work(app).finally(() => app.close())
  }

  it('is at its path and at every path below, with a policy for this server and the files of others', () =>
    opened(async app => {
      for (const url of ['/console', '/console/', '/console/c/article/1?locale=de', '/console/nowhere/at/all']) {
        const { statusCode, headers, body } = await app.inject(url)
        assert.deepEqual([statusCode, body], [200, '<!doctype html>'], url)
        assert.equal(headers['cache-control'], 'no-cache')
        const policy = String(headers['content-security-policy']).split('; ')
        for (const directive of [
          ...["default-src 'none'", "script-src 'self'", "connect-src 'self'", "worker-src 'self'"],
          ...'img media'.split(' ').map(kind => `${kind}-src 'self' blob: https://files.example.com`),
          ...["frame-ancestors 'none'", "require-trusted-types-for 'script'", 'trusted-types console'],
        ])
          assert.ok(policy.includes(directive), `${directive} in ${policy}`)
      }
    }))

  it('has its parts by names that change with their content', () =>
    opened(async app => {
      const { statusCode, headers, body } = await app.inject('/console/assets/index-Ab1.js')
      assert.deepEqual([statusCode, body], [200, 'run()'])
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      for (const name of ['index-Ab2.js', '..%2findex.html', 'constructor']) {
        const missing = await app.inject(`/console/assets/${name}`)
        assert.deepEqual([missing.statusCode, missing.json().error.name], [404, 'NotFoundError'], name)
      }
    }))

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'] as const)
    it(`is read alone: ${method} is a 404 as those of the API are`, () =>
      opened(async app => {
        const { statusCode, body } = await app.inject({ method: method as 'POST', url: '/console/c/article' })
        assert.deepEqual([statusCode, JSON.parse(body).error.name], [404, 'NotFoundError'])
      }))
})

const content = '/admin/content-manager'
const redirects: readonly (readonly [string, string])[] = [
  ['/admin', '/console'],
  ['/admin/', '/console'],
  ['/admin/auth/login', '/console'],
  [`${content}/collection-types/api::article.article`, '/console/c/article'],
  [`${content}/collection-types/api::article.article?page=2&sort=title:ASC`, '/console/c/article'],
  [`${content}/collection-types/api::article.article/12`, '/console/c/article/12'],
  [`${content}/collection-types/api%3A%3Aarticle.article/12`, '/console/c/article/12'],
  [`${content}/collection-types/api::article.article/create`, '/console/c/article/new'],
  [`${content}/collection-types/api::article.article/12?plugins[i18n][locale]=de`, '/console/c/article/12?locale=de'],
  [`${content}/collection-types/api::article.article?plugins[i18n][locale]=de%26x`, '/console/c/article?locale=de%26x'],
  [`${content}/collection-types/api::tag.tag/1?plugins[i18n][locale]=de`, '/console/c/tag/1'],
  [`${content}/collection-types/api::article.article/..%2f..%2fx`, '/console/c/article'],
  [`${content}/collection-types/api::nowhere.nowhere/1`, '/console'],
  [`${content}/collection-types/admin::user/1`, '/console'],
  [`${content}/single-types/api::homepage.homepage`, '/console/s/homepage'],
  ['/admin/plugins/upload', '/console/media'],
  ['/admin/plugins/upload?folder=3&page=1', '/console/media?folder=3'],
  ['/admin/plugins/upload?folder=//x', '/console/media'],
  ['/admin/plugins/content-type-builder', '/console'],
  ['/admin/settings', '/console/settings'],
  ['/admin/settings/users?page=1', '/console/settings/accounts'],
  ['/admin/settings/users/4', '/console/settings/accounts/4'],
  ['/admin/settings/roles/3', '/console/settings/roles/3'],
  ['/admin/settings/roles/new', '/console/settings/roles'],
  ['/admin/settings/users-permissions/roles', '/console/settings/api-roles'],
  ['/admin/settings/api-tokens', '/console/settings/tokens'],
  ['/admin/settings/webhooks', '/console/settings/webhooks'],
  ['/admin/settings/internationalization', '/console/settings/languages'],
  ['/admin/settings/toString', '/console/settings'],
  ['/admin/me', '/console/settings/profile'],
  ['/admin/auth/reset-password?code=a%2Fb', '/console/password#a%2Fb'],
  ['/admin/auth/register?registrationToken=abc', '/console/invitation#abc'],
  ['/admin//evil.example.com', '400'],
]

contractOnce('addresses', world, api => {
  for (const [url, target] of redirects)
    it(`of Strapi's panel lead on: ${url}`, async () => {
      const { statusCode, headers } = await api.app.inject(url)
      if (target === '400') return assert.equal(statusCode, 400)
      assert.deepEqual([statusCode, headers.location], [302, target])
      assert.equal(headers['cache-control'], 'no-store')
    })
  it('of its admin API say where to go', async () => {
    for (const [method, url] of [
      ['POST', '/admin/login'],
      ['PUT', '/admin/users/1'],
      ['DELETE', '/admin'],
    ] as const) {
      const { statusCode, body } = await api.app.inject({ method, url })
      const { error } = JSON.parse(body)
      assert.deepEqual([statusCode, error.name], [404, 'NotFoundError'])
      assert.match(error.message, /admin API of Strapi 4 does not exist here: editors work at \/console/)
    }
  })

  const ask = async (editor: Editor, method: string, url: string, body?: unknown) => {
    const heard = await editor.ask(method, url, body)
    return { ...heard, cache: heard.headers['cache-control'], cors: heard.headers['access-control-allow-origin'] }
  }

  it('below /console/api are those of the API, for the editor, and stored nowhere', async () => {
    const ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    const made = await ask(ada, 'POST', '/console/api/tags', { data: { name: 'Rye' } })
    assert.deepEqual([made.status, made.body.data.attributes.name, made.cache], [200, 'Rye', 'private, no-store'])
    const list = await ask(ada, 'GET', '/console/api/tags?fields[0]=name&populate[createdBy][fields][0]=firstname')
    const [{ attributes }] = list.body.data
    assert.deepEqual(attributes, { name: 'Rye', createdBy: { id: 1, firstname: 'Super Admin' } })
    assert.deepEqual([list.status, list.cache, list.cors], [200, 'private, no-store', undefined])
    assert.match(String(list.headers['content-security-policy']), /default-src 'none'/)
    const missing = await ask(ada, 'GET', '/console/api/tags/99')
    assert.deepEqual([missing.status, missing.cache], [404, 'private, no-store'])
    for (const url of ['/console/api', '/console/api/', '/console/api/nowhere', '/console/api/console/meta.json'])
      assert.deepEqual((await ask(ada, 'GET', url)).body?.error.name, 'NotFoundError', url)
    assert.equal((await ask(ada, 'GET', '/console/api//tags')).status, 400)
  })
  it('below /console/api need a session, and are never those of a visitor', async () => {
    const stranger = new Editor({ send: options => api.app.inject(options) as never })
    for (const [method, url] of [
      ['GET', '/console/api/tags'],
      ['POST', '/console/api/tags'],
      ['GET', '/console/api/i18n/locales'],
    ] as const) {
      const { status, body, cache } = await ask(stranger, method, url, method === 'POST' ? { data: {} } : undefined)
      assert.deepEqual([status, body.error.name, cache], [401, 'UnauthorizedError', 'private, no-store'], url)
    }
  })
  for (const prefix of ['', 'cms/v1'])
    it(`below /console/api are those of the API under any prefix: "${prefix}"`, async () => {
      const app = await createTestApp({ ...world, config: { api: { rest: { prefix } } } })
      try {
        const ada = await signIn(app, 'Super Admin', 'ada@example.test')
        assert.equal((await ask(ada, 'POST', '/console/api/tags', { data: { name: 'Rye' } })).status, 200)
        assert.equal((await ask(ada, 'GET', '/console/api/tags')).body.meta.pagination.total, 1)
        for (const url of ['/console/api', '/console/api/nowhere'])
          assert.equal((await ask(ada, 'GET', url)).status, 404, url)
      } finally {
        await app.close()
      }
    })
  it('of views are the page, or a 404 where it is not built', async () => {
    const { status, body, headers } = await new Editor({
      send: options => api.app.inject(options) as never,
    }).get('/console/c/article')
    if (status === 200) assert.match(String(headers['content-type']), /^text\/html/)
    else assert.deepEqual([status, body.error.name], [404, 'NotFoundError'])
  })
})

describe('the plugin', () => {
  it('needs accounts of editors', () =>
    assert.rejects(createTestApp({ plugins: [contentConsole] }), { name: 'BootError', message: /console.*admin/ }))

  const declared = (console: unknown) =>
    createTestApp({
      types: world.types,
      components: world.components,
      plugins: world.plugins,
      config: { console } as never,
    })

  it('takes layouts as code, which cannot be changed in the page', async () => {
    const layouts = {
      article: { list: ['title'], edit: [['title', { name: 'author', size: 4 }]], settings: { pageSize: 5 } },
    }
    const app = await declared({ layouts })
    try {
      const ada = await signIn(app, 'Super Admin', 'ada@example.test')
      const path = '/console/layouts/api::article.article'
      const { layout } = (await ada.type('api::article.article')) ?? {}
      assert.deepEqual(
        [layout?.list, layout?.edit, layout?.settings.pageSize, layout?.isDeclared],
        [
          ['title'],
          [
            [
              { name: 'title', size: 6 },
              { name: 'author', size: 4 },
            ],
          ],
          5,
          true,
        ],
      )
      for (const method of ['PUT', 'DELETE']) {
        const { status, body } = await ada.ask(method, path, method === 'PUT' ? {} : undefined)
        assert.deepEqual(
          [status, body.error.message],
          [403, 'The layout of api::article.article is declared in config/console'],
        )
      }
    } finally {
      await app.close()
    }
  })
  const mistakes: readonly (readonly [unknown, RegExp])[] = [
    [[], /config\/console: it must be an object$/],
    [{ layout: {} }, /config\/console: layout is not a setting; there are layouts, fields/],
    [{ layouts: { artikel: {} } }, /there is no type "artikel"; did you mean "article"\?/],
    [{ layouts: { article: { list: ['titel'] } } }, /layouts\.article: list\.0 must be an attribute.*"title"/],
    [
      { layouts: { 'shared.quote': { edit: [[{ name: 'text', size: 40 }]] } } },
      /layouts\.shared\.quote: edit\.0\.0\.size must/,
    ],
  ]
  for (const [console, message] of mistakes)
    it(`does not start with layouts that are wrong: ${JSON.stringify(console)}`, () =>
      assert.rejects(declared(console), { name: 'BootError', message }))
})
