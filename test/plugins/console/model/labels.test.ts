import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { withLabels } from '../../../../plugins/console/model/labels.js'
import type { Meta } from '../../../../plugins/console/model/meta.js'

describe('the labels of a language', () => {
  const field = (label: string) => ({ label, listLabel: label.toUpperCase(), visible: true })
  const one = (uid: string) => ({ uid, name: uid, layout: { fields: { id: field('id'), title: field('title') } } })
  const meta = {
    types: [one('a'), one('b')],
    components: [one('c')],
    labels: { 'de-CH': { a: { name: 'Artikel', fields: { title: 'Titel' } }, c: { fields: { id: 'Nummer' } } } },
  } as unknown as Meta
  const said = ({ types, components }: Meta) =>
    [...types, ...components].map(({ name, layout: { fields } }) =>
      [name, ...Object.values(fields).flatMap(({ label, listLabel }) => [label, listLabel])].join(' '),
    )

  it('stand in place of those of the schema and the layout, in forms and lists', () => {
    assert.deepEqual(said(withLabels(meta, 'de')), [
      'Artikel id ID Titel Titel',
      'b id ID title TITLE',
      'c Nummer Nummer title TITLE',
    ])
    assert.deepEqual(Object.keys(withLabels(meta, 'de').types[0]?.layout.fields ?? {}), ['id', 'title'])
  })

  it('are those of the schema and the layout where there are none', () => {
    assert.equal(withLabels(meta, 'fr'), meta)
  })
})
