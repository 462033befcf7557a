import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, it } from 'vitest'
import { Form } from '../../../../plugins/console/model/form/form.js'
import { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import { entryQuery, type Query } from '../../../../plugins/console/model/form/query.js'
import { entriesAt, entryOf, headOf, plainOf } from '../../../../plugins/console/model/form/read.js'
import { Sent } from '../../../../plugins/console/model/form/sent.js'
import { settle } from '../../../../plugins/console/model/merge/saved.js'
import type { OpenProject, ProjectFolder } from '../../../strapi4/project.js'
import { onSqlite } from '../../../support/engines.js'
import { Dice } from '../../explorer/random.js'
import { copyWithConsole, Editor, openProject } from '../project.js'
import { Typist, told } from './typist.js'

const people = ['ada', 'edda', 'anton', 'tina', 'tom', 'rita'] as const

onSqlite('the entries of a project, as its editors may change them', () => {
  let project: ProjectFolder
  let open: OpenProject
  const typist = new Typist(new Dice(1), new Map())
  beforeAll(async () => {
    project = copyWithConsole()
    open = await openProject(project)
  })
  afterAll(async () => {
    await open?.close()
    project?.remove()
  })

  const addressOf = (path: string, query: Query) =>
    `/console/api${path}?${Object.entries(query)
      .map(
        ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
      )
      .join('&')}`

  for (const name of people)
    it(`${name} opens and saves entries of every type`, async () => {
      const editor = await Editor.signIn(open, name)
      const meta = await editor.meta()
      const kinds = new Kinds(meta)
      const seen = { opened: 0, saved: 0 }
      for (const type of meta.types.filter(({ uid, can }) => uid.startsWith('api::') && can.read)) {
        const path = String(type.path)
        const query = entryQuery(kinds, type)
        const isOne = type.kind === 'singleType'
        // German ones first: one of the people may write these alone.
        const sort = type.options.localized ? { locale: 'all', sort: ['locale'] } : {}
        const listed = await editor.get(addressOf(path, { fields: ['id'], publicationState: 'preview', ...sort }))
        const ids = isOne ? [undefined] : entriesAt(listed.body.data).map(({ id }) => Number(id))
        for (const id of ids.slice(0, 8)) {
          const address = addressOf(id === undefined ? path : `${path}/${id}`, query)
          const { status, body, text } = await editor.get(address)
          if (isOne && status === 404) continue
          assert.equal(status, 200, `${type.uid} ${id}: ${text}`)
          seen.opened += 1
          const entry = entryOf(body) ?? {}
          const form = new Form(kinds, type, plainOf(kinds, type.uid, entry), { locale: headOf(entry).locale ?? null })
          assert.deepEqual(form.body(), {})
          typist.change(form, 0.5)
          const sent = new Sent(form)
          if (Object.keys(sent.data).length === 0) continue
          const headers = { 'if-match': `"${headOf(entry).updatedAt}"` }
          const saved = await editor.ask('PUT', address, { data: sent.data }, headers)
          // Of rights of two roles, the description says those that hold for some entry.
          const isOwn = type.can.update?.own === true || name === 'rita'
          const isOthers = isOwn && saved.status === 404
          if (isOthers) continue
          assert.equal(saved.status, 200, `${type.uid} ${id}: ${JSON.stringify(sent.data)}\n${saved.text}`)
          seen.saved += 1
          const expected = told(kinds, form.root.plain())
          settle(form, sent, plainOf(kinds, type.uid, entryOf(saved.body) ?? {}))
          assert.deepEqual([form.body(), told(kinds, form.root.plain())], [{}, expected])
        }
      }
      assert.ok(seen.opened > 2 && seen.saved > 1, JSON.stringify(seen))
    })
})
