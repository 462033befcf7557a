import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { BlocksEditor } from '../../../../../plugins/console/model/blocks/editor.js'
import { freshLines, pasted, withBlocks } from '../../../../../plugins/console/model/blocks/inserting.js'
import { indented, type Kind, kinds, shifted, turned } from '../../../../../plugins/console/model/blocks/kinds.js'
import { blocksOf, type Line, linesOf, sizeOf } from '../../../../../plugins/console/model/blocks/lines.js'
import { linked, marked, unlinked } from '../../../../../plugins/console/model/blocks/looks.js'
import { joinedBackward, joinedForward, removed } from '../../../../../plugins/console/model/blocks/removing.js'
import { atom, marks, textOf } from '../../../../../plugins/console/model/blocks/runs.js'
import type { State } from '../../../../../plugins/console/model/blocks/state.js'
import { split, typed } from '../../../../../plugins/console/model/blocks/typing.js'
import { Dice } from '../../../explorer/random.js'
import { Documents, item, link, list, paragraph, text } from './documents.js'

/** An editor with blocks, whose selection goes from one place to another. */
function editorOf(blocks: readonly unknown[], from: readonly [number, number] = [0, 0], to = from): BlocksEditor {
  const editor = new BlocksEditor(blocks)
  editor.select({ anchor: { line: from[0], at: from[1] }, focus: { line: to[0], at: to[1] } })
  return editor
}

function edited(blocks: readonly unknown[], place: readonly [number, number], ...edits: ((state: State) => State)[]) {
  const editor = editorOf(blocks, place)
  for (const edit of edits) editor.apply(edit)
  return editor.blocks
}

const textsOf = (lines: readonly Line[]): string[] => lines.map(({ runs }) => textOf(runs))

