import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { describe, it, onTestFinished } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { folderOf } from '../../support/terminal.js'
import { signIn, world } from './world.js'

const module = 'export const mount = () => ({})'
const colour = (folder: string, more: object = {}): AnyPlugin =>
  definePlugin({
    name: 'colour',
    actions: [{ uid: 'plugin::colour.report', action: 'read' }],
    console: {
      folder,
      fields: [{ for: 'plugin::colour.colour', module: 'colour.js' }],
      cells: [{ for: { type: 'string', option: 'look', is: 'dot' }, module: 'cells/dot.js' }],
      pages: [{ path: 'report', title: 'Report', module: 'report.js', right: 'plugin::colour.report.read' }],
      actions: [
        { where: 'entry', types: ['article'], title: { en: 'Translate', de: 'Übersetzen' }, module: 'translate.js' },
      ],
      widgets: [{ title: 'Traffic', module: 'traffic.js' }],
      texts: { en: 'texts/en.json' },
      connects: ['https://maps.example.com'],
      ...more,
    },
  })
const files = {
  'colour.js': module,
  'cells/dot.js': module,
  'report.js': module,
  'translate.js': module,
  'traffic.js': module,
  'texts/en.json': '{ "hello": "Hello" }',
  'look.css': 'p { color: red }',
  'secret.txt': 'secret',
}

const ownPage = { 'sec-fetch-site': 'same-origin' }

async function started(plugins: readonly AnyPlugin[], more: object = {}) {
  const lines: { readonly level: string; readonly msg: string }[] = []
  const log = createLog('info', { destination: { write: line => void lines.push(JSON.parse(line)) } })
  const app = await createTestApp({ ...world, ...more, plugins: [...world.plugins, ...plugins] as never, log })
  onTestFinished(() => app.close())
  const said = (level: string) => lines.filter(line => line.level === level).map(({ msg }) => msg)
  return { app, warned: () => said('warn'), informed: () => said('info') }
}

