import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import {
  type DraftContext,
  draftKey,
  draftOf,
  isExpired,
  isOf,
  restored,
} from '../../../../plugins/console/model/drafts.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import type { Item, ItemList } from '../../../../plugins/console/model/form/item.js'
import type { Relation } from '../../../../plugins/console/model/form/relation.js'
import { type Conflict, merge, type Side } from '../../../../plugins/console/model/merge/merge.js'
import { mergedOrder } from '../../../../plugins/console/model/merge/order.js'
import { isStoredAs } from '../../../../plugins/console/model/merge/same.js'
import { differentWords } from '../../../../plugins/console/model/merge/words.js'
import type { TypeMeta } from '../../../../plugins/console/model/meta.js'
import { component, data, field, formOf, page, pureKinds, read, relation, tag } from './pure.js'

const kinds = pureKinds(
  [
    field('title', 'string'),
    field('text', 'text'),
    field('code', 'password', { readable: false }),
    field('live', 'boolean'),
    component('seo', 'shared.part'),
    component('parts', 'shared.part', { many: true }),
    relation('tags', 'manyToMany'),
    relation('owner', 'manyToOne'),
  ],
  { 'shared.part': [field('title', 'string'), field('text', 'text')] },
)

const part = (id: number, title = `part ${id}`) => ({ id, title, text: 'x' })
const entry = {
  ...{ title: 'Bread', text: 'long', live: true, seo: part(1) },
  ...{ parts: [part(1), part(2), part(3)], tags: data(1, 2, 3), owner: data(9) },
}
type Entry = { [Name in keyof typeof entry]: unknown }

const items = (form: Form, name: string): readonly Item[] => form.root.list(name)?.items.peek() ?? []
const parts = (form: Form): ItemList => form.root.list('parts') as ItemList
const tags = (form: Form): Relation => form.root.relation('tags') as Relation
const type = (item: Item | undefined, name: string, text: unknown): void => {
  const cell = item?.cell(name)
  assert.ok(cell)
  cell.value.value = text
}

/** What is sent after both sides changed the entry, and what was asked. */
function merged(
  mine: (form: Form) => void,
  theirs: Partial<Entry>,
  choose: (conflict: Conflict) => Side = () => 'mine',
) {
  const base = read(kinds, entry)
  const form = new Form(kinds, kinds.type(page) as TypeMeta, base)
  mine(form)
  const three = { base, theirs: read(kinds, { ...entry, ...theirs }), mine: form.root.plain() }
  const { read: now, plain, conflicts, changes } = merge(kinds, three, choose)
  const body = new Form(kinds, form.type, now, { plain }).body()
  const asked = conflicts.map(({ path, what }) => `${what} ${path.join('/')}`)
  return { body, asked, conflicts, by: changes.map(({ path, by }) => `${path.join('/')}: ${by}`) }
}

