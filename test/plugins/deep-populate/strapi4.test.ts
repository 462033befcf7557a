import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { foreignParts } from '../../../core/tools/cli/doctor/foreign.js'
import { keyOf } from '../../strapi4/fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'

const packageName = 'strapi-plugin-populate-deep'

describe('a Strapi 4 project with the package strapi-plugin-populate-deep', () => {
  let project: ProjectFolder
  let open: OpenProject | undefined
  beforeEach(() => {
    project = copyProject()
  })
  afterEach(async () => {
    await open?.close()
    open = undefined
    project.remove()
  })
  const start = async (settings: string, dependency = packageName) => {
    const file = join(project.folder, 'package.json')
    const about = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...about, dependencies: { ...about.dependencies, [dependency]: '^3.0.1' } }))
    const plugins = join(project.folder, 'config/plugins.js')
    writeFileSync(plugins, readFileSync(plugins, 'utf8').replace("'users-permissions': {", `${settings}\n$&`))
    open = await openProject(project, { NODE_ENV: 'development' })
  }
  const notRun = async (kind: string) => {
    const { app, offered } = open as OpenProject
    return (await foreignParts(app, offered)).find(({ what }) => what === kind)?.where ?? []
  }
  const ask = async (url: string, auth = 'full') => {
    const reply = await (open as OpenProject).send({ url, headers: { authorization: `Bearer ${keyOf(auth)}` } })
    return { status: reply.statusCode, headers: reply.headers, text: reply.payload, body: JSON.parse(reply.payload) }
  }

  it('has it enabled, with the depth of its settings', async () => {
    await start(`'${packageName}': { config: { defaultDepth: 3, unknown: true } },`)
    const found = open?.offered.find(({ plugin }) => plugin.name === 'deep-populate')
    assert.deepEqual(
      [found?.enabled, found?.why, found?.config],
      [true, `it is standard in Strapi 4 projects with ${packageName}`, { defaultDepth: 3 }],
    )
    const { status, body, headers } = await ask('/api/authors?populate=deep&pagination[limit]=1')
    assert.equal(status, 200)
    assert.match(String(headers['deep-populate-cost']), /^statements=\d+/)
    const { articles, profile } = body.data[0].attributes
    const [article] = articles.data
    // Circles are followed as the package follows them.
    assert.ok(article.attributes.author.data.attributes.name)
    assert.equal('articles' in article.attributes.author.data.attributes, false)
    assert.ok('seo' in article.attributes && 'blocks' in article.attributes)
    assert.ok('author' in profile.data.attributes)
    assert.deepEqual((await ask('/api/authors?populate=deep,3&pagination[limit]=1')).body, body)
    assert.deepEqual((await ask('/api/authors?populate=*')).body, (await ask('/api/authors?populate=deep,2')).body)
    assert.deepEqual((await ask('/api/articles?populate=*')).body, (await ask('/api/articles?populate=deep,2')).body)
    assert.deepEqual(await notRun('plugins'), [])
    assert.deepEqual(await notRun('settings of plugins'), [`${packageName}.config.unknown`])
  })

  it('gets a sentence where a tree is beyond the limits', async () => {
    await start('')
    const { status, body } = await ask('/api/articles?populate=deep')
    assert.equal(status, 400)
    assert.match(
      body.error.message,
      /^populate: deep,5 of api::article\.article needs more than 100 statements; ask for/,
    )
  })

  it('has none where config/plugins turns it off', async () => {
    await start(`'${packageName}': { enabled: false },`)
    const { body, headers } = await ask('/api/authors?populate=deep')
    assert.equal(headers['deep-populate-cost'], undefined)
    assert.equal('articles' in body.data[0].attributes, false)
  })

  it('has none without the package', async () => {
    await start(`'strapi-code': { config: { run: 'ignore' } },`, 'strapi-plugin-something-else')
    const { body } = await ask('/api/authors?populate=deep')
    assert.equal('articles' in body.data[0].attributes, false)
    assert.deepEqual(await notRun('plugins'), ['strapi-plugin-something-else'])
  })

  it('leaves out what a caller may not find', async () => {
    await start('')
    const url = '/api/authors?populate=deep,3&pagination[limit]=1'
    const { status, body } = await ask(url, 'alice')
    const shown = await ask('/api/authors?populate=*&pagination[limit]=1', 'alice')
    assert.equal(status, shown.status)
    if (status === 200)
      assert.deepEqual(Object.keys(body.data[0].attributes), Object.keys(shown.body.data[0].attributes))
  })
})
