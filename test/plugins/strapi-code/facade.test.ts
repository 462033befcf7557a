import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, inject, it, onTestFinished } from 'vitest'
import type { Config } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { codeTypesOf } from '../../../plugins/strapi-code/code-types.js'
import { CronTasks } from '../../../plugins/strapi-code/cron.js'
import { createEventHub } from '../../../plugins/strapi-code/events.js'
import { CodeLog } from '../../../plugins/strapi-code/log.js'
import { membersNotCarried, notCarried } from '../../../plugins/strapi-code/not-carried.js'
import { configTree, readConfig } from '../../../plugins/strapi-code/project/config.js'
import { languageOf } from '../../../plugins/strapi-code/project/language.js'
import { addRoot } from '../../../plugins/strapi-code/project/modules.js'
import { createStore } from '../../../plugins/strapi-code/store.js'
import type { Bag, Failure, Loose, Project } from '../../../plugins/strapi-code/types.js'

describe('strapi.eventHub', () => {
  const hub = () => {
    const failed: string[] = []
    const made: Loose = createEventHub((error, event) => void failed.push(`${event}: ${(error as Error).message}`))
    return { ...made, failed }
  }

  it('calls listeners in their order, and emit waits for each', async () => {
    const { on, emit } = hub()
    const said: string[] = []
    on('entry.create', async ({ uid }: Bag) => {
      await new Promise(setImmediate)
      said.push(`first ${uid}`)
    })
    on('entry.create', () => void said.push('second'))
    on('entry.update', () => void said.push('other'))
    await emit('entry.create', { uid: 'api::a.a' })
    assert.deepEqual(said, ['first api::a.a', 'second'])
  })

  it('lets listeners go, and calls those of once one time', async () => {
    const { on, once, off, emit, subscribe, removeAllListeners } = hub()
    let count = 0
    const add = () => {
      count += 1
    }
    const stop = on('a', add)
    once('a', add)
    const end = subscribe((event: string) => {
      count += event === 'a' ? 10 : 100
    })
    await emit('a')
    await emit('a')
    assert.equal(count, 1 + 1 + 10 + 1 + 10)
    stop()
    end()
    on('a', add)
    off('a', add)
    on('a', add)
    removeAllListeners('a')
    await emit('a')
    assert.equal(count, 23)
  })

  it('reports a listener that fails', async () => {
    const { on, emit, failed } = hub()
    on('a', () => {
      throw new Error('no')
    })
    await emit('a')
    assert.deepEqual(failed, ['a: no'])
  })
})

describe('strapi.log', () => {
  it('writes what was said before there is a log, and takes texts, objects and errors', () => {
    const lines: Bag[] = []
    const { log, to } = bound(new CodeLog())
    log.info('early %s', 'word')
    assert.equal(lines.length, 0)
    to(createLog('trace', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } }))
    log.warn({ id: 5 }, 'with an object')
    log.error(new Error('failed'))
    log.error('while %d', 5, 'more')
    log.http('as a request')
    log.silly('nothing')
    log.log('debug', 'by name')
    log.log({ level: 'warn', message: 'as an entry', id: 6 })
    assert.deepEqual(
      lines.map(({ level, msg, id }) => [level, msg, id]),
      [
        ['info', 'early word', undefined],
        ['warn', 'with an object', 5],
        ['error', 'failed', undefined],
        ['error', 'while 5 more', undefined],
        ['info', 'as a request', undefined],
        ['trace', 'nothing', undefined],
        ['debug', 'by name', undefined],
        ['warn', 'as an entry', 6],
      ],
    )
    assert.match(lines[2]?.err.stack, /failed/)
  })
})

const bound = (log: CodeLog) => ({ log: log.log, to: log.to.bind(log) })