describe('two changes of an entry', () => {
  const cases: {
    says: string
    mine: (form: Form) => void
    theirs: Partial<Entry>
    asks?: string[]
    sends: object
    otherwise?: object
  }[] = [
    {
      says: 'of two fields are both there',
      mine: form => type(form.root, 'text', 'mine'),
      theirs: { title: 'theirs' },
      sends: { text: 'mine' },
    },
    {
      says: 'to the same value are one',
      mine: form => type(form.root, 'text', 'both'),
      theirs: { text: 'both' },
      sends: {},
    },
    {
      says: 'of one field are a question',
      mine: form => type(form.root, 'title', 'mine'),
      theirs: { title: 'theirs' },
      asks: ['value title'],
      sends: { title: 'mine' },
      otherwise: {},
    },
    {
      says: 'leave a password that was typed',
      mine: form => type(form.root, 'code', 'typed'),
      theirs: { title: 'theirs' },
      sends: { code: 'typed' },
    },
    {
      says: 'leave a boolean that was emptied',
      mine: form => type(form.root, 'live', null),
      theirs: { title: 'theirs' },
      sends: { live: null },
    },
    {
      says: 'of two fields of a component are both there',
      mine: form => type(items(form, 'seo')[0], 'title', 'mine'),
      theirs: { seo: { ...part(1), text: 'theirs' } },
      sends: { seo: { id: 1, title: 'mine' } },
    },
    {
      says: 'in a component that was replaced are a question',
      mine: form => type(items(form, 'seo')[0], 'title', 'mine'),
      theirs: { seo: part(7, 'theirs') },
      asks: ['item seo'],
      sends: { seo: { title: 'mine', text: 'x' } },
      otherwise: {},
    },
    {
      says: 'of two items of a list are both there',
      mine: form => type(items(form, 'parts')[0], 'title', 'mine'),
      theirs: { parts: [part(1), part(2, 'theirs'), part(3)] },
      sends: { parts: [{ id: 1, title: 'mine' }, { id: 2 }, { id: 3 }] },
    },
    {
      says: 'of a list are merged by item: added, removed and moved ones',
      mine: form => {
        const made = parts(form).make({ uid: 'shared.part', values: {} })
        type(made, 'title', 'made')
        parts(form).insert(made, 1, '')
        parts(form).remove(items(form, 'parts')[3] as Item, '')
      },
      theirs: { parts: [part(2), part(4, 'theirs'), part(1), part(3)] },
      sends: { parts: [{ id: 2 }, { id: 4 }, { id: 1 }, { title: 'made' }] },
    },
    {
      says: 'of an item that the other one removed are a question',
      mine: form => type(items(form, 'parts')[1], 'title', 'mine'),
      theirs: { parts: [part(1), part(3)] },
      asks: ['item parts/shared.part 2'],
      sends: { parts: [{ id: 1 }, { title: 'mine', text: 'x' }, { id: 3 }] },
      otherwise: {},
    },
    {
      says: 'are a question where I removed what the other one changed',
      mine: form => parts(form).remove(items(form, 'parts')[1] as Item, ''),
      theirs: { parts: [part(1), part(2, 'theirs'), part(3)] },
      asks: ['item parts/shared.part 2'],
      sends: { parts: [{ id: 1 }, { id: 3 }] },
      otherwise: {},
    },
    {
      says: 'of the order of a list are a question',
      mine: form => parts(form).move(items(form, 'parts')[2] as Item, 0, ''),
      theirs: { parts: [part(2), part(1), part(3)] },
      asks: ['order parts'],
      sends: { parts: [{ id: 3 }, { id: 1 }, { id: 2 }] },
      otherwise: {},
    },
    {
      says: 'of a relation are merged by entry',
      mine: form => {
        tags(form).add(tag(4), '')
        tags(form).remove(tag(1), '')
      },
      theirs: { tags: data(5, 1, 2) },
      sends: { tags: { disconnect: [{ id: 1 }], connect: [{ id: 4 }] } },
    },
    {
      says: 'of the only entry are a question',
      mine: form => form.root.relation('owner')?.add(tag(7), ''),
      theirs: { owner: data(8) },
      asks: ['value owner'],
      sends: { owner: { connect: [{ id: 7 }] } },
      otherwise: {},
    },
  ]
  for (const { says, mine, theirs, asks = [], sends, otherwise } of cases)
    it(says, () => {
      const { body, asked } = merged(mine, theirs)
      assert.deepEqual([asked, body], [asks, sends])
      if (otherwise) assert.deepEqual(merged(mine, theirs, () => 'theirs').body, otherwise)
    })

  it('are listed with who made them, and conflicts with all three values', () => {
    const mine = (form: Form) => {
      type(form.root, 'title', 'mine')
      tags(form).add(tag(4), '')
    }
    const { by, conflicts } = merged(mine, { title: 'theirs', text: 'theirs', tags: data(1, 2, 3, 5) })
    assert.deepEqual(by, ['title: both', 'text: theirs', 'tags: both'])
    const [conflict] = conflicts
    const values = [conflict?.before, conflict?.theirs, conflict?.mine].map(
      value => value?.kind === 'typed' && value.typed,
    )
    assert.deepEqual(values, ['Bread', 'theirs', 'mine'])
  })

  it('leave what is not loaded of a long relation', () => {
    const many = Array.from({ length: 21 }, (_, at) => at + 1)
    const long = { ...entry, tags: data(...many) }
    const base = read(kinds, long)
    const form = new Form(kinds, kinds.type(page) as TypeMeta, base)
    tags(form).load([...many.slice(20), 22, 23].map(tag), true)
    tags(form).remove(tag(22), '')
    tags(form).move(tag(23), 0, '')
    tags(form).add(tag(90), '')
    // Two others were put in front, so that the former ones are not all among the first twenty.
    const theirs = read(kinds, { ...entry, tags: data(50, 51, ...many) })
    const three = { base: form.base() ?? base, theirs, mine: form.root.plain() }
    const { read: now, plain, conflicts } = merge(kinds, three)
    const next = new Form(kinds, form.type, now, { plain })
    assert.deepEqual(conflicts, [])
    assert.deepEqual(next.body(), {
      tags: {
        disconnect: [{ id: 22 }],
        connect: [{ id: 23, position: { after: 51 } }, { id: 90 }],
        options: { strict: false },
      },
    })
  })
})

