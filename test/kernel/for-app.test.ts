import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { outline } from '../../core/boot/outline.js'
import { type AnyPlugin, createTestApp, definePlugin, type FoundApp, type Host } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'

const types = { note: { attributes: { text: { type: 'string' } } } }

async function appWith(...plugins: AnyPlugin[]) {
  const app = await createTestApp({ types, plugins })
  onTestFinished(() => app.close())
  return app
}

/** A plugin in JavaScript, as nothing checks its types. */
const clumsy = (parts: object) => definePlugin({ name: 'clumsy', ...parts } as never)

describe('the parts that a plugin has in one app', () => {
  it('follow from the files of the app, and reach its service', async () => {
    let seen: FoundApp | undefined
    const counted = definePlugin({
      name: 'counted',
      config: { type: 'object', properties: { most: { type: 'integer', default: 3 } } },
      forApp: async found => {
        seen = found
        const names = found.definitions.map(({ uid }) => uid)
        return {
          register: ({ types }) => ({ names, most: found.config.most, loaded: types.types.size }),
          attributes: { size: { type: 'integer', default: 7 } },
          routes: [{ method: 'GET', path: '/counted', action: null, run: ({ service }) => ({ ...service }) }],
          contentTypes: [
            {
              uid: 'plugin::local.thing',
              source: 'src/plugins/local',
              schema: {
                kind: 'collectionType',
                collectionName: 'things',
                info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' },
                attributes: { text: { type: 'string' } },
              },
            },
          ],
        }
      },
    })
    const app = await appWith(counted)
    const { names, most, loaded } = (await app.inject('/api/counted')).json()
    assert.deepEqual([names, most], [['api::note.note'], 3])
    assert.ok(loaded >= 3)
    assert.equal((await app.entries('api::note.note').create({ text: 'a' })).size, 7)
    assert.equal((await app.entries('plugin::local.thing').create({ text: 'b' })).text, 'b')
    assert.deepEqual(
      [seen?.app.project, seen?.dialectName, seen?.purpose, seen?.app === app.config],
      ['stele', 'spec', 'serve', true],
    )
  })

  it('are added to those that it has in any: lists one after the other, objects name by name', async () => {
    const said: string[] = []
    const both = definePlugin({
      name: 'both',
      register: () => ({ word: 'own' }),
      hooks: { serialize: entry => void Object.assign(entry, { one: 1 }) },
      routes: [{ method: 'GET', path: '/x/:id', action: null, run: ({ service }) => ({ by: service.word }) }],
      shares: { locks: ['a'] },
      forApp: () => ({
        hooks: { afterWrite: ({ text }) => void said.push(String(text)) },
        routes: [
          { method: 'GET', path: '/x/late', action: null, run: () => ({ by: 'late' }) },
          { method: 'GET', path: '/y', action: null, run: ({ service }) => ({ by: service.word }) },
        ],
        shares: { locks: ['b'], counts: ['c'] },
      }),
    })
    const app = await appWith(both)
    assert.equal((await app.entries('api::note.note').create({ text: 'a' })).one, 1)
    assert.deepEqual(said, ['a'])
    for (const path of ['x/late', 'y']) assert.deepEqual((await app.inject(`/api/${path}`)).json(), { by: 'own' })
  })

  it('may be the schemas of the app as they are to be read', async () => {
    const longer = definePlugin({
      name: 'longer',
      forApp: () => ({
        definitions: found =>
          found.map(({ schema, ...about }) => ({
            ...about,
            schema: { ...schema, attributes: { ...Object(schema.attributes), more: { type: 'integer' } } },
          })),
      }),
    })
    const app = await appWith(longer)
    const { id } = await app.entries('api::note.note').create({ text: 'a', more: 5 })
    assert.equal((await app.inject(`/api/notes/${id}`)).json().data.attributes.more, 5)
  })

  it('read planned files as they read those of the app', async () => {
    let schemas: Host['schemas'] | undefined
    const longer = definePlugin({
      name: 'longer',
      forApp: () => ({
        definitions: found =>
          found.map(({ schema, ...about }) => ({
            ...about,
            schema: { ...schema, attributes: { ...Object(schema.attributes), more: { type: 'integer' } } },
          })),
      }),
      register: (host: Host) => {
        schemas = host.schemas
      },
    })
    await appWith(longer)
    // Read without the plugin, the column of its attribute would be one to drop.
    assert.deepEqual((await schemas?.plan())?.changes, [])
    await assert.rejects(async () => schemas?.plan(new Map([['content-types/note.json', '{}']])), {
      name: 'BootError',
      message: /content types of this app are code/,
    })
  })

  it('may be none', async () => {
    const app = await appWith(definePlugin({ name: 'none', forApp: () => undefined, describe: 'nothing' }))
    assert.equal((await app.inject('/api/notes')).statusCode, 200)
  })

  it('are asked of plugins in their order, and of those alone that are enabled, by commands as well', async () => {
    const asked: string[] = []
    const first = definePlugin({
      name: 'first',
      forApp: ({ purpose }) => {
        asked.push(`first ${purpose}`)
        return { commands: [{ name: 'greet', describe: 'greets', run: () => undefined }] }
      },
    })
    const second = definePlugin({ name: 'second', uses: [first], forApp: () => void asked.push('second') as undefined })
    const config = await loadConfig(import.meta.dirname, { bare: true, env: {} })
    const plugins = [second, first].map(plugin => ({ plugin, enabled: true, config: {} }))
    const off = { plugin: clumsy({ forApp: () => asked.push('off') }), enabled: false, config: {} }
    const options = { wings, config, log: createLog('silent'), definitions: [], purpose: 'look' as const }
    const outlined = await outline({ ...options, plugins: [...plugins, off] })
    assert.deepEqual(asked, ['first look', 'second'])
    assert.deepEqual(
      outlined.plugins[0]?.spec.commands?.map(({ describe }) => describe),
      ['greets'],
    )
  })

  const wrong: readonly (readonly [says: string, parts: object, message: RegExp])[] = [
    [
      'what every app decides alike',
      { forApp: () => ({ uses: [] }) },
      /plugin clumsy: forApp gives "uses", which a plugin has in any app or in none/,
    ],
    ['a part that is none', { forApp: () => ({ hook: {} }) }, /plugin clumsy: "hook" is no part of a plugin/],
    ['no object', { forApp: () => 5 }, /plugin clumsy: forApp gives no object/],
    [
      'a part that is there',
      { register: () => 1, forApp: () => ({ register: () => 2 }) },
      /plugin clumsy: forApp gives register, which the plugin has already/,
    ],
    [
      'a hook that is there',
      { hooks: { afterFind: () => 1 }, forApp: () => ({ hooks: { afterFind: () => 2 } }) },
      /plugin clumsy: forApp gives hooks.afterFind, which the plugin has already/,
    ],
    ['a wrong hook', { forApp: () => ({ hooks: { before: () => 1 } }) }, /"before" is no hook/],
    [
      'a type of the app',
      { forApp: () => ({ contentTypes: [{ uid: 'api::x.x', source: 'x', schema: {} }] }) },
      /the content type "api::x.x" belongs to others/,
    ],
    [
      'nothing, as it fails',
      {
        forApp: async () => {
          throw new Error('a file is missing')
        },
      },
      /plugin clumsy could not start: a file is missing \(.*for-app\.test\.ts/,
    ],
  ]
  for (const [says, parts, message] of wrong)
    it(`stop the start: ${says}`, async () => {
      await assert.rejects(appWith(clumsy(parts)), message)
    })
})

describe('a reason against the start', () => {
  it('is one of the checks, and is told what the app consists of', async () => {
    const picky = definePlugin({
      name: 'picky',
      config: { type: 'object', properties: { most: { type: 'integer', default: 0 } } },
      checks: [
        {
          start: ({ config, types }) => {
            if (types.types.has('api::note.note')) throw new Error(`at most ${config.most} notes`)
          },
        },
      ],
    })
    await assert.rejects(appWith(picky), /plugin picky could not start: at most 0 notes/)
    await assert.rejects(appWith(clumsy({ checks: [{ start: 1 }] })), /"start" of a check is of type number/)
  })
})
