import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { openapi } from '../../plugins/openapi/index.js'
import type { FindQuery } from '../../plugins/typescript/client/query.js'
import { stele } from '../support/command.js'
import { folderOf } from '../support/terminal.js'

const attributes = { title: { type: 'string' }, body: { type: 'text' } }

interface Plain {
  readonly fields: { readonly title: string }
  readonly links: object
  readonly text: 'title'
  readonly order: 'title'
  readonly through: never
  readonly nested: object
}
interface Ranked extends Plain {
  readonly searched: 'title'
}
type Query<T extends Plain> = FindQuery<T, 'title', '*', object>

it('clients may sort by rank where there is an index, and nowhere else', async () => {
  const sent: Query<Ranked>[] = [{ _q: 'bread', sort: '_rank' }, { sort: ['title', '_rank:desc'] }]
  // @ts-expect-error there is one direction
  sent.push({ sort: '_rank:asc' })
  // @ts-expect-error it has no index
  const plain: Query<Plain> = { sort: '_rank' }
  sent.push({ _q: 'bread', highlight: '*' }, { _q: 'bread', highlight: ['title'] })
  // @ts-expect-error it is not searched
  sent.push({ highlight: 'body' })
  // @ts-expect-error it has no index
  const unmarked: Query<Plain> = { highlight: '*' }
  assert.equal([...sent, plain, unmarked].length, 8)
  const info = { singularName: 'note', pluralName: 'notes' }
  const folder = folderOf({
    'package.json': '{"type":"module"}',
    'content-types/note.json': JSON.stringify({ info, attributes, search: ['title'] }),
  })
  const { status, stdout } = await stele(['types', '--app', folder, '--ts'], { cwd: folder })
  assert.equal(status, 0)
  assert.match(stdout, /style: 'nested'\n {2}searched: 'title'\n/)
})

it('the OpenAPI document says what a search takes', async () => {
  const types = { note: { attributes, search: ['title^2', 'body'] }, tag: { attributes } }
  const app = await createTestApp({ types, plugins: [openapi] })
  onTestFinished(() => app.close())
  const { paths, components } = (await app.inject('/openapi.json')).json()
  const [path = ''] = Object.keys(paths).filter(name => name.endsWith('/notes'))
  const of = (at: string, parameter: string): string =>
    paths[at].get.parameters.find(({ name }: { name: string }) => name === parameter).description
  assert.match(of(path, '_q'), /^words to look for in title, body: .*"sour bread"/)
  assert.match(of(path, 'sort'), /_rank puts the best matches of _q first/)
  const { schema } = paths[path].get.parameters.find(({ name }: { name: string }) => name === 'highlight')
  assert.deepEqual(schema.anyOf[1].enum, ['title', 'body', '*'])
  assert.equal(
    paths[path.replace('notes', 'tags')].get.parameters.some(({ name }: { name: string }) => name === 'highlight'),
    false,
  )
  assert.match(JSON.stringify(components.schemas.NoteListResponse), /"highlights"/)
  assert.doesNotMatch(JSON.stringify(components.schemas.TagListResponse), /"highlights"/)
  assert.equal(of(path.replace('notes', 'tags'), '_q'), 'a text to look for in all text fields')
})