describe('the editor of blocks', () => {
  it('gives back the very blocks that it was given, known or not', () => {
    const dice = new Dice(7)
    const documents = new Documents(dice)
    for (let round = 0; round < 500; round += 1) {
      const blocks = documents.blocks()
      const before = structuredClone(blocks)
      const given = blocksOf(linesOf(blocks))
      assert.deepEqual(given, before)
      for (const [at, block] of given.entries()) assert.equal(block, blocks[at])
    }
  })

  it('builds the same again where lines have changed and changed back', () => {
    const documents = new Documents(new Dice(8))
    for (let round = 0; round < 200; round += 1) {
      const blocks = documents.plainBlocks()
      // Copies of lines are not those that were read.
      assert.deepEqual(blocksOf(freshLines(linesOf(blocks))), blocks)
    }
  })

  it('keeps what it does not know in a block that is changed', () => {
    const odd = [
      { ...paragraph(text('red', { colour: 'red' }), { type: 'mention', id: 1 }, text(' end')), align: 'end' },
      { type: 'embed', children: [] },
      { ...list('ordered', { ...item(text('one')), checked: true }), start: 5 },
    ]
    const put = (state: State) => typed(state, '!')
    assert.deepEqual(edited(odd, [0, 3], put), [
      { ...paragraph(text('red!', { colour: 'red' }), { type: 'mention', id: 1 }, text(' end')), align: 'end' },
      ...odd.slice(1),
    ])
    assert.deepEqual(edited(odd, [2, 3], put)?.at(2), {
      ...list('ordered', { ...item(text('one!')), checked: true }),
      start: 5,
    })
  })

  it('types as the text before looks, and beside a link not into it', () => {
    const blocks = [paragraph(text('bold', { bold: true }), link('/a', text('in')), text(' out'))]
    const put = (state: State) => typed(state, 'X')
    assert.deepEqual(edited(blocks, [0, 4], put), [
      paragraph(text('boldX', { bold: true }), link('/a', text('in')), text(' out')),
    ])
    assert.deepEqual(edited(blocks, [0, 5], put), [
      paragraph(text('bold', { bold: true }), link('/a', text('iXn')), text(' out')),
    ])
    assert.deepEqual(edited(blocks, [0, 6], put), [
      paragraph(text('bold', { bold: true }), link('/a', text('in')), text('X out')),
    ])
    assert.deepEqual(
      edited([paragraph(text('a'))], [0, 1], state => marked(state, 'italic'), put),
      [paragraph(text('a'), text('X', { italic: true }))],
    )
  })

  it('begins lines: after a heading a paragraph, in code a line of it, and an empty item ends its list', () => {
    const heading = { type: 'heading', level: 2, children: [text('Bread')] }
    assert.deepEqual(edited([heading], [0, 5], split), [heading, paragraph(text(''))])
    assert.deepEqual(edited([heading], [0, 2], split), [
      { type: 'heading', level: 2, children: [text('Br')] },
      { type: 'heading', level: 2, children: [text('ead')] },
    ])
    const code = { type: 'code', language: 'js', children: [text('a')] }
    assert.deepEqual(edited([code], [0, 1], split), [{ ...code, children: [text('a\n')] }])
    assert.deepEqual(edited([code], [0, 1], split, split), [code, paragraph(text(''))])
    const items = list('unordered', item(text('a')))
    assert.deepEqual(edited([items], [0, 1], split), [list('unordered', item(text('a')), item(text('')))])
    assert.deepEqual(edited([items], [0, 1], split, split), [items, paragraph(text(''))])
  })

  it('moves items into lists and out of them', () => {
    const items = list('ordered', item(text('a')), item(text('b')), item(text('c')))
    const inward = (state: State) => indented(state, true)
    const nested = list(
      'ordered',
      item(text('a')),
      { ...list('ordered', item(text('b'))), indentLevel: 1 },
      item(text('c')),
    )
    assert.deepEqual(edited([items], [1, 0], inward), [nested])
    assert.deepEqual(edited([items], [0, 0], inward), [items])
    assert.deepEqual(
      edited([nested], [1, 0], state => indented(state, false)),
      [items],
    )
    assert.deepEqual(edited([nested], [1, 0], joinedBackward), [items])
    assert.deepEqual(edited([items], [1, 0], joinedBackward), [
      list('ordered', item(text('a'))),
      paragraph(text('b')),
      list('ordered', item(text('c'))),
    ])
    assert.deepEqual(
      edited([items], [1, 0], state => turned(state, 'unordered')),
      [{ ...items, format: 'unordered' }],
    )
  })

  it('joins and removes across blocks', () => {
    const image = { type: 'image', image: { url: '/a.png' }, children: [text('')] }
    const blocks = [paragraph(text('one')), image, paragraph(text('two')), paragraph(text('three'))]
    assert.deepEqual(edited(blocks, [3, 0], joinedBackward), [...blocks.slice(0, 2), paragraph(text('twothree'))])
    assert.deepEqual(edited(blocks, [2, 0], joinedBackward), [blocks[0], ...blocks.slice(2)])
    assert.deepEqual(edited(blocks, [0, 3], joinedForward), [blocks[0], ...blocks.slice(2)])
    const editor = editorOf(blocks, [0, 1], [3, 2])
    editor.apply(removed)
    assert.deepEqual(editor.blocks, [paragraph(text('oree'))])
    editor.undo()
    assert.deepEqual(editor.blocks, blocks)
    editor.selectAll()
    editor.apply(removed)
    assert.equal(editor.blocks, null)
  })

  it('links a text, changes the link at the caret as a whole, and takes it away', () => {
    const editor = editorOf([paragraph(text('see bread now'))], [0, 4], [0, 9])
    editor.apply(state => linked(state, 'https://example.com'))
    const whole = (url: string) => [paragraph(text('see '), link(url, text('bread')), text(' now'))]
    assert.deepEqual(editor.blocks, whole('https://example.com'))
    editor.select({ anchor: { line: 0, at: 6 }, focus: { line: 0, at: 6 } })
    editor.apply(state => linked(state, '/b'))
    assert.deepEqual(editor.blocks, whole('/b'))
    editor.apply(unlinked)
    assert.deepEqual(editor.blocks, [paragraph(text('see bread now'))])
  })

  it('moves blocks past each other, and items inside of their list', () => {
    const items = list('ordered', item(text('a')), item(text('b')))
    const [first, last] = [paragraph(text('first')), paragraph(text('last'))]
    const to = (direction: 'up' | 'down' | 'first' | 'last') => (state: State) => shifted(state, direction)
    assert.deepEqual(edited([first, items, last], [0, 0], to('down')), [items, first, last])
    assert.deepEqual(edited([first, items, last], [3, 0], to('up')), [first, last, items])
    assert.deepEqual(edited([first, items, last], [3, 0], to('first')), [last, first, items])
    assert.deepEqual(edited([first, items, last], [1, 0], to('down')), [
      first,
      list('ordered', item(text('b')), item(text('a'))),
      last,
    ])
    assert.deepEqual(edited([first, items, last], [2, 0], to('down')), [first, last, items])
  })

  it('takes back a word at a time', () => {
    const editor = editorOf([paragraph(text(''))])
    for (const letter of 'one two') editor.type(letter)
    editor.undo()
    assert.deepEqual(editor.blocks, [paragraph(text('one'))])
    editor.redo()
    assert.deepEqual(editor.blocks, [paragraph(text('one two'))])
  })

  it('takes pasted lines into the text at the caret', () => {
    const put = linesOf([paragraph(text('x')), list('ordered', item(text('y'))), paragraph(text('z'))])
    assert.deepEqual(
      edited([paragraph(text('ab'))], [0, 1], state => pasted(state, freshLines(put))),
      [paragraph(text('ax')), list('ordered', item(text('y'))), paragraph(text('zb'))],
    )
    const code = { type: 'code', children: [text('')] }
    assert.deepEqual(
      edited([code], [0, 0], state => pasted(state, freshLines(put))),
      [{ type: 'code', children: [text('x\ny\nz')] }],
    )
  })

  it('stands for a text: random edits change it as they would change one, and all of them are undone', () => {
    const dice = new Dice(11)
    const documents = new Documents(dice)
    for (let round = 0; round < 150; round += 1) {
      const blocks = documents.blocks()
      const editor = new BlocksEditor(blocks)
      const begun = blocks.length > 0 ? structuredClone(blocks) : null
      for (let step = 0; step < 40; step += 1) {
        const { lines } = editor.state.peek()
        const place = () => {
          const line = dice.below(lines.length)
          return { line, at: dice.below(sizeOf(lines[line] as Line) + 1) }
        }
        const anchor = place()
        editor.select({ anchor, focus: dice.chance(0.5) ? anchor : place() })
        edit(editor, dice)
        const again = editor.blocks
        if (again) assert.deepEqual(blocksOf(linesOf(structuredClone(again))), again)
        const keys = editor.state.peek().lines.map(({ key }) => key)
        assert.equal(new Set(keys).size, keys.length)
      }
      for (let step = 0; step < 200; step += 1) editor.undo()
      assert.deepEqual(editor.blocks, begun)
    }
  })
})

