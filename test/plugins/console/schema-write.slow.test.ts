import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { Drawing } from '../../../plugins/console/model/schema/drawing.js'
import { renameComponent } from '../../../plugins/console/model/schema/rename.js'
import type { LastWrite, Plan, SchemaOfApp } from '../../../plugins/console/model/schema.js'
import { copyProject } from '../../strapi4/project.js'
import { stele } from '../../support/command.js'
import type { Body } from '../../support/contract.js'
import { anyEngine, type Engine } from '../../support/engines.js'
import { onEveryEngineAtLength } from '../../support/every-engine.js'
import { freePort } from '../../support/free-port.js'
import { ask, folderOf, Server } from '../../support/terminal.js'
import { addFiles } from '../admin/project.js'

// A test starts several servers, and runs commands between them.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const file = 'content-types/note.json'
const note = (attributes: object): string =>
  `${JSON.stringify(
    {
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes' },
      'x-own': { kept: true },
      attributes,
    },
    undefined,
    '\t',
  )}\n`
const text = { type: 'string' }
const before = { title: text, stars: text, gone: text }

/** A plugin that ends a start with a type that is right in itself. */
const stopper = `export const stopper = { name: 'stopper', register({ types }) {
  if (Object.hasOwn(types.get('api::note.note').attributes, 'unwanted')) throw new Error('nothing starts with unwanted')
} }`

const account = { email: 'ada@example.test', password: 'eleven elephants' }