describe('the order of a list', () => {
  const ask = (): never => {
    throw new Error('there is nothing to choose')
  }
  const cases: [base: string, theirs: string, mine: string, merged: string][] = [
    ['abc', 'abc', 'abc', 'abc'],
    ['abc', 'cab', 'abc', 'cab'],
    ['abc', 'abc', 'bca', 'bca'],
    ['abc', 'bca', 'bca', 'bca'],
    ['abc', 'xabc', 'abcy', 'xabcy'],
    ['abc', 'axbc', 'caby', 'caxby'],
    ['', 'xy', 'z', 'zxy'],
  ]
  for (const [base, theirs, mine, result] of cases)
    it(`of ${base || 'nothing'}, ${theirs} and ${mine} is ${result}`, () => {
      const orders = { base: [...base], theirs: [...theirs], mine: [...mine] }
      assert.equal(mergedOrder(orders, new Set(`${theirs}${mine}`), ask).join(''), result)
    })
})

describe('the words of two texts', () => {
  const cases: [former: string, later: string, shown: string][] = [
    ['same', 'same', 'same'],
    ['', 'new', '+new+'],
    ['Bread that waits', 'Bread, slowly', 'Bread- that waits-+, slowly+'],
    ['a rye loaf', 'a dark rye loaf', 'a +dark +rye loaf'],
    ['ein schönes Brot.', 'ein schönes, altes Brot.', 'ein schönes+, altes+ Brot.'],
  ]
  for (const [former, later, shown] of cases)
    it(`${former} -> ${later}`, () => {
      const signs = { both: '', former: '-', later: '+' }
      const parts = differentWords(former, later)
      assert.equal(parts.map(({ text, side }) => `${signs[side]}${text}${signs[side]}`).join(''), shown)
      assert.equal(parts.map(({ text, side }) => (side === 'later' ? '' : text)).join(''), former)
    })

  it('are one difference in texts of many thousands', () => {
    const [one, other] = ['a', 'b'].map(word => Array.from({ length: 3000 }, (_, at) => `${word}${at}`).join(' '))
    assert.deepEqual(
      differentWords(one as string, other as string).map(({ side }) => side),
      ['former', 'later'],
    )
  })
})

