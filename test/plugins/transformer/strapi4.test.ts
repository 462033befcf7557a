import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { foreignParts } from '../../../core/tools/cli/doctor/foreign.js'
import { keyOf, recordedReads } from '../../strapi4/fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'
import { requestOf } from '../../strapi4/requests.js'

type Json = null | string | number | boolean | Json[] | { [name: string]: Json }

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A response of Strapi without envelopes, found by their names alone: attributes with JSON of their own stay as they are. */
function stripped(value: Json, isRelation = false): Json {
  if (Array.isArray(value)) return value.map(item => stripped(item, isRelation))
  if (!isObject(value)) return value
  if (isObject(value.attributes) && Object.keys(value).every(name => name === 'id' || name === 'attributes'))
    return { ...('id' in value && { id: value.id as Json }), ...(fields(value.attributes) as object) }
  if (Object.keys(value).join() === 'data') return stripped(value.data as Json, true)
  return fields(value)
}

const ownJson = ['extra', 'formats', 'provider_metadata', 'data']
const fields = (entry: { [name: string]: Json }): Json =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, ownJson.includes(name) ? value : stripped(value)]),
  )

describe('a Strapi 4 project with the package strapi-plugin-transformer', () => {
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
  const start = async (settings: string, dependency = 'strapi-plugin-transformer') => {
    const file = join(project.folder, 'package.json')
    const about = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...about, dependencies: { ...about.dependencies, [dependency]: '^3.1.2' } }))
    const plugins = join(project.folder, 'config/plugins.js')
    writeFileSync(plugins, readFileSync(plugins, 'utf8').replace("'users-permissions': {", `${settings}\n$&`))
    open = await openProject(project)
  }
  const notRun = async (kind: string) => {
    const { app, offered } = open as OpenProject
    return (await foreignParts(app, offered)).find(({ what }) => what === kind)?.where ?? []
  }

  it('has its settings, and answers all reads without envelopes', async () => {
    await start(`transformer: {
      enabled: true,
      config: {
        responseTransforms: { removeAttributesKey: true, removeDataKey: true },
        hooks: { preResponseTransform: () => undefined },
      },
    },`)
    assert.deepEqual(await notRun('plugins'), [])
    assert.deepEqual(await notRun('settings of plugins'), ['transformer.config.hooks'])
    const { send } = open as OpenProject
    let compared = 0
    for (const read of recordedReads()) {
      if (read.method !== 'GET' || read.status !== 200) continue
      const request = requestOf(read)
      const [flat, usual] = [
        await send(request),
        await send({ ...request, headers: { ...request.headers, 'strapi-transformer-ignore': 'true' } }),
      ]
      const [is, was] = [flat, usual].map(({ payload }) => JSON.parse(payload || 'null') as Json)
      if (!isObject(was) || !('meta' in was)) assert.deepEqual(is, was, request.url as string)
      else {
        assert.deepEqual(is, { data: stripped(was.data as Json), meta: was.meta }, request.url as string)
        compared += 1
      }
    }
    assert.ok(compared > 450, `${compared}`)
  })

  it('takes bodies without data', async () => {
    await start(`transformer: { config: {
      requestTransforms: { wrapBodyWithDataKey: true },
      contentTypeFilter: { mode: 'allow', uids: { 'api::tag.tag': true } },
    } },`)
    const write = async (url: string, payload: object) => {
      const headers = { authorization: `Bearer ${keyOf('full')}` }
      const { statusCode, payload: text } = await (open as OpenProject).send({ method: 'POST', url, payload, headers })
      return { status: statusCode, body: JSON.parse(text) }
    }
    assert.equal((await write('/api/tags', { name: 'bare' })).body.data.attributes.name, 'bare')
    assert.equal((await write('/api/tags', { data: { name: 'wrapped' } })).body.data.attributes.name, 'wrapped')
    assert.equal((await write('/api/categories', { name: 'bare' })).status, 400)
    const signIn = await write('/api/auth/local', { identifier: 'alice', password: 'alice-pass-1' })
    assert.deepEqual([signIn.status, typeof signIn.body.jwt], [200, 'string'])
  })

  it('is nothing where config/plugins turns it off', async () => {
    const settings = (enabled: boolean) =>
      `transformer: { enabled: ${enabled}, config: { responseTransforms: { removeAttributesKey: true } } },`
    await start(settings(false))
    const request = { url: '/api/tags', headers: { authorization: `Bearer ${keyOf('full')}` } }
    const one = JSON.parse((await (open as OpenProject).send(request)).payload)
    assert.ok(one.data[0].attributes)
  })
})
