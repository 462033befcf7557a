import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { areBlocks, blocksText } from '../../../../../plugins/console/model/blocks/text.js'

const text = (text: string, marks: object = {}) => ({ type: 'text', text, ...marks })
const item = (...children: readonly object[]) => ({ type: 'list-item', children })

describe('blocks as a text', () => {
  it('show kinds, marks, addresses and lists in lists', () => {
    const blocks = [
      { type: 'heading', level: 2, children: [text('Rye')] },
      {
        type: 'paragraph',
        children: [
          text('Long '),
          text('and', { bold: true, italic: true }),
          { type: 'link', url: 'https://example.com', children: [text('slow')] },
        ],
      },
      {
        type: 'list',
        format: 'ordered',
        children: [
          item(text('one')),
          { type: 'list', format: 'unordered', children: [item(text('inner'))] },
          item(text('two')),
        ],
      },
      { type: 'quote', children: [text('said')] },
      { type: 'code', children: [text('a = 1')] },
      { type: 'image', image: { url: '/a.png', alternativeText: 'A loaf' }, children: [text('')] },
    ]
    assert.ok(areBlocks(blocks))
    assert.deepEqual(blocksText(blocks).split('\n'), [
      ...['## Rye', 'Long _**and**_[slow](https://example.com)', '1. one', '  - inner', '2. two', '> said'],
      ...['```', 'a = 1', '```', '![A loaf](/a.png)'],
    ])
  })

  it('show what is unknown as it is stored, and other values are none', () => {
    const unknown = { type: 'table', children: [{ rows: 1 }] }
    assert.equal(blocksText([unknown]), JSON.stringify(unknown))
    assert.equal(
      blocksText([{ type: 'paragraph', children: [{ type: 'emoji', name: 'x' }] }]),
      '{"type":"emoji","name":"x"}',
    )
    for (const value of [[], {}, 'text', [1], [{ type: 'x' }], [{ children: [] }]])
      assert.equal(areBlocks(value), false)
  })
})