describe('kept changes', () => {
  const context: DraftContext = {
    place: { account: 2, uid: page, id: 1, locale: 'en' },
    part: 'a',
    basedOn: '2026-01-01T00:00:00.000Z',
    now: Date.UTC(2026, 0, 1),
  }
  const kept = (change: (form: Form) => void) => {
    const form = formOf(kinds, entry)
    change(form)
    const draft = draftOf(form, context)
    return draft && (JSON.parse(JSON.stringify(draft)) as typeof draft)
  }
  const changed = () => {
    const form = formOf(kinds, entry)
    write(form)
    return form
  }
  const write = (form: Form) => {
    type(form.root, 'title', 'mine')
    type(form.root, 'live', null)
    parts(form).remove(items(form, 'parts')[0] as Item, '')
    tags(form).add(tag(4), '')
  }

  it('are none while nothing was changed', () =>
    assert.equal(
      kept(() => undefined),
      undefined,
    ))

  it('never have a password', () => {
    const draft = kept(form => type(form.root, 'code', 'a secret that was typed'))
    assert.ok(draft && !JSON.stringify(draft).includes('secret that'))
  })

  it('are those of one account, type, entry and language', () => {
    const { place } = context
    const { id: _, ...fresh } = place
    const places = [
      place,
      { ...place, account: 3 },
      { ...place, uid: 'x' },
      { ...place, id: 2 },
      { ...place, locale: null },
      fresh,
    ]
    assert.equal(new Set(places.map(one => draftKey(one, 'a'))).size, places.length)
    const draft = kept(write)
    assert.ok(draft)
    assert.equal(draft.key, draftKey(place, 'a'))
    assert.deepEqual(
      places.filter(one => isOf(draft, one)),
      [place],
    )
  })

  it('of two forms that show one entry do not replace each other', () => {
    const [one, other] = ['a', 'b'].map(part => draftOf(changed(), { ...context, part }))
    assert.ok(one && other && one.key !== other.key)
    assert.deepEqual([isOf(one, context.place), isOf(other, context.place)], [true, true])
  })

  it('are back on the entry that they are based on', () => {
    const draft = kept(write)
    assert.ok(draft)
    const { read: now, plain, conflicts } = restored(kinds, draft, read(kinds, entry))
    const form = new Form(kinds, kinds.type(page) as TypeMeta, now, { plain })
    assert.deepEqual(conflicts, [])
    assert.deepEqual(form.body(), {
      title: 'mine',
      live: null,
      parts: [{ id: 2 }, { id: 3 }],
      tags: { connect: [{ id: 4 }] },
    })
  })

  it('are merged with an entry that was changed since', () => {
    const draft = kept(write)
    assert.ok(draft)
    const theirs = read(kinds, {
      ...entry,
      title: 'theirs',
      text: 'theirs',
      parts: [part(1), part(2), part(3), part(4)],
    })
    const { read: now, plain, conflicts } = restored(kinds, draft, theirs, () => 'theirs')
    const form = new Form(kinds, kinds.type(page) as TypeMeta, now, { plain })
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      [['title']],
    )
    assert.deepEqual(form.body(), {
      live: null,
      parts: [{ id: 2 }, { id: 3 }, { id: 4 }],
      tags: { connect: [{ id: 4 }] },
    })
  })

  it('are a new entry where theirs was deleted', () => {
    const draft = kept(write)
    assert.ok(draft)
    const { read: now, plain } = restored(kinds, draft, undefined)
    assert.equal(now, undefined)
    const { title, parts, tags } = new Form(kinds, kinds.type(page) as TypeMeta, now, { plain }).body()
    assert.deepEqual(
      [title, parts],
      [
        'mine',
        [
          { title: 'part 2', text: 'x' },
          { title: 'part 3', text: 'x' },
        ],
      ],
    )
    assert.deepEqual(tags, { connect: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] })
  })

  it('are offered for thirty days', () => {
    const draft = kept(write)
    assert.ok(draft)
    const days = (count: number) => context.now + count * 24 * 3_600_000
    assert.deepEqual([isExpired(draft, days(30)), isExpired(draft, days(31))], [false, true])
    assert.equal(isExpired({ ...draft, version: 2 as 1 }, days(0)), true)
  })
})

describe('an entry whose response was lost', () => {
  const asSent = (change: (form: Form) => void) => {
    const form = formOf(kinds, entry)
    change(form)
    return form.root.plain()
  }
  const isStored = (change: (form: Form) => void, stored: Partial<Entry>) =>
    isStoredAs(kinds, asSent(change), read(kinds, { ...entry, ...stored }))

  it('is stored as it was sent, with ids for new components', () => {
    const add = ({ root }: Form) => {
      const list = root.list('parts')
      const item = list?.make({ uid: 'shared.part', values: {} })
      if (!list || !item) throw new Error('there is no list')
      const cell = item.cell('title')
      if (cell) cell.value.value = 'new'
      list.insert(item, 1, 'new')
    }
    const parts = [part(1), { id: 8, title: 'new', text: null }, part(2), part(3)]
    assert.equal(isStored(add, { parts }), true)
    assert.equal(isStored(add, { parts: [part(1), part(2), part(3)] }), false)
    assert.equal(isStored(add, { parts: [part(1), { id: 8, title: 'other', text: null }, part(2), part(3)] }), false)
    assert.equal(isStored(add, { parts, title: 'Theirs' }), false)
  })

  it('is not, where a stored component was replaced or an entry is missing', () => {
    assert.equal(
      isStored(() => {}, { seo: { ...part(1), id: 7 } }),
      false,
    )
    assert.equal(
      isStored(({ root }) => root.relation('tags')?.add(tag(4), 'tag'), { tags: data(1, 2, 3, 4) }),
      true,
    )
    assert.equal(
      isStored(({ root }) => root.relation('tags')?.add(tag(4), 'tag'), { tags: data(1, 2, 3) }),
      false,
    )
  })
})
