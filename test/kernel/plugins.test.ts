import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import {
  type AnyPlugin,
  createTestApp,
  definePlugin,
  flag,
  type Host,
  oneOf,
  type TestAppOptions,
} from '../../core/index.js'
import { boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'

const note = { attributes: { text: { type: 'string' } } }

/** Starts an app with these plugins and stops it again; gives what the start refused, if it did. */
async function refusal(plugins: TestAppOptions['plugins'], more: TestAppOptions = {}): Promise<string> {
  try {
    await (await createTestApp({ types: { note }, ...more, plugins: plugins ?? [] })).close()
  } catch (error) {
    assert.equal((error as Error).name, 'BootError')
    return (error as Error).message
  }
  return 'nothing'
}

describe('settings', () => {
  const config = {
    type: 'object',
    properties: {
      strict: { type: 'boolean', default: true },
      limit: { type: 'integer', minimum: 1, default: 5 },
      words: { type: 'array', items: { type: 'string' }, default: ['a'] },
      label: { type: 'string' },
    },
  } as const
  const settings = async (given: Record<string, unknown>) => {
    let seen: Host['config']
    const plugin = definePlugin({
      name: 'settings',
      config,
      register: ({ config }) => {
        seen = config
      },
    })
    await (await createTestApp({ plugins: [[plugin, given]] })).close()
    return seen
  }

  it('have the defaults of their schema', async () => {
    assert.deepEqual(await settings({}), { strict: true, limit: 5, words: ['a'] })
    assert.deepEqual(await settings({ limit: 9, label: 'x' }), { strict: true, limit: 9, words: ['a'], label: 'x' })
  })
  it('cannot be changed by the plugin', async () => {
    assert.ok(Object.isFrozen(await settings({})))
  })
  it('that are misspelt are named, with the one that is near', async () => {
    assert.equal(
      await refusal([[definePlugin({ name: 'settings', config }), { strcit: true }]]),
      'config/plugins: settings.config.strcit is not a setting of the plugin; did you mean settings.config.strict?',
    )
  })
  it('that are misspelt inside another one are named by their whole path', async () => {
    const inner = { type: 'object', properties: { deep: { type: 'integer' } }, additionalProperties: false } as const
    const plugin = definePlugin({ name: 'settings', config: { properties: { inner } } })
    const near =
      'config/plugins: settings.config.inner.deap is not a setting of the plugin; did you mean settings.config'
    assert.equal(await refusal([[plugin, { inner: { deap: 1 } } as never]]), `${near}.inner.deep?`)
  })
  it('that are unknown are named, with those that exist', async () => {
    assert.equal(
      await refusal([[definePlugin({ name: 'settings', config }), { colour: true }]]),
      'config/plugins: settings.config.colour is not a setting of the plugin; there are strict, limit, words, label',
    )
    assert.equal(
      await refusal([[definePlugin({ name: 'none' }), { a: 1 }]]),
      'config/plugins: none.config.a is not a setting of the plugin; it has none',
    )
  })
  it('of a wrong type are named', async () => {
    const plugin = definePlugin({ name: 'settings', config })
    assert.match(
      await refusal([[plugin, { strict: 'yes' }]]),
      /config\/plugins: settings\.config\.strict must be boolean/,
    )
    assert.match(await refusal([[plugin, { limit: 0 }]]), /config\/plugins: settings\.config\.limit must be >= 1/)
  })
  it('of one that is off may be wrong', async () => {
    const plugin = definePlugin({ name: 'settings', config }) as unknown as AnyPlugin
    const loaded = await loadConfig(process.cwd(), { env: { DATABASE_FILENAME: ':memory:' }, bare: true })
    let asleep: Awaited<ReturnType<Host['dormantActions']>> | undefined
    const onlooker = definePlugin({
      name: 'onlooker',
      register: async ({ dormantActions }: Host) => {
        asleep = await dormantActions()
      },
    })
    const plugins = [
      { plugin, enabled: false, config: { strcit: true } },
      { plugin: onlooker as unknown as AnyPlugin, enabled: true, config: {} },
    ]
    await (await boot({ wings, config: loaded, log: createLog('silent'), definitions: [], plugins })).close()
    assert.deepEqual(asleep, [])
  })
})

describe('what no plugin that is on has', () => {
  it('is named where a type or the app wants a format', async () => {
    const rest = { config: { api: { rest: { format: 'xml' } } } }
    assert.equal(await refusal([], rest), 'config/api: rest: there is no format "xml"; there are none')
    const types = { note: { ...note, options: { format: 'xml' } } }
    assert.equal(await refusal([], { types }), 'note.json: there is no format "xml"; there are none')
  })
  it('is named where the app extends a type of it', async () => {
    const lines: string[] = []
    const app = await createTestApp({
      definitions: [{ uid: 'plugin::gone.thing', source: 'extensions/gone/thing.json', schema: { attributes: {} } }],
      log: createLog('warn', { destination: { write: line => void lines.push(JSON.parse(line).msg) } }),
    })
    await app.close()
    assert.deepEqual(lines, [
      'extensions/gone/thing.json extends plugin::gone.thing, and no enabled plugin has this type',
    ])
  })
})

describe('uses', () => {
  const log: string[] = []
  const plugin = (name: string, uses: readonly AnyPlugin[] = []) =>
    definePlugin({
      name,
      uses,
      register: () => {
        log.push(`start ${name}`)
        return { close: () => void log.push(`stop ${name}`) }
      },
    })
  const base = plugin('base')
  const middle = plugin('middle', [base])
  const top = plugin('top', [middle, base])
  const other = plugin('other')

  it('decide the order of the start; the rest is the order of the configuration, and the stop is the reverse', async () => {
    log.length = 0
    await (await createTestApp({ plugins: [other, top, base, middle] })).close()
    assert.deepEqual(log, [
      'start other',
      'start base',
      'start middle',
      'start top',
      'stop top',
      'stop middle',
      'stop base',
      'stop other',
    ])
  })
  it('that are off stop the start with a sentence', async () => {
    assert.equal(
      await refusal([top, base]),
      'plugin top needs the plugin middle, which is disabled; enable it in config/plugins',
    )
  })
  it('in a circle stop the start and name the circle', async () => {
    const first: { name: string; uses: AnyPlugin[] } = { name: 'first', uses: [] }
    const second = { name: 'second', uses: [first as AnyPlugin] }
    first.uses.push(second as AnyPlugin)
    assert.equal(
      await refusal([first as AnyPlugin, second as AnyPlugin]),
      'plugins need each other in a circle: first, second',
    )
  })
  it('make a service visible', async () => {
    const counting = definePlugin({ name: 'counting', register: () => ({ count: 41 }) })
    let seen = 0
    const using = definePlugin({
      name: 'using',
      uses: [counting],
      register: ({ service }) => {
        seen = service(counting).count + 1
      },
    })
    await (await createTestApp({ plugins: [using, counting] })).close()
    assert.equal(seen, 42)
  })
})

describe('register and close', () => {
  it('an error while a plugin starts carries its name, and what had started is stopped', async () => {
    let closed = 0
    const good = definePlugin({
      name: 'good',
      register: () => ({
        close: () => {
          closed += 1
        },
      }),
    })
    const bad = definePlugin({
      name: 'bad',
      register: () => {
        throw new Error('no luck')
      },
    })
    assert.match(await refusal([good, bad]), /^plugin bad could not start: no luck \(\/.*plugins\.test\.ts:\d+:\d+\)$/)
    assert.equal(closed, 1)
  })
  it('may wait', async () => {
    const slow = definePlugin({
      name: 'slow',
      register: async () => ({ ready: await Promise.resolve(true) }),
      routes: [{ method: 'GET', path: '/slow', action: null, run: ({ service }) => service }],
    })
    const app = await createTestApp({ plugins: [slow] })
    assert.deepEqual((await app.inject('/api/slow')).json(), { ready: true })
    await app.close()
  })
  it('a plugin that cannot stop does not keep the others from it', async () => {
    const stopped: string[] = []
    const first = definePlugin({ name: 'first', register: () => ({ close: () => void stopped.push('first') }) })
    const second = definePlugin({
      name: 'second',
      register: () => ({
        close: () => {
          throw new Error('stuck')
        },
      }),
    })
    const app = await createTestApp({ plugins: [first, second] })
    await assert.rejects(app.close(), /plugin second could not stop: stuck/)
    assert.deepEqual(stopped, ['first'])
  })
  it('see entries, types and the log of the app', async () => {
    const seen: unknown[] = []
    const curious = definePlugin({
      name: 'curious',
      register: async ({ types, store, app, entries }) => {
        await entries('api::note.note').create({ text: 'made at the start' })
        seen.push(
          types.get('api::note.note').pluralName,
          store.engine,
          app.api.prefix,
          await entries('api::note.note').count(),
        )
      },
    })
    await (await createTestApp({ types: { note }, plugins: [curious] })).close()
    assert.deepEqual(seen, ['notes', 'sqlite', '/api', 1])
  })
})

describe('two that claim the same stop the start, both named', () => {
  const pair = (part: object) => [{ name: 'one', ...part } as AnyPlugin, { name: 'two', ...part } as AnyPlugin]
  const route = { method: 'GET', path: '/x', action: null, run: () => 1 }
  const kind = { name: 'color', kind: 'value', as: 'text', operators: 'text', write: String, operand: String }
  const type = {
    uid: 'admin::x.y',
    source: 'x',
    schema: {
      kind: 'collectionType',
      collectionName: 'ys',
      info: { singularName: 'y', pluralName: 'ys' },
      attributes: {},
    },
  }
  const bare = { entry: 'plain', one: (entry: unknown) => entry, many: (entries: unknown) => entries }
  const cases: readonly (readonly [what: string, part: object, sentence: string])[] = [
    ['parameter', { params: { mine: flag() } }, 'the plugins one and two both declare the parameter "mine"'],
    ['field type', { fieldTypes: [kind] }, 'the plugins one and two both declare the field type "color"'],
    ['format', { formats: { bare } }, 'the plugins one and two both declare the format "bare"'],
    ['content type', { contentTypes: [type] }, 'the plugins one and two both declare the content type admin::x.y'],
    ['route', { routes: [route] }, 'the plugins one and two both declare the route GET /x'],
    [
      'command',
      { commands: [{ name: 'greet', describe: '', run: () => 1 }] },
      'the plugins one and two both declare the command "greet"',
    ],
    [
      'attribute',
      { attributes: { color: { type: 'string' } } },
      'the plugins one and two both add the attribute "color" to api::note.note',
    ],
  ]
  for (const [what, part, sentence] of cases)
    it(`a ${what}`, async () => assert.equal(await refusal(pair(part)), sentence))

  it('a name', async () =>
    assert.equal(
      await refusal([{ name: 'one' } as AnyPlugin, { name: 'one' } as AnyPlugin]),
      'two plugins are called "one"',
    ))
  it("a parameter that is core's own", async () => {
    assert.match(
      await refusal([definePlugin({ name: 'one', params: { sort: flag() } })]),
      /plugin one declares the parameter "sort", which is core's own/,
    )
    assert.match(await refusal([definePlugin({ name: 'one', params: { pagination: flag() } })]), /pagination/)
  })
  it("a field type that is core's own", async () => {
    assert.match(
      await refusal([{ name: 'one', fieldTypes: [{ ...kind, name: 'string' }] } as unknown as AnyPlugin]),
      /"string", which is core's own/,
    )
  })
  it('an attribute that the schema has already', async () => {
    assert.match(
      await refusal([definePlugin({ name: 'one', attributes: { text: { type: 'string' } } })]),
      /plugin one .*"text".* note\.json/,
    )
  })
  it('a route that a content type has', async () => {
    assert.match(
      await refusal([
        definePlugin({ name: 'one', routes: [{ method: 'GET', path: '/notes/:note', action: null, run: () => 1 }] }),
      ]),
      /GET \/notes\/:.* is declared twice/,
    )
  })
  it('a part that no plugin has is named', async () => {
    assert.match(
      await refusal([{ name: 'one', hoks: {} } as AnyPlugin]),
      /plugin one: "hoks" is no part of a plugin; there are name, describe, uses, standardIn, config/,
    )
  })
  it('a hook that no request meets is named', async () => {
    assert.match(
      await refusal([{ name: 'one', hooks: { beforeFnid: () => 1 } } as AnyPlugin]),
      /plugin one: "beforeFnid" is no hook; there are parseQuery, beforeFind/,
    )
  })
})

describe('params', () => {
  const plugin = definePlugin({
    name: 'tones',
    appliesTo: type => type.singularName === 'note',
    params: { tone: oneOf('plain', 'loud'), upper: flag(), only: { read: raw => String(raw), actions: ['find'] } },
    hooks: {
      serialize: (entry, { params }) => {
        entry.text = `${params.tone} ${params.upper} ${params.only}`
      },
    },
  })
  const text = async (query: string) => {
    const app = await createTestApp({ types: { note, tag: note }, plugins: [plugin] })
    await app.entries('api::note.note').create({ text: 'x' })
    const answer = (await app.inject(`/api/${query}`)).json()
    await app.close()
    return answer.error?.message ?? answer.data[0]?.attributes.text ?? answer.data.attributes?.text
  }
  const cases: readonly (readonly [says: string, query: string, gives: string | RegExp])[] = [
    ['have their defaults', 'notes', 'plain false undefined'],
    ['are read', 'notes?tone=loud&upper=1&only=a', 'loud true a'],
    ['are refused with a sentence', 'notes?tone=shrill', /^tone: "shrill" is none of plain, loud/],
    ['are refused as a list', 'notes?tone=loud&tone=plain', /^tone: /],
    ['are refused as an object', 'notes?tone[a]=loud', /^tone: /],
    ['do not exist on other types', 'tags?tone=loud', /^tone: is not a parameter of api::tag\.tag/],
    ['do not exist inside a populate', 'notes?populate[x][tone]=loud', /x|tone/],
    ['do not exist for other actions', 'notes/1?only=a', /^only: is not a parameter/],
  ]
  for (const [says, query, gives] of cases)
    it(says, async () => {
      const given = await text(query)
      if (typeof gives === 'string') assert.equal(given, gives)
      else assert.match(given, gives)
    })
})

describe('attributes, content types and field types', () => {
  const shade = definePlugin({
    name: 'shade',
    appliesTo: type => type.pluginOptions.shade !== undefined,
    attributes: { shade: { type: 'string' } },
  })
  it('attributes are added to the types that a plugin applies to, and to no other', async () => {
    const app = await createTestApp({
      types: { note: { ...note, pluginOptions: { shade: {} } }, tag: note },
      plugins: [shade],
    })
    const made = await app.inject({
      method: 'POST',
      url: '/api/notes',
      payload: { data: { text: 'a', shade: 'dark' } },
    })
    assert.equal(made.json().data.attributes.shade, 'dark')
    assert.equal((await app.inject('/api/notes?filters[shade]=dark&sort=shade&fields[0]=shade')).json().data.length, 1)
    assert.equal((await app.inject('/api/tags?filters[shade]=dark')).statusCode, 400)
    await app.close()
  })

  it('content types of a plugin have tables and no routes of their own', async () => {
    const plugin = definePlugin({
      name: 'ledger',
      contentTypes: [
        {
          uid: 'plugin::ledger.line',
          source: 'ledger',
          schema: {
            kind: 'collectionType',
            collectionName: 'ledger_lines',
            info: { singularName: 'line', pluralName: 'lines' },
            attributes: { amount: { type: 'integer' } },
          },
        },
      ],
      register: ({ entries }) => entries('plugin::ledger.line'),
      routes: [
        {
          method: 'GET',
          path: '/lines/sum',
          action: null,
          run: async ({ service }) => ({ count: await service.count() }),
        },
      ],
    })
    const app = await createTestApp({ types: { note }, plugins: [plugin] })
    await app.entries('plugin::ledger.line').create({ amount: 5 })
    assert.equal((await app.inject('/api/lines')).statusCode, 404)
    assert.deepEqual((await app.inject('/api/lines/sum')).json(), { count: 1 })
    await app.close()
  })

  it('a field type that is a value: written, checked, filtered, sorted, shown', async () => {
    const { WrongValue } = await import('../../core/index.js')
    const colors = definePlugin({
      name: 'colors',
      fieldTypes: [
        {
          name: 'color',
          kind: 'value',
          as: 'text',
          operators: 'text',
          options: { palette: { type: 'array', items: { type: 'string' } } },
          write: (value, { attribute }) => {
            const palette = attribute.palette as string[]
            if (!palette.includes(value as string)) throw new WrongValue(`must be one of ${palette.join(', ')}`)
            return `#${value}`
          },
          operand: value => `#${value}`,
          show: value => String(value).slice(1),
        },
      ],
    })
    const types = { note: { attributes: { color: { type: 'color', palette: ['red', 'blue'] } } } }
    const app = await createTestApp({ types, plugins: [colors] })
    const send = (color: unknown) => app.inject({ method: 'POST', url: '/api/notes', payload: { data: { color } } })
    assert.equal((await send('red')).json().data.attributes.color, 'red')
    await send('blue')
    assert.equal((await send('green')).json().error.message, 'color must be one of red, blue')
    assert.equal((await app.inject('/api/notes?filters[color]=blue')).json().data[0].id, 2)
    assert.equal((await app.inject('/api/notes?sort=color')).json().data[0].attributes.color, 'blue')
    await app.close()
    assert.match(await refusal([], { types }), /attribute "color" has the type "color"; known types are string, text/)
    assert.match(
      await refusal([colors], { types: { note: { attributes: { color: { type: 'color', palette: 'red' } } } } }),
      /attribute "color": palette is "red"; expected a list of text/,
    )
  })

  it('a field type that is a link: populated like a relation', async () => {
    const { linkTypes } = await import('../../core/schema/link-types.js')
    const relation = linkTypes.find(({ name }) => name === 'relation')
    const links = definePlugin({
      name: 'links',
      fieldTypes: [
        {
          name: 'friend',
          kind: 'link',
          link: place => ({
            ...(relation as NonNullable<typeof relation>).link({
              ...place,
              attribute: { type: 'relation', relation: 'manyToOne', target: place.uid },
            }),
            only: ['text'],
          }),
        },
      ],
    })
    const app = await createTestApp({
      types: { note: { attributes: { text: { type: 'string' }, best: { type: 'friend' } } } },
      plugins: [links],
    })
    await app.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'a' } } })
    const made = await app.inject({
      method: 'POST',
      url: '/api/notes?populate=best',
      payload: { data: { text: 'b', best: 1 } },
    })
    assert.deepEqual(made.json().data.attributes.best, { data: { id: 1, attributes: { text: 'a' } } })
    assert.equal((await app.inject('/api/notes?filters[best][text]=a')).json().data.length, 1)
    await app.close()
  })
})