describe('extensions of the console', () => {
  it('are in the description, as far as the editor may have them', async () => {
    const { app, warned } = await started([colour(folderOf(files))])
    const admin = await signIn(app, 'Super Admin', 'ada@example.test')
    const { extensions } = await admin.meta()
    const [address = ''] = extensions.fields.map(one => one.module)
    assert.match(address, /^\/console\/plugins\/colour\/[\w-]{16}\/colour\.js$/)
    const at = (file: string) => address.replace('colour.js', file)
    const base = (name: string, file = `${name}.js`) => ({ plugin: 'colour', name, module: at(file) })
    assert.deepEqual(extensions, {
      fields: [{ ...base('colour'), for: 'plugin::colour.colour' }],
      cells: [{ ...base('dot', 'cells/dot.js'), for: { type: 'string', option: 'look', is: 'dot' } }],
      pages: [{ ...base('report'), title: 'Report', path: 'colour/report' }],
      actions: [
        {
          ...base('translate'),
          title: { en: 'Translate', de: 'Übersetzen' },
          where: 'entry',
          types: ['api::article.article'],
        },
      ],
      widgets: [{ ...base('traffic'), title: 'Traffic' }],
      texts: { colour: { en: at('texts/en.json') } },
    })
    const author = await signIn(app, 'Author', 'ben@example.test')
    assert.deepEqual((await author.meta()).extensions.pages, [])
    assert.equal((await author.meta()).extensions.widgets.length, 1)
    assert.deepEqual(
      warned().filter(text => text.includes('colour')),
      [],
    )
  })

  it('are served from their folder, and nothing else is', async () => {
    const folder = folderOf(files)
    symlinkSync('/etc/hostname', `${folder}/host.js`)
    const { app } = await started([colour(folder)])
    const { extensions } = await (await signIn(app, 'Super Admin', 'ada@example.test')).meta()
    const address = extensions.fields[0]?.module ?? ''
    const get = (url: string) => app.inject({ url, headers: ownPage })
    const found = await get(address)
    assert.equal(found.payload, module)
    assert.equal(found.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(found.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(found.headers['content-security-policy']), /script-src 'self'/)
    const at = (file: string) => address.replace('colour.js', file)
    assert.equal((await get(at('cells/dot.js'))).payload, module)
    assert.equal((await get(at('look.css'))).headers['content-type'], 'text/css; charset=utf-8')
    for (const file of [
      ...['secret.txt', 'host.js', 'none.js', 'cells', '', '../colour.js', '..%2Fcolour.js', 'cells/..%2Fcolour.js'],
      ...['%2e%2e/%2e%2e/etc/passwd', '..%5Ccolour.js', '%00', 'colour.js%00', '__proto__'],
    ]) {
      const { statusCode, payload } = await get(at(file))
      assert.ok(statusCode >= 400 || !payload.includes('export'), `${file}: ${statusCode} ${payload}`)
    }
    const hash = address.split('/')[4] ?? ''
    assert.equal((await get(address.replace(hash, 'AAAAAAAAAAAAAAAA'))).statusCode, 404)
    assert.equal((await get(address.replace('colour/', 'admin/'))).statusCode, 404)
  })

  it('may connect to the origins that they name: the policy of the page and the start say so', async () => {
    const { app, informed } = await started([colour(folderOf(files))])
    const { headers } = await app.inject({ url: '/console', headers: ownPage })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /connect-src 'self' https:\/\/maps\.example\.com;/)
    assert.match(policy, /img-src 'self' blob: https:\/\/maps\.example\.com;/)
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.ok(informed().includes('plugin colour: the page of the console may connect to https://maps.example.com'))
  })

  it('that are wrong are said at the start, with the consequence, and left out', async () => {
    const folder = folderOf({ 'colour.js': module })
    const actions = [{ where: 'list', types: ['artcle', 'tag'], title: 'Translate', module: 'colour.js' }]
    const pages = [{ path: 'report', title: 'Report', module: 'colour.js', right: 'plugin::colour.reports.read' }]
    const wrong = colour(folder, { actions, pages })
    const { app, warned } = await started([
      wrong,
      definePlugin({
        name: 'other',
        console: { folder, fields: [{ for: 'plugin::colour.colour', module: 'colour.js' }] },
      }),
      definePlugin({ name: 'lost', console: { folder: './console' } }),
      definePlugin({ name: 'gone', console: { folder: `${folder}/gone` } }),
    ])
    const said = warned().filter(text => /^plugin (colour|other|lost|gone)/.test(text))
    assert.deepEqual(said, [
      `plugin colour: there is no file cells/dot.js in ${folder}; lists show the plain value of string with look: "dot"`,
      `plugin colour: there is no file traffic.js in ${folder}; "Traffic" is not on the start page`,
      `plugin colour: there is no file texts/en.json in ${folder}; it has no texts in "en"`,
      'plugin colour: there is no type "artcle" (did you mean "article"?); "Translate" is not offered there',
      'plugin colour: the server has no permission "plugin::colour.reports.read"; "Report" is there for Super Admins, and for roles that have this permission in the database',
      'plugin lost: the folder of its modules is relative, and no file of the plugin is known; an absolute path is needed. Nothing of it is in the console',
      `plugin gone: there is no folder ${folder}/gone; nothing of it is in the console`,
      'plugin other: the custom field plugin::colour.colour has the editor of plugin colour already; this one is not used',
    ])
    const { extensions } = await (await signIn(app, 'Super Admin', 'ada@example.test')).meta()
    assert.deepEqual([extensions.cells, extensions.widgets], [[], []])
    assert.deepEqual(
      extensions.actions.map(({ types }) => types),
      [['api::tag.tag']],
    )
  })

  it('that no page could have stop the start', async () => {
    const refused = (part: object, message: RegExp) =>
      assert.rejects(started([colour('/tmp', part)]), { name: 'BootError', message })
    await refused(
      { fields: [{ for: 'x', module: '../colour.js' }] },
      /plugin colour: console\.fields\.0\.module must match/,
    )
    await refused({ connects: ["https://a.example; script-src 'unsafe-inline'"] }, /console\.connects\.0 must match/)
    await refused({ page: [] }, /console\.page is no part of it; did you mean console\.pages\?/)
  })

  it('may follow from the app: the policy of the page names what they connect to, in any order of plugins', async () => {
    const folder = folderOf({ 'map.js': module })
    const maps = definePlugin({
      name: 'maps',
      forApp: () => ({
        console: {
          folder,
          widgets: [{ title: 'Map', module: 'map.js' }],
          connects: ['https://tiles.example.com'],
        },
      }),
    })
    for (const plugins of [
      [...world.plugins, maps],
      [maps, ...world.plugins],
    ]) {
      const app = await createTestApp({ ...world, plugins } as never)
      onTestFinished(() => app.close())
      const { headers } = await app.inject({ url: '/console', headers: ownPage })
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /connect-src 'self' https:\/\/tiles\.example\.com;/)
      assert.match(policy, /img-src 'self' blob: https:\/\/tiles\.example\.com;/)
      const { extensions } = await (await signIn(app, 'Super Admin', 'ada@example.test')).meta()
      assert.equal(extensions.widgets[0]?.plugin, 'maps')
    }
  })

  it('may be those of the app, in its folder console', async () => {
    const folder = folderOf({
      'package.json': '{ "type": "module" }',
      'config/console.js': `export default { widgets: [{ title: 'Hello', module: 'hello.js' }], connects: ['https://a.example'] }`,
      'config/plugins.js': 'export default { admin: { config: { ratelimit: { enabled: false } } }, console: true }',
      'console/hello.js': module,
    })
    const app = await createTestApp({ app: folder })
    onTestFinished(() => app.close())
    const { extensions } = await (await signIn(app, 'Super Admin', 'ada@example.test')).meta()
    assert.match(extensions.widgets[0]?.module ?? '', /^\/console\/plugins\/console\/[\w-]{16}\/hello\.js$/)
    const { headers } = await app.inject({ url: '/console', headers: ownPage })
    assert.match(String(headers['content-security-policy']), /connect-src 'self' https:\/\/a\.example;/)
  })
})

describe('stele doctor', () => {
  it('lists custom fields without an editor', async () => {
    const types = {
      ...world.types,
      car: {
        attributes: {
          paint: { type: 'string', customField: 'plugin::colour.colour' },
          shape: { type: 'string', customField: 'plugin::shape.shape' },
        },
      },
    }
    const { app } = await started([colour(folderOf(files))], { types })
    const check = app.checks.find(({ name }) => name === 'console-editors')
    const found: { readonly says: string; readonly examples?: readonly string[] }[] = []
    await check?.run(finding => void found.push(finding))
    assert.equal(found[0]?.says, 'one attribute is a custom field without an editor in the console')
    assert.deepEqual(found[0]?.examples, ['api::car.car shape: plugin::shape.shape'])
  })
})