/** One edit of a random kind; those of a text are compared with the same edit of a text. */
function edit(editor: BlocksEditor, dice: Dice): void {
  const { lines, selection } = editor.state.peek()
  const { anchor, focus } = selection
  const isForward = anchor.line < focus.line || (anchor.line === focus.line && anchor.at <= focus.at)
  const [from, to] = isForward ? [anchor, focus] : [focus, anchor]
  const texts = textsOf(lines)
  const around = [texts[from.line]?.slice(0, from.at), texts[to.line]?.slice(to.at)]
  const isText = lines[from.line]?.kind === 'text' && lines[to.line]?.kind === 'text'
  if (isText && dice.chance(0.5)) {
    const typedText = dice.one(['x', ' ', '東', 'two words'])
    editor.type(typedText)
    const wanted = [...texts.slice(0, from.line), around[0] + typedText + around[1], ...texts.slice(to.line + 1)]
    assert.deepEqual(textsOf(editor.state.peek().lines), wanted)
    assert.equal(editor.state.peek().selection.focus.at, from.at + typedText.length)
    return
  }
  const count = (all: readonly Line[]) => textsOf(all).join('').replaceAll(atom, '').replaceAll('\n', '').length
  const before = count(lines)
  const kept: ((state: State) => State)[] = [
    state => turned(state, dice.one<Kind>(kinds.filter(kind => kind !== 'code'))),
    state => indented(state, dice.chance(0.5)),
    state => shifted(state, dice.one(['up', 'down', 'first', 'last'])),
    state => marked(state, dice.one(marks)),
    state => unlinked(state),
  ]
  const others: ((state: State) => State)[] = [
    ...[split, joinedBackward, joinedForward, removed],
    state => linked(state, '/x'),
    state => pasted(state, freshLines(linesOf(new Documents(dice).blocks()))),
    state => withBlocks(state, [{ type: 'image', image: { url: '/b.png' }, children: [] }]),
  ]
  const isKept = dice.chance(0.5)
  editor.apply(dice.one(isKept ? kept : others))
  if (isKept) assert.equal(count(editor.state.peek().lines), before)
}
