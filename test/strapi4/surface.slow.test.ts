import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'
import { type Pristine, pristineOn } from './databases.js'
import { keyOf, recordedSchemas } from './fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from './project.js'
import { multipartOf } from './requests.js'

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the tests are about
type Body = any

interface Answer {
  readonly status: number
  readonly body: Body
}

/** Features that clients of Strapi 4 use beyond the specification. */
onEveryEngine('clients of Strapi 4', engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    project = await openProject(pristine.project, pristine.variables)
  }, 120_000)
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
  })
  const send = async (
    method: string,
    path: string,
    payload?: object,
    auth = 'none',
    type?: string,
  ): Promise<Answer> => {
    const key = keyOf(auth)
    const reply = await project.send({
      method: method as 'GET',
      url: path,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(payload !== undefined && { payload }),
    })
    return { status: reply.statusCode, body: reply.payload === '' ? undefined : JSON.parse(reply.payload) }
  }
  const get = (path: string, auth = 'none') => send('GET', path, undefined, auth)
  const ids = ({ body }: Answer): number[] => body.data.map(({ id }: Body) => id)

  it('look for a text with _q', async () => {
    const found = await get('/api/tags?_q=ambe')
    assert.deepEqual(
      found.body.data.map((tag: Body) => tag.attributes.name.slice(0, 5)),
      ['Amber', 'Amber'].slice(0, found.body.data.length),
    )
    assert.ok(found.body.data.length > 0)
  })

  it('sort with directions in capitals', async () => {
    assert.deepEqual(ids(await get('/api/tags?sort=id:DESC&pagination[pageSize]=3')), [30, 29, 28])
    assert.deepEqual(ids(await get('/api/tags?sort[0]=id:ASC&pagination[pageSize]=3')), [1, 2, 3])
  })

  it('repeat a key for a list', async () => {
    assert.deepEqual(ids(await get('/api/tags?filters[id]=5&filters[id]=6&sort=id')), [5, 6])
    const { body } = await get('/api/tags/1?fields=name&fields=color')
    assert.deepEqual(Object.keys(body.data.attributes), ['name', 'color'])
  })

  it('ask for all locales at once', async () => {
    const { body } = await get(
      '/api/articles?locale=all&fields[0]=locale&pagination[pageSize]=1&publicationState=preview',
    )
    assert.equal(body.meta.pagination.total, 450)
  })

  it('populate the response of a write', async () => {
    const { body } = await send('PUT', '/api/articles/1?populate[tags][fields]=name&fields=title', {
      data: { tags: [3] },
    })
    assert.deepEqual(body.data.attributes.tags, { data: [{ id: 3, attributes: { name: 'Cedar' } }] })
  })

  it('send files along with an entry', async () => {
    const { payload, type } = multipartOf({
      fields: [['data', '{"title":"with a file"}']],
      files: [{ field: 'files.cover', file: 'photo.jpg', filename: 'photo.jpg', type: 'image/jpeg' }],
    })
    const { status, body } = await send('POST', '/api/articles?populate=cover', payload, 'none', type)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.attributes.cover.data.attributes.width, 300)
  })

  it('say text/plain where they delete', async () => {
    const { body } = await send('POST', '/api/tags', { data: { name: 'gone soon' } })
    const { id } = body.data
    assert.equal((await send('DELETE', `/api/tags/${id}`, undefined, 'none', 'text/plain')).status, 200)
    assert.equal((await get(`/api/tags/${id}`)).status, 404)
  })

  it('populate accounts', async () => {
    const { body } = await get('/api/users?populate=role&sort=id', 'eddie')
    assert.deepEqual(body.map((user: Body) => [user.username, user.role.type]).slice(0, 2), [
      ['alice', 'authenticated'],
      ['eddie', 'editor'],
    ])
  })

  it('sign in with the passwords, tokens and keys that they have', async () => {
    const { status, body } = await send('POST', '/api/auth/local', { identifier: 'alice', password: 'alice-pass-1' })
    assert.equal(status, 200, JSON.stringify(body))
    const mine = await project.send({
      method: 'GET',
      url: '/api/articles/1',
      headers: { authorization: `Bearer ${body.jwt}` },
    })
    assert.equal(mine.statusCode, 200)
    assert.equal((await get('/api/articles', 'alice')).status, 200)
    assert.equal((await get('/api/memos', 'full')).status, 200)
    assert.equal((await get('/api/memos', 'custom')).status, 403)
  })

  const builder = '/api/content-type-builder'

  it('read the schemas of types, who have the permission', async () => {
    const { status, body } = await get(`${builder}/content-types`, 'full')
    assert.equal(status, 200)
    const own = body.data.filter(({ uid }: Body) => uid.startsWith('api::'))
    assert.deepEqual(own, recordedSchemas()['content-types'])
    const others: Body[] = body.data.filter(({ uid }: Body) => !uid.startsWith('api::'))
    const uids = others.map(({ uid }) => uid)
    for (const uid of ['plugin::upload.file', 'plugin::users-permissions.user', 'plugin::i18n.locale'])
      assert.ok(uids.includes(uid), uid)
    for (const { uid, schema } of others) {
      assert.match(uid, /^plugin::/)
      assert.equal(schema.visible, uid === 'plugin::users-permissions.user')
      assert.doesNotMatch(schema.collectionName, /^stele_/)
    }
  })

  it('read them by kind and one by one', async () => {
    const single = await get(`${builder}/content-types?kind=singleType`, 'full')
    assert.deepEqual(
      single.body.data.map(({ uid }: Body) => uid),
      ['api::global.global', 'api::homepage.homepage'],
    )
    assert.equal((await get(`${builder}/content-types?kind=x`, 'full')).status, 400)
    const one = await get(`${builder}/content-types/api::tag.tag`, 'full')
    assert.equal(one.body.data.schema.displayName, 'Tag')
    const none = await get(`${builder}/content-types/api::no.no`, 'full')
    assert.deepEqual([none.status, none.body.error.message], [404, 'contentType.notFound'])
  })

  it('read the schemas of components', async () => {
    const { body } = await get(`${builder}/components`, 'full')
    assert.deepEqual(body.data, recordedSchemas().components)
    assert.equal((await get(`${builder}/components/shared.slide`, 'full')).body.data.uid, 'shared.slide')
    assert.equal((await get(`${builder}/components/shared.no`, 'full')).status, 404)
  })

  it('are refused the schemas without the permission', async () => {
    for (const path of ['content-types', 'components', 'content-types/api::tag.tag'])
      for (const auth of ['none', 'eddie', 'alice', 'readonly', 'custom'])
        assert.equal((await get(`${builder}/${path}`, auth)).status, 403, `${auth} ${path}`)
  })

  it('may publish by an action where they may do everything; no other role or token has got that permission', async () => {
    const state = async () => (await get('/api/articles/1', 'full')).body.data.attributes.publishedAt
    const before = await state()
    for (const action of ['publish', 'unpublish'])
      for (const auth of ['none', 'eddie', 'alice', 'readonly', 'custom'])
        assert.equal(
          (await send('POST', `/api/articles/1/actions/${action}`, {}, auth)).status,
          403,
          `${auth} ${action}`,
        )
    assert.equal(await state(), before)
    assert.equal((await send('POST', '/api/articles/1/actions/unpublish', {}, 'full')).status, 200)
    assert.equal(await state(), null)
    assert.equal((await send('POST', '/api/articles/1/actions/publish', {}, 'full')).status, 200)
    assert.notEqual(await state(), null)
  })

  it('get no letter sent', async () => {
    const letter = { to: 'a@example.test', subject: 'x', text: 'x' }
    assert.equal((await send('POST', '/api/email', letter)).status, 403)
    assert.equal((await send('POST', '/api/email', letter, 'full')).status, 400)
  })
})