describe('cron tasks', () => {
  const at = (text: string) => new Date(`2026-01-01T${text}Z`)
  const tasks = () => {
    const reports: string[] = []
    const cron = new CronTasks((message, error) => void reports.push(error ? `${message}: ${error}` : message))
    return { cron, reports }
  }

  it('have rules of five or six fields, times, and options', async () => {
    const { cron } = tasks()
    const ran: string[] = []
    const task = (name: string) => () => void ran.push(name)
    cron.add({ '*/10 * * * * *': task('seconds') })
    cron.add({ '*/10 * * * * *': task('the same again') })
    cron.add({
      minute: { task: task('minute'), options: '* * * * *' },
      daily: { task: task('berlin'), options: { rule: '0 0 3 * * *', tz: 'Europe/Berlin' } },
      once: { task: task('once'), options: at('01:00:05') },
    })
    assert.equal(cron.size, 5)
    assert.deepEqual(cron.next(at('01:00:00')), at('01:00:05'))
    const run = async (from: string, to: string) => {
      cron.run(at(from), at(to), {})
      await cron.ended()
      return ran.splice(0)
    }
    assert.deepEqual(await run('01:00:00', '01:00:05'), ['once'])
    assert.deepEqual(cron.next(at('01:00:05')), at('01:00:10'))
    assert.deepEqual(await run('01:00:05', '01:00:10'), ['seconds', 'the same again'])
    assert.deepEqual(await run('01:59:59', '02:00:00'), ['seconds', 'the same again', 'minute', 'berlin'])
  })

  it('that had several turns meanwhile are begun once', async () => {
    const { cron } = tasks()
    let count = 0
    cron.add({
      '* * * * * *': () => {
        count += 1
      },
    })
    cron.run(at('01:00:00'), at('01:00:05'), {})
    await cron.ended()
    assert.equal(count, 1)
  })

  it('that are no rule never run, and are reported', () => {
    const { cron, reports } = tasks()
    cron.add({ 'not a rule': () => undefined, named: { task: () => undefined, options: { rule: 5 } } })
    assert.match(reports[0] ?? '', /"not a rule" never runs/)
    assert.equal(cron.next(at('01:00:00'))?.getTime(), undefined)
  })

  it('that fail are reported, and keep no other from running', async () => {
    const { cron, reports } = tasks()
    const ran: string[] = []
    cron.add({
      bad: {
        task: async () => {
          throw new Error('no')
        },
        options: '* * * * *',
      },
      good: { task: ({ strapi }: Bag) => void ran.push(strapi), options: '* * * * *' },
    })
    cron.run(at('01:00:00'), at('01:01:00'), { strapi: 'given' })
    await cron.ended()
    assert.deepEqual([ran, reports], [['given'], ['the cron task "bad" failed: Error: no']])
  })

  it('can be removed by name, and need a function', () => {
    const { cron } = tasks()
    let changes = 0
    cron.onChange(() => {
      changes += 1
    })
    cron.add({ a: { task: () => undefined, options: '* * * * *' } })
    assert.deepEqual(cron.jobs, [{ name: 'a' }])
    cron.remove('a')
    assert.deepEqual([cron.size, changes], [0, 2])
    assert.throws(() => cron.add({ b: { options: '* * * * *' } }), /cron task "b" has no function/)
  })
})

