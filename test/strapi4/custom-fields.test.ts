import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'vitest'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { type Pristine, pristineOn } from './databases.js'
import { keyOf } from './fixture.js'
import { type OpenProject, openProject } from './project.js'

type Schema = { attributes: Record<string, Record<string, unknown>> }

const tagFile = 'src/api/tag/content-types/tag/schema.json'
const slideFile = 'src/components/shared/slide.json'

onEveryEngine('attributes of a custom field', engine => {
  let pristine: Pristine
  let open: OpenProject | undefined
  let lines: { msg: string }[]
  beforeEach(async () => {
    pristine = await pristineOn(engine)
    lines = []
  }, 120_000)
  afterEach(async () => {
    await open?.close()
    open = undefined
    await pristine?.drop()
  })
  const custom = (customField: string, more: object = {}) => ({ type: 'customField', customField, ...more })
  const edit = (file: string, attributes: Schema['attributes']) => {
    const place = join(pristine.project.folder, file)
    const schema = JSON.parse(readFileSync(place, 'utf8')) as Schema
    writeFileSync(place, JSON.stringify({ ...schema, attributes: { ...schema.attributes, ...attributes } }))
  }
  const q = engine.name === 'mysql' ? '`' : '"'
  /** Columns as Strapi 4 adds them, and records them. */
  const addColumns = async (table: string, columns: Readonly<Record<string, string>>) => {
    const types = {
      string: 'varchar(255)',
      text: engine.name === 'mysql' ? 'longtext' : 'text',
      jsonb: 'json',
      integer: 'integer',
    }
    for (const [name, type] of Object.entries(columns))
      await run(pristine.database, `alter table ${table} add column ${name} ${types[type as keyof typeof types]}`)
    const [row] = await run(pristine.database, `select ${q}schema${q} as text from strapi_database_schema`)
    const layout = JSON.parse(String(row?.text))
    const recorded = layout.tables.find(({ name }: { name: string }) => name === table)
    for (const [name, type] of Object.entries(columns)) recorded.columns.push({ name, type, args: [] })
    await replace('strapi_database_schema', 'schema', layout, '1 = 1')
  }
  const recordAttributes = async (uid: string, attributes: Schema['attributes']) => {
    const where = `${q}key${q} = 'strapi_content_types_schema'`
    const [row] = await run(pristine.database, `select value as text from strapi_core_store_settings where ${where}`)
    const types = JSON.parse(String(row?.text))
    Object.assign(types[uid].attributes, attributes)
    await replace('strapi_core_store_settings', 'value', types, where)
  }
  const replace = (table: string, column: string, value: unknown, where: string) => {
    const text = JSON.stringify(value).replaceAll("'", "''")
    const literal = engine.name === 'mysql' ? text.replaceAll('\\', '\\\\') : text
    return run(pristine.database, `update ${table} set ${q}${column}${q} = '${literal}' where ${where}`)
  }
  const start = async () => {
    const log = createLog('warn', { destination: { write: line => lines.push(JSON.parse(line)) } })
    open = await openProject(pristine.project, pristine.variables, log)
  }
  const ask = async (method: 'GET' | 'PUT', url: string, data?: unknown) => {
    const { statusCode, payload } = await (open as OpenProject).send({
      method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${keyOf('full')}` },
      ...(data !== undefined && { payload: { data } }),
    })
    return { status: statusCode, body: JSON.parse(payload) }
  }

  it('are served by the type that Strapi has recorded for them, in types and in components', async () => {
    await addColumns('tags', { shade: 'string', notes: 'text', marks: 'jsonb' })
    await addColumns('components_shared_slides', { size: 'integer' })
    await recordAttributes('api::tag.tag', { notes: { type: 'richtext', customField: 'plugin::editor.editor' } })
    edit(tagFile, {
      shade: custom('plugin::mine.shade', { maxLength: 7 }),
      notes: custom('plugin::editor.editor'),
      marks: custom('plugin::mine.marks'),
    })
    edit(slideFile, { size: custom('plugin::mine.size') })
    await start()
    assert.deepEqual(
      lines.filter(({ msg }) => /not served|differs/.test(msg)),
      [],
    )
    const { types } = (open as OpenProject).app
    const typeOf = (uid: string, name: string) => types.get(uid).fields.get(name)?.type.name
    assert.deepEqual(
      ['shade', 'notes', 'marks'].map(name => typeOf('api::tag.tag', name)),
      ['string', 'richtext', 'json'],
    )
    assert.equal(typeOf('shared.slide', 'size'), 'integer')
    const written = await ask('PUT', '/tags/1', { shade: '#ff00ff', notes: '<p>x</p>', marks: ['a', { b: 1 }] })
    assert.equal(written.status, 200, JSON.stringify(written.body))
    const { attributes } = (await ask('GET', '/tags/1')).body.data
    assert.deepEqual([attributes.shade, attributes.notes, attributes.marks], ['#ff00ff', '<p>x</p>', ['a', { b: 1 }]])
    const found = await ask('GET', '/tags?filters[shade][$startsWith]=%23ff&sort=shade&fields=shade')
    assert.deepEqual(found.body.data, [{ id: 1, attributes: { shade: '#ff00ff' } }])
    assert.equal((await ask('PUT', '/tags/1', { shade: '#ff00ff00' })).status, 400, 'longer than maxLength')
    assert.equal((await ask('PUT', '/tags/1', { shade: { no: 'text' } })).status, 400, 'not text')
  }, 120_000)

  it('are served by the type that is known of the field, or that the schema file says', async () => {
    await run(pristine.database, `alter table tags add column shade varchar(255)`)
    await run(pristine.database, `alter table tags add column code integer`)
    edit(tagFile, {
      shade: custom('plugin::color-picker.color'),
      code: custom('plugin::mine.code', { baseType: 'integer', min: 3 }),
    })
    await start()
    assert.equal((await ask('PUT', '/tags/1', { shade: '#fff', code: 4 })).body.data.attributes.code, 4)
    assert.equal((await ask('PUT', '/tags/1', { code: 2 })).status, 400)
    assert.equal((await ask('GET', '/tags/1')).body.data.attributes.shade, '#fff')
  }, 120_000)

  it('are left out where nothing tells their type, with what to do', async () => {
    edit(tagFile, {
      shade: custom('plugin::mine.shade'),
      other: custom('plugin::mine.other', { baseType: 'relation' }),
    })
    await start()
    assert.deepEqual(
      lines.filter(({ msg }) => /not served/.test(msg)).map(({ msg }) => msg),
      [
        `${tagFile}: attribute "shade" is not served: nothing tells the type that plugin::mine.shade is stored as; set "baseType" of the attribute to it, such as "text" or "json"`,
        `${tagFile}: attribute "other" is not served: its baseType "relation" is not the type of a column`,
      ],
    )
    assert.equal((await ask('GET', '/tags?filters[shade]=x')).status, 400)
  }, 120_000)
})