describe('settings that a project has for Strapi 4', () => {
  let folder: ProjectFolder
  let project: OpenProject | undefined
  const start = async (plugins: string, log = createLog('silent')) => {
    folder = copyProject()
    writeFileSync(join(folder.folder, 'config/plugins.js'), `module.exports = () => (${plugins})`)
    // One that is named has to be there, as in Strapi.
    mkdirSync(join(folder.folder, 'src/plugins/mine'), { recursive: true })
    writeFileSync(join(folder.folder, 'src/plugins/mine/strapi-server.js'), 'module.exports = {}')
    project = await openProject(folder, { UP_RATELIMIT_OFF: '' }, log)
    return project
  }
  const stop = async () => {
    await project?.close()
    folder.remove()
  }

  it('count as far as they are known, and stop nothing where they are not', async () => {
    try {
      const { app } = await start(`{
        'users-permissions': { config: {
          jwtSecret: 'oracle-users-jwt-secret', jwt: { expiresIn: '1h', algorithm: 'HS256' },
          ratelimit: { enabled: true, interval: { min: 5 }, max: 3, delayAfter: 1 }, callback: { validate: () => {} } } },
        upload: { config: { provider: 'cloudinary', providerOptions: { cloud_name: 'x', hook: () => 1 }, security: {} } },
        seo: { enabled: true }, mine: { enabled: true, resolve: './src/plugins/mine' },
      }`)
      const post = () =>
        (project as OpenProject).send({
          method: 'POST',
          url: '/api/auth/local',
          payload: { identifier: 'alice', password: 'alice-pass-1' },
        })
      const { jwt } = JSON.parse((await post()).payload)
      const { iat, exp } = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString())
      assert.equal(exp - iat, 3600)
      await post()
      await post()
      const refused = await post()
      assert.equal(refused.statusCode, 429)
      assert.ok(Number(refused.headers['retry-after']) > 60)
      assert.equal((await (project as OpenProject).get('/api/upload/files?pagination[pageSize]=1')).statusCode, 200)
      assert.equal(app.config.project, 'strapi4')
    } finally {
      await stop()
    }
  })

  it('refuse files for a storage that nothing here speaks to, which the start announces', async () => {
    try {
      const lines: string[] = []
      const log = createLog('warn', { destination: { write: (line: string) => void lines.push(line) } })
      const { send } = await start(
        `{
        'users-permissions': { config: { jwtSecret: 'oracle-users-jwt-secret' } },
        upload: { config: { provider: 'cloudinary' } },
      }`,
        log,
      )
      const warned = lines.map(line => JSON.parse(line)).filter(({ plugin }) => plugin === 'upload')
      assert.deepEqual(
        warned.map(({ level, msg }) => [level, msg]),
        [
          [
            'warn',
            'uploads are refused: nothing here stores files with the provider "cloudinary" of config/plugins: ' +
              'upload.config.provider; set it to local or aws-s3. Files that are stored there keep their addresses',
          ],
        ],
      )
      const { payload, type } = multipartOf({
        fields: [],
        files: [{ field: 'files', file: 'note.txt', filename: 'note.txt', type: 'text/plain' }],
      })
      const reply = await send({ method: 'POST', url: '/api/upload', payload, headers: { 'content-type': type } })
      assert.equal(reply.statusCode, 400, reply.payload)
      assert.match(JSON.parse(reply.payload).error.message, /cloudinary/)
    } finally {
      await stop()
    }
  })
})