describe('strapi.config', () => {
  function read(files: Readonly<Record<string, string>>, environment = 'production') {
    const appDir = mkdtempSync(path.join(inject('folder'), 'config-'))
    onTestFinished(() => rmSync(appDir, { recursive: true, force: true }))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(appDir, name)), { recursive: true })
      writeFileSync(path.join(appDir, name), text)
    }
    const language = languageOf(appDir)
    onTestFinished(addRoot({ appDir, compiledTo: language.compiledTo, provide: () => undefined }))
    const failures: Failure[] = []
    const config = { appDir, environment, server: { host: 'localhost', port: 1337 } } as Loose as Config
    return { tree: configTree(readConfig(config, language, one => void failures.push(one))), failures }
  }

  it('has every file of config/, with those of the environment merged over them', () => {
    const { tree, failures } = read({
      'config/custom.js':
        "module.exports = ({ env }) => ({ a: { b: [1, 2], c: env('NOT_SET_HERE', 'x') }, f: () => 5 })",
      'config/two-words.json': '{ "deep": [{ "x": 1 }] }',
      'config/camelCase.js': 'module.exports = { y: 1 }',
      'config/env/production/custom.js': 'module.exports = { a: { b: [9] }, more: true }',
      'config/functions/cron.js': 'module.exports = {}',
      'config/plugins.js': 'module.exports = { x: { enabled: true } }',
      'package.json': '{ "name": "mine", "strapi": { "uuid": "u" } }',
    })
    assert.deepEqual(failures, [])
    assert.deepEqual(tree.get('custom.a'), { b: [9, 2], c: 'x' })
    assert.deepEqual(
      [tree.get('custom.a.b[1]'), tree.get('custom.none', 'other'), tree.get('two-words.deep[0].x')],
      [2, 'other', 1],
    )
    assert.deepEqual([tree.custom.f(), tree.camelCase.y, tree.custom.more], [5, 1, true])
    assert.deepEqual([tree.has('custom.a.c'), tree.has('custom.z'), tree.get('functions')], [true, false, undefined])
    assert.deepEqual(
      [tree.get('environment'), tree.get('api.rest.prefix'), tree.get('uuid'), tree.get('info.name')],
      ['production', '/api', 'u', 'mine'],
    )
    assert.equal(tree.get('plugins'), undefined)
    tree.set('custom.set', 1).set('made.here', 2)
    assert.deepEqual([tree.custom.set, tree.get('custom.set'), tree.made], [1, 1, { here: 2 }])
  })

  it('reads TypeScript, from where its compiler would put it', () => {
    const { tree } = read({
      'tsconfig.json': '{}',
      'config/kitchen.ts': 'const one: { n: number; dir: string } = { n: 1, dir: __dirname }\nexport default one',
      'config/left.js': 'module.exports = { aside: 1 }',
    })
    assert.equal(tree.kitchen.n, 1)
    assert.match(tree.kitchen.dir, /dist\/config$/)
    assert.equal(tree.get('left'), undefined)
  })

  it('names a file that fails', () => {
    const { failures } = read({ 'config/custom.js': "module.exports = ({ env }) => ({ x: env.nope('A') })" })
    assert.deepEqual(
      failures.map(({ says }) => says),
      ['config/custom.js, line 1: env.nope is not a function'],
    )
  })
})

describe('strapi.contentTypes', () => {
  const definition = (uid: string, schema: object) => ({ uid, source: 'schema.json', schema }) as never
  const project = {
    apis: new Map([['tag', { contentTypes: new Map([['tag', { lifecycles: { beforeCreate() {} } }]]) }]]),
    plugins: new Map([
      [
        'loc',
        {
          name: 'loc',
          server: {
            contentTypes: {
              note: {
                schema: { info: { singularName: 'note', pluralName: 'notes' }, attributes: { t: { type: 'string' } } },
              },
            },
          },
        },
      ],
    ]),
  } as Loose as Project
  const definitions = [
    definition('api::tag.tag', {
      kind: 'collectionType',
      collectionName: 'tags',
      info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: { name: { type: 'string' } },
    }),
    definition('shared.seo', { collectionName: 'components_shared_seos', attributes: { t: { type: 'text' } } }),
  ]
  const isLocalized = (schema: Bag) => schema.pluginOptions?.i18n?.localized === true
  const { contentTypes, components } = codeTypesOf(definitions, project, { isLocalized })

  it('are those of the files and of plugins, with the attributes that every type has', () => {
    assert.deepEqual(Object.keys(contentTypes), ['admin::user', 'api::tag.tag', 'plugin::loc.note'])
    const tag = contentTypes['api::tag.tag'] as Loose
    const { kind, collectionName, modelType, modelName, uid, apiName, globalId, __schema__, attributes } = tag
    assert.deepEqual(
      { kind, collectionName, modelType, modelName, uid, apiName, globalId },
      {
        kind: 'collectionType',
        collectionName: 'tags',
        modelType: 'contentType',
        modelName: 'tag',
        uid: 'api::tag.tag',
        apiName: 'tag',
        globalId: 'Tag',
      },
    )
    assert.deepEqual(__schema__.attributes, { name: { type: 'string' } })
    assert.deepEqual(Object.keys(attributes), [
      'name',
      'createdAt',
      'updatedAt',
      'publishedAt',
      'createdBy',
      'updatedBy',
      'locale',
      'localizations',
    ])
    assert.equal(typeof tag.lifecycles.beforeCreate, 'function')
    const note = contentTypes['plugin::loc.note'] as Loose
    assert.deepEqual([note.globalId, note.plugin, note.collectionName], ['LocNote', 'loc', 'loc_note'])
  })

  it('have components beside them', () => {
    const { modelType, category, modelName, uid, globalId } = components['shared.seo'] as Loose
    assert.deepEqual(
      { modelType, category, modelName, uid, globalId },
      {
        modelType: 'component',
        category: 'shared',
        modelName: 'seo',
        uid: 'shared.seo',
        globalId: 'ComponentSharedSeo',
      },
    )
  })
})