async function developed(folder: string, env: Readonly<Record<string, string>>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const create = async (role: string, email: string) => {
    const args = ['admin', 'create', email, '--password', account.password, '--role', role, '--firstname', role]
    const { status, stderr } = await stele([...args, '--app', folder], { env })
    assert.equal(status, 0, stderr)
  }
  await create('Super Admin', account.email)
  const server = new Server(folder, { ...env, PORT: String(port) }, [], 'dev')
  await server.said(/listening on/)
  const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
  const signedIn = async (email = account.email) => {
    const { status, headers: given } = await ask(`${url}/console/session`, {
      ...{ method: 'POST', headers, body: { ...account, email } },
    })
    assert.equal(status, 200)
    const cookie = String(given.get('set-cookie')).split(';')[0] as string
    return (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> =>
      ask(`${url}${path}`, { method, headers: { ...headers, cookie }, body })
  }
  const owner = await signedIn()
  const schema = async (): Promise<SchemaOfApp> => (await owner('GET', '/console/schema.json')).body.data
  return {
    ...{ folder, env, server, url, owner, signedIn, create, schema },
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    async plan(request: object): Promise<Plan> {
      const { status, body } = await owner('POST', '/console/schema/plan', request)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    },
    write: (request: object) => owner('POST', '/console/schema/write', request),
    /** The write as it ended, once another server listens. */
    async ended({ at }: LastWrite, starts: number): Promise<LastWrite> {
      await server.said(/listening on/, starts)
      for (;;) {
        const { lastWrite } = await schema()
        assert.equal(lastWrite?.at, at)
        if (lastWrite && lastWrite.state !== 'running') return lastWrite
      }
    },
  }
}

async function notes(engine: Engine) {
  const fresh = await engine.fresh()
  const folder = folderOf({
    [file]: note(before),
    'config/api.js': 'export default { rest: { public: true } }',
    'config/plugins.js': `export default { console: true, audit: true, admin: { config: { ratelimit: { enabled: false } } },
      stopper: { enabled: true, resolve: './plugins/stopper.js' } }`,
    'plugins/stopper.js': stopper,
    'package.json': '{ "type": "module" }',
  })
  const app = await developed(folder, fresh.env)
  for (const stars of ['1', '2', 'three']) {
    const made = await ask(`${app.url}/api/notes`, {
      method: 'POST',
      data: { title: `Note ${stars}`, stars, gone: 'x' },
    })
    assert.equal(made.status, 200)
  }
  const stored = async () =>
    (await ask(`${app.url}/api/notes?sort=id`)).body.data.map(({ attributes }: Body) => {
      const { createdAt: _, updatedAt: __, ...values } = attributes
      return values
    })
  const close = async () => {
    await app.server.stop('SIGKILL')
    await fresh.drop()
  }
  return { ...app, stored, close }
}

onEveryEngineAtLength('schema files over HTTP, under stele dev', engine => {
  let app: Awaited<ReturnType<typeof notes>>
  beforeAll(async () => {
    app = await notes(engine)
  })
  afterAll(() => app?.close())

  it('are put back where the next server does not start, with all values', async () => {
    const rows = await app.stored()
    const files = {
      [file]: note({ name: { ...text, renamedFrom: 'title' }, stars: { type: 'integer' }, unwanted: text }),
      'content-types/page.json': { info: { singularName: 'page', pluralName: 'pages' }, attributes: { title: text } },
    }
    const { seal, loses } = await app.plan({ files, removals: true })
    assert.equal(loses, 4)
    const taken = await app.write({ files, removals: true, seal, loses })
    assert.equal(taken.status, 202, JSON.stringify(taken.body))
    const write = await app.ended(taken.body.data, 2)
    assert.equal(write.state, 'failed')
    assert.match(write.reason ?? '', /nothing starts with unwanted/)
    assert.doesNotMatch(write.reason ?? '', /undoing it failed/)
    assert.deepEqual(readdirSync(join(app.folder, 'content-types')), ['note.json'])
    assert.equal(app.read(file), note(before))
    assert.deepEqual(await app.stored(), rows)
    const { body } = await app.owner('GET', '/console/api/audit/records')
    const to = `${file}, content-types/page.json`
    assert.deepEqual(
      body.data
        .filter(({ event }: Body) => event.startsWith('schema-write'))
        .map(({ event, name, changes }: Body) => [event, name, changes]),
      [
        ['schema-write.undone', 'Super Admin', { files: { to } }],
        ['schema-write', 'Super Admin', { files: { to }, lost: { to: 4 } }],
      ],
    )
    const { status, stderr } = await stele(['doctor', '--backup', write.backup ?? '', '--app', app.folder], {
      ...{ cwd: app.folder, env: app.env },
    })
    assert.equal(status, 0, stderr)
  })

  it('are written as they were seen: a rename and a conversion with a backup, what is lost said twice, one restart', async () => {
    assert.equal((await app.schema()).writable, true)
    const files = { [file]: JSON.parse(note({ name: { ...text, renamedFrom: 'title' }, stars: { type: 'integer' } })) }
    const unseen = await app.write({ files })
    assert.deepEqual([unseen.status, unseen.body.error.details.reason], [409, 'seal'])
    const { plan } = unseen.body.error.details as { plan: Plan }
    assert.deepEqual(plan, await app.plan({ files }))
    const lossy = await app.write({ files, seal: plan.seal })
    assert.deepEqual([lossy.status, lossy.body.error.details.reason], [409, 'loses'])
    assert.match(lossy.body.error.message, /notes\.stars becomes .*: 1 of 3 values do not fit.*"loses": 1$/)
    assert.equal((await app.write({ files, seal: plan.seal, loses: 2 })).status, 409)
    const order = { files, seal: plan.seal, loses: 1 }
    assert.equal(app.read(file), note(before))

    const both = await Promise.allSettled([app.write(order), app.write(order)])
    const heard = both.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    const [taken, ...others] = heard.filter(({ status }) => status === 202)
    assert.ok(taken && others.length === 0, JSON.stringify(both))
    assert.ok(
      heard.every(one => one === taken || one.status === 409),
      JSON.stringify(heard),
    )
    assert.equal(taken.body.data.state, 'running')
    const write = await app.ended(taken.body.data, 3)
    assert.deepEqual([write.state, write.files], ['applied', [file]], write.reason)
    assert.equal(app.read(file), note({ name: { ...text, renamedFrom: 'title' }, stars: { type: 'integer' } }))
    const [, , third, ...more] = await app.stored()
    assert.deepEqual([third.name, third.gone, more], ['Note three', undefined, []])
    const { body: recorded } = await app.owner('GET', '/console/api/audit/records?event=schema-write')
    // The second of both requests may have been recorded, too, before it was refused.
    const told = recorded.data.map(({ name, changes }: Body) => [name, changes])
    assert.deepEqual(
      [told[0], told.at(-1)],
      [
        ['Super Admin', { files: { to: file }, lost: { to: 1 } }],
        ['Super Admin', { files: { to: `${file}, content-types/page.json` }, lost: { to: 4 } }],
      ],
    )
    const undone = await app.owner('GET', '/console/api/audit/records?event=schema-write.undone')
    assert.equal(undone.body.data.length, 1, 'what failed is told once')
    const again = await app.plan({})
    assert.ok(again.changes.some(({ describe }) => describe === 'drop the column notes.gone and its 3 values'))
    assert.ok(again.changes.every(({ group, isMade }) => group === 'removals' && !isMade))
    assert.ok(existsSync(join(app.folder, write.backup ?? '')))

    const removal = await app.plan({ removals: true })
    assert.equal((await app.write({ removals: true, seal: again.seal, loses: 3 })).status, 409)
    const asked = await app.write({ removals: true, seal: removal.seal, loses: 3 })
    assert.equal(asked.status, 202, JSON.stringify(asked.body))
    assert.equal((await app.ended(asked.body.data, 4)).state, 'applied')
    assert.deepEqual((await app.plan({})).changes, [])
    assert.deepEqual(
      [...app.server.output.matchAll(/^(.*), starting again$/gm)].map(([, what]) => what),
      Array(3).fill('the schema was changed in the console'),
      'each of them means one restart',
    )
  })
})

describe('schema files over HTTP', () => {
  it('are written by Super Admins alone, not over a change on the disk, and not beyond the folder of the app', async () => {
    const app = await notes(anyEngine)
    onTestFinished(() => app.close())
    const files = { [file]: note({ ...before, fresh: text }) }
    await app.create('Author', 'ben@example.test')
    const author = await app.signedIn('ben@example.test')
    assert.equal((await author('POST', '/console/schema/write', { files })).status, 403)
    const { seal } = await app.plan({ files })
    const changed = note({ ...before, other: text })
    writeFileSync(join(app.folder, file), changed)
    await app.server.said(/listening on/, 2)
    const late = await app.write({ files, seal })
    assert.deepEqual([late.status, late.body.error.details.reason], [409, 'seal'])
    assert.equal(app.read(file), changed)

    symlinkSync(folderOf({ 'own.js': '' }), join(app.folder, 'src'))
    await app.server.said(/listening on/, 3)
    const path = 'src/components/shared/seo.json'
    const beyond = { files: { [path]: { collectionName: 'seos', info: { displayName: 'Seo' }, attributes: {} } } }
    const refused = await app.write({ ...beyond, seal: (await app.plan(beyond)).seal })
    assert.equal(refused.status, 400)
    const { body } = await app.owner('GET', '/console/api/audit/records')
    assert.deepEqual(
      body.data.slice(0, 2).map(({ event, changes }: Body) => [event, changes]),
      ['schema-write.refused', 'schema-write'].map(event => [event, { files: { to: path } }]),
    )
    assert.match(refused.body.error.message, /seo\.json leads to .*, which is not in the folder of the app/)
    assert.equal(await app.server.stop('SIGINT'), 0)
  })
})

const leafFile = 'src/api/leaf/content-types/leaf/schema.json'
const leaf = {
  kind: 'collectionType',
  collectionName: 'leaves',
  info: { singularName: 'leaf', pluralName: 'leaves', displayName: 'Leaf' },
  attributes: { title: text },
}

/** A project of Strapi under `stele dev`, with files of its own. */
async function strapi(files: Readonly<Record<string, string>>) {
  const project = copyProject()
  onTestFinished(() => project.remove())
  addFiles(project, {
    'config/plugins.js': 'module.exports = { console: true, admin: { config: { ratelimit: { enabled: false } } } }',
    ...files,
  })
  return developed(project.folder, { STELE_STRAPI_CODE: 'ignore' })
}

describe('schema files of a Strapi project', () => {
  it('come with the router, the controller and the service that Strapi needs, and none is overwritten', async () => {
    const app = await strapi({ 'src/api/leaf/controllers/leaf.js': '// own' })
    const files = { [leafFile]: leaf }
    const plan = await app.plan({ files })
    assert.deepEqual(
      plan.files.map(({ path, change }) => [path, change]),
      [leafFile, 'src/api/leaf/routes/leaf.js', 'src/api/leaf/services/leaf.js'].map(one => [one, 'added']),
    )
    const { status, body } = await app.write({ files, seal: plan.seal })
    assert.equal(status, 202, JSON.stringify(body))
    const write = await app.ended(body.data, 2)
    assert.deepEqual([write.state, write.backup], ['applied', undefined], write.reason)
    assert.equal(app.read('src/api/leaf/controllers/leaf.js'), '// own')
    assert.match(app.read('src/api/leaf/routes/leaf.js'), /^'use strict'\n.*createCoreRouter\('api::leaf\.leaf'\)\n$/s)
    assert.equal((await ask(`${app.url}/api/leaves`)).status, 403, 'it has its endpoints')
  })

  it('come with these in TypeScript where the project has a tsconfig.json', async () => {
    const app = await strapi({ 'tsconfig.json': '{}' })
    const files = { [leafFile]: leaf }
    const { seal } = await app.plan({ files })
    const { status, body } = await app.write({ files, seal })
    assert.equal(status, 202, JSON.stringify(body))
    assert.equal((await app.ended(body.data, 2)).state, 'applied')
    for (const [folder, factory] of [
      ['routes', 'createCoreRouter'],
      ['controllers', 'createCoreController'],
      ['services', 'createCoreService'],
    ])
      assert.equal(
        app.read(`src/api/leaf/${folder}/leaf.ts`),
        `import { factories } from '@strapi/strapi'\n\nexport default factories.${factory}('api::leaf.leaf')\n`,
      )
    assert.equal((await ask(`${app.url}/api/leaves`)).status, 403, 'it has its endpoints')
  })

  it('have a component under another name, in the tables that Strapi has made', async () => {
    const app = await strapi({})
    const all = async () => {
      const { status, body } = await app.owner(
        'GET',
        '/console/api/articles?populate=*&sort=id&publicationState=preview&locale=all&pagination[pageSize]=100',
      )
      assert.equal(status, 200, JSON.stringify(body))
      return JSON.stringify(body.data)
    }
    const before = await all()
    assert.match(before, /"__component":"shared\.quote"/)
    const drawing = new Drawing(await app.schema(), {})
    const quote = drawing.type('shared.quote')
    assert.ok(quote)
    const { drafts: files } = renameComponent(drawing, quote, {
      ...{ displayName: quote.name, category: 'site', name: 'saying' },
    }).drawing
    const { seal, loses, changes, warnings } = await app.plan({ files })
    assert.equal(loses, 0)
    assert.ok(
      changes.some(({ group, describe }) => group === 'renames' && /name site\.saying in place of/.test(describe)),
    )
    assert.ok(!changes.some(({ isMade, describe }) => isMade && /table/.test(describe)))
    assert.match(warnings.join(), /Strapi has no renames/)
    const { status, body } = await app.write({ files, seal })
    assert.equal(status, 202, JSON.stringify(body))
    const write = await app.ended(body.data, 2)
    assert.equal(write.state, 'applied', write.reason)
    assert.equal(await all(), before.replaceAll('shared.quote', 'site.saying'))
  })
})