describe('parts of Strapi that are not here', () => {
  it('may be looked at, and say so when they are called', async () => {
    const admin = notCarried('strapi.admin', membersNotCarried.admin as string)
    assert.equal(typeof admin.services.permission.actionProvider.registerMany, 'function')
    assert.throws(
      () => admin.services.permission.actionProvider.registerMany([]),
      /^NotCarriedError: strapi\.admin\.services\.permission\.actionProvider\.registerMany is not carried: this server has no admin panel$/,
    )
    assert.throws(() => {
      admin.config = 1
    }, /strapi\.admin\.config is not carried/)
    assert.equal(await admin.then, undefined)
  })
})

describe('strapi.store', () => {
  function storeOn(rows: Bag[]) {
    const like = (where: Bag) => (row: Bag) => Object.entries(where).every(([key, value]) => row[key] === value)
    return createStore(() => ({
      findOne: async ({ where }: Bag) => rows.find(like(where)) ?? null,
      create: async ({ data }: Bag) => {
        rows.push({ id: rows.length + 1, ...data })
        return rows.at(-1)
      },
      update: async ({ where, data }: Bag) => Object.assign(rows.find(like(where)) as Bag, data),
      delete: async ({ where }: Bag) => rows.splice(rows.findIndex(like(where)), 1)[0],
    }))
  }

  it('keeps values of any type under the keys that Strapi has', async () => {
    const rows: Bag[] = []
    const store = storeOn(rows)
    const mine = store({ type: 'plugin', name: 'mine' })
    assert.equal(await mine.get({ key: 'k' }), null)
    for (const [key, value] of Object.entries({
      object: { a: [1] },
      text: 'x',
      number: 4.5,
      no: false,
      nothing: null,
    })) {
      await mine.set({ key, value })
      assert.deepEqual(await mine.get({ key }), value)
    }
    await mine.set({ key: 'text', value: 'y' })
    assert.deepEqual(
      rows.map(({ key, type, value }) => [key, type, value]),
      [
        ['plugin_mine_object', 'object', '{"a":[1]}'],
        ['plugin_mine_text', 'string', '"y"'],
        ['plugin_mine_number', 'number', '4.5'],
        ['plugin_mine_no', 'boolean', 'false'],
        ['plugin_mine_nothing', 'object', 'null'],
      ],
    )
    assert.equal((await mine.delete({ key: 'text' })).key, 'plugin_mine_text')
    assert.equal(await mine.get({ key: 'text' }), null)
  })

  it('reads under core without a type, and writes under undefined', async () => {
    const rows: Bag[] = [{ id: 1, key: 'core_k', type: 'object', value: '{"a":1}', environment: null, tag: null }]
    const store = storeOn(rows)
    assert.deepEqual(
      [await store.get({ type: 'core', key: 'k' }), await store({ key: 'k' }).get()],
      [{ a: 1 }, { a: 1 }],
    )
    assert.equal((await store({ key: 'x' }).set({ value: 1 })).key, 'undefined_x')
  })
})
