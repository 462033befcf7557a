import { strict as assert } from 'node:assert'
import { signal } from '@preact/signals-core'
import { describe, it } from 'vitest'
import { clipOf, copyOf, markEmptied, pasted } from '../../../../plugins/console/model/form/copy.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import type { Item, ItemList } from '../../../../plugins/console/model/form/item.js'
import { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import { type Problem, type Purpose, problemsOf } from '../../../../plugins/console/model/form/problems.js'
import type { Relation } from '../../../../plugins/console/model/form/relation.js'
import { errorsOf, Sent } from '../../../../plugins/console/model/form/sent.js'
import { itemTitle, relatedTitle } from '../../../../plugins/console/model/form/titles.js'
import { settle } from '../../../../plugins/console/model/merge/saved.js'
import type { Permissions, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { component, data, field, files, formOf, page, pureKinds, read, relation, tag, zone } from './pure.js'

const order = { family: 'order' } as const
const part = [
  field('title', 'string', { required: true, maxLength: 10 }),
  field('note', 'string', { default: 'first' }),
  component('links', 'shared.link', { many: true, min: 1 }),
]
const kinds = pureKinds(
  [
    field('title', 'string', { required: true, minLength: 3, maxLength: 10 }),
    field('slug', 'uid', { madeFrom: 'title', unique: true }),
    field('mail', 'email', { unique: true }),
    field('code', 'password', { readable: false }),
    field('minutes', 'integer', { ...order, min: 1, max: 90 }),
    field('views', 'biginteger', { ...order, min: '0', max: '9007199254740995' }),
    field('fee', 'decimal', order),
    field('live', 'boolean', { family: 'equality' }),
    field('day', 'date', order),
    field('hour', 'time', order),
    field('at', 'datetime', order),
    field('facts', 'json', { family: 'equality' }),
    field('words', 'array', { family: 'equality' }),
    field('format', 'enumeration', { enum: ['note', 'guide'] }),
    field('url', 'string', { regex: '^https?://' }),
    component('seo', 'shared.part', { required: true }),
    zone('zone', ['shared.part', 'shared.link'], { max: 3 }),
    relation('tags', 'manyToMany'),
    relation('sequel', 'oneToOne', { exclusive: true }),
    relation('owner', 'manyToOne', { required: true }),
    files('cover', false),
    files('gallery', true),
  ],
  {
    'shared.part': part,
    'shared.link': [field('url', 'string', { required: true }), field('code', 'string', { unique: true })],
  },
)

const links = [
  { id: 4, url: 'a', code: 'x' },
  { id: 5, url: 'b', code: 'y' },
]
const seo = { id: 1, title: 'seo', note: null, links }
const entry = {
  ...{ title: 'bread', slug: 'bread', mail: 'a@example.com', minutes: 5, views: '7', fee: 1.5, live: null },
  ...{ day: '2024-02-29', hour: '12:30:00.000', at: '2024-05-01T10:30:00.250Z', facts: { a: [1] }, words: null },
  ...{ format: 'note', url: null, seo, tags: data(1, 2, 3), sequel: data(8), owner: data(9) },
  zone: [
    { __component: 'shared.part', id: 1, title: 'one', note: 'n', links: [] },
    { __component: 'shared.link', id: 1, url: 'c' },
  ],
  ...{ cover: { data: null }, gallery: data(1, 2) },
}

const type = (form: Form | Item, name: string, typed: unknown): void => {
  const cell = ('root' in form ? form.root : form).cell(name)
  assert.ok(cell)
  cell.value.value = typed
}
const list = (form: Form, name: string): ItemList => form.root.list(name) as ItemList
const itemsOf = (form: Form, name: string): readonly Item[] => list(form, name).items.peek()

describe('permissions that change while a form is open', () => {
  it('make its fields read-only at once, and let them be written again', () => {
    const type = kinds.type(page) as TypeMeta
    const can = signal<Pick<Permissions, 'read' | 'create' | 'update'>>(type.can)
    const form = new Form(kinds, type, read(kinds, { title: 'Rye', minutes: 5, seo: { id: 1, title: 'a' } }), { can })
    const writable = () => [...form.root.nodes].filter(([, node]) => node.canWrite).map(([name]) => name)
    const all = writable()
    assert.ok(all.includes('title') && all.includes('seo'))
    can.value = { ...can.value, update: { fields: ['title'] } }
    assert.deepEqual(writable(), ['title'])
    can.value = { ...can.value, update: null }
    assert.deepEqual(writable(), [])
    can.value = type.can
    assert.deepEqual(writable(), all)
  })
})

describe('the form of a new entry', () => {
  const type = kinds.type(page) as TypeMeta
  const names = (can: Partial<Permissions>, locale: string | null = null) => {
    const form = new Form(kinds, type, undefined, { can: signal({ ...type.can, create: null, ...can }), locale })
    const seo = form.root.list('seo')?.make({ uid: 'shared.part', values: {} })
    return [[...form.root.nodes.keys()], [...(seo?.nodes.keys() ?? [])]]
  }

  it('has the fields and the parts that may be read in its language, and passwords, which are never read', () => {
    assert.deepEqual(names({ read: { fields: ['title', 'seo.title'] } }), [['title', 'code', 'seo'], ['title']])
    assert.deepEqual(names({ read: { locales: ['de'] } }, 'de'), names({ read: {} }))
    assert.deepEqual(names({ read: { locales: ['de'] } }, 'en'), [['code'], []])
  })

  it('and those that may be written in it', () => {
    const read = { locales: ['de'] }
    assert.deepEqual(names({ read, create: { fields: ['title'] } }, 'en'), [['title', 'code'], []])
    assert.deepEqual(names({ read, create: { fields: ['title'], locales: ['de'] } }, 'en'), [['code'], []])
  })
})

describe('the body of a form', () => {
  const cases: { says: string; change?: (form: Form) => void; sends: object }[] = [
    { says: 'is empty for a form that was only opened', sends: {} },
    { says: 'has a text that was typed', change: form => type(form, 'title', 'rye'), sends: { title: 'rye' } },
    { says: 'has null for what was emptied', change: form => type(form, 'minutes', ''), sends: { minutes: null } },
    { says: 'has a boolean', change: form => type(form, 'live', false), sends: { live: false } },
    {
      says: 'keeps milliseconds',
      change: form => type(form, 'at', '2024-05-01T10:30:00.251Z'),
      sends: { at: '2024-05-01T10:30:00.251Z' },
    },
    {
      says: 'has large numbers as texts',
      change: form => type(form, 'views', '9007199254740993'),
      sends: { views: '9007199254740993' },
    },
    { says: 'has JSON', change: form => type(form, 'facts', '{"b": null}'), sends: { facts: { b: null } } },
    {
      says: 'has what cannot be read as it was typed',
      change: form => type(form, 'facts', '{'),
      sends: { facts: '{' },
    },
    { says: 'leaves out another form of the same value', change: form => type(form, 'fee', '1.50'), sends: {} },
    { says: 'leaves out JSON that was formatted', change: form => type(form, 'facts', '{"a":[1]}'), sends: {} },
    { says: 'leaves out a time without seconds', change: form => type(form, 'hour', '12:30'), sends: {} },
    {
      says: 'has what changed in a component, with its id',
      change: form => type(itemsOf(form, 'seo')[0] as Item, 'title', 'new'),
      sends: { seo: { id: 1, title: 'new' } },
    },
    {
      says: 'has a list in a component whole',
      change: form =>
        itemsOf(form, 'seo')[0]
          ?.list('links')
          ?.move(itemsOf(form, 'seo')[0]?.list('links')?.items.peek()[1] as Item, 0, 'b'),
      sends: { seo: { id: 1, links: [{ id: 5 }, { id: 4 }] } },
    },
    {
      says: 'has null for a component that was removed',
      change: form => list(form, 'seo').remove(itemsOf(form, 'seo')[0] as Item, 'seo'),
      sends: { seo: null },
    },
    {
      says: 'has a zone whole, with a new item and its defaults',
      change: form => list(form, 'zone').insert(list(form, 'zone').make({ uid: 'shared.part', values: {} }), 1, 'part'),
      sends: {
        zone: [
          { __component: 'shared.part', id: 1 },
          { __component: 'shared.part', note: 'first' },
          { __component: 'shared.link', id: 1 },
        ],
      },
    },
    {
      says: 'empties a zone',
      change: form => {
        for (const item of itemsOf(form, 'zone')) list(form, 'zone').remove(item, 'one')
      },
      sends: { zone: [] },
    },
    {
      says: 'connects at the end',
      change: form => form.root.relation('tags')?.add(tag(4), ''),
      sends: { tags: { connect: [{ id: 4 }] } },
    },
    {
      says: 'disconnects',
      change: form => form.root.relation('tags')?.remove(tag(2), ''),
      sends: { tags: { disconnect: [{ id: 2 }] } },
    },
    {
      says: 'moves one entry',
      change: form => form.root.relation('tags')?.move(tag(3), 1, ''),
      sends: { tags: { connect: [{ id: 3, position: { after: 1 } }], options: { strict: false } } },
    },
    {
      says: 'replaces the only entry',
      change: form => form.root.relation('sequel')?.add(tag(7), ''),
      sends: { sequel: { connect: [{ id: 7 }] } },
    },
    {
      says: 'disconnects the only entry',
      change: form => form.root.relation('sequel')?.remove(tag(8), ''),
      sends: { sequel: { disconnect: [{ id: 8 }] } },
    },
    {
      says: 'chooses a file',
      change: form => form.root.relation('cover')?.choose([{ ...tag(3), uid: 'plugin::upload.file' }], ''),
      sends: { cover: 3 },
    },
    {
      says: 'takes a file away',
      change: form => form.root.relation('gallery')?.remove({ ...tag(1), uid: 'plugin::upload.file' }, ''),
      sends: { gallery: { disconnect: [{ id: 1 }] } },
    },
    {
      says: 'has files in a new order',
      change: form => form.root.relation('gallery')?.move({ ...tag(2), uid: 'plugin::upload.file' }, 0, ''),
      sends: { gallery: [2, 1] },
    },
  ]
  for (const { says, change, sends } of cases)
    it(says, () => {
      const form = formOf(kinds, entry)
      change?.(form)
      assert.deepEqual(form.body(), sends)
      assert.equal(form.changes.value, Object.keys(sends).length)
    })

  it('has all of a new entry but what is empty', () => {
    const form = formOf(kinds)
    type(form, 'title', 'rye')
    form.root.relation('tags')?.add(tag(2), '')
    assert.deepEqual(form.body(), { title: 'rye', tags: { connect: [{ id: 2 }] } })
  })
})

const said = (problems: readonly Problem[]) => problems.map(({ path, code }) => `${path.join('.')} ${code}`)

describe('problems before sending', () => {
  const typed: [name: string, typed: unknown, code: string | undefined][] = [
    ['title', 'much too long', 'tooLong'],
    ['mail', 'nobody', 'email'],
    ['slug', 'ä', 'pattern'],
    ['minutes', '1.5', 'integer'],
    ['minutes', 'x', 'integer'],
    ['minutes', '0', 'tooSmall'],
    ['minutes', '91', 'tooLarge'],
    ['views', '9007199254740994', undefined],
    ['views', '9007199254740996', 'tooLarge'],
    ['views', '9223372036854775808', 'tooLarge'],
    ['views', '-1', 'tooSmall'],
    ['fee', '1,5', 'number'],
    ['fee', '0x10', 'number'],
    ['day', '2023-02-29', 'date'],
    ['hour', '25:00', 'time'],
    ['at', '2023-02-29T10:00', 'instant'],
    ['at', '2024-02-29T10:00', undefined],
    ['facts', '{"a":', 'json'],
    ['words', '{}', 'list'],
    ['format', 'essay', 'choice'],
    ['url', 'ftp://x', 'pattern'],
  ]
  for (const [name, value, code] of typed)
    it(`${name}: ${value} is ${code ?? 'fine'}`, () => {
      const form = formOf(kinds, entry)
      type(form, name, value)
      assert.deepEqual(said(problemsOf(form, 'draft')), code ? [`${name} ${code}`] : [])
      assert.equal(form.root.cell(name)?.problem.value?.code, code)
    })

  it('are what is missing, in finished entries', () => {
    const purposes: readonly Purpose[] = ['draft', 'finished', 'publish']
    const asked = (form: Form) => purposes.map(purpose => said(problemsOf(form, purpose)))
    const missing = ['title required', 'seo required', 'owner required']
    assert.deepEqual(asked(formOf(kinds)), [[], missing, missing])
    const stored = formOf(kinds, { ...entry, title: '', owner: data() })
    assert.deepEqual(asked(stored), [[], [], ['title required', 'owner required']])
    type(stored, 'mail', 'b@example.com')
    assert.deepEqual(asked(stored)[1], [])
    const short = formOf(kinds, entry)
    type(short, 'title', 'ry')
    assert.deepEqual(asked(short), [[], ['title tooShort'], ['title tooShort']])
    const emptied = formOf(kinds, entry)
    type(emptied, 'title', '')
    assert.deepEqual(asked(emptied), [[], ['title required'], ['title required']])
  })

  it('are found in components, and name them', () => {
    const form = formOf(kinds, entry)
    const fresh = list(form, 'zone').make({ uid: 'shared.part', values: {} })
    list(form, 'zone').insert(fresh, 0, '')
    assert.deepEqual(said(problemsOf(form, 'finished')), [`zone.${fresh.key}.title required`])
    list(form, 'zone').insert(list(form, 'zone').make({ uid: 'shared.link', values: {} }), 0, '')
    assert.deepEqual(said(problemsOf(form, 'draft')), ['zone tooMany'])
  })

  it('of the server are shown at their fields until something else is typed', () => {
    const form = formOf(kinds, entry)
    const [zonePart] = itemsOf(form, 'zone') as [Item]
    type(form, 'title', 'rye')
    type(zonePart, 'title', 'taken')
    list(form, 'zone').move(zonePart, 1, '')
    const sent = new Sent(form)
    // Moved back while the request was in flight.
    list(form, 'zone').move(zonePart, 0, '')
    const errors = [
      { path: ['title'], message: 'is taken' },
      { path: ['zone', '1', 'title'], message: 'is taken, too' },
      { path: ['zone'], message: 'is too long' },
      { path: ['nothing'], message: 'is unknown' },
    ]
    const response = { error: { message: '4 errors', details: { errors } } }
    assert.deepEqual(sent.place(errorsOf(response)), [{ path: ['nothing'], message: 'is unknown' }])
    assert.deepEqual(form.root.cell('title')?.problem.value, { code: 'refused', params: { message: 'is taken' } })
    assert.equal(zonePart.cell('title')?.problem.value?.params?.message, 'is taken, too')
    assert.equal(list(form, 'zone').refused.value, 'is too long')
    assert.deepEqual(said(problemsOf(form, 'finished')), [], 'the server is asked again')
    assert.deepEqual(sent.place([]), [])
    assert.deepEqual([form.root.cell('title')?.problem.value, list(form, 'zone').refused.value], [undefined, undefined])
    assert.equal(sent.place(errorsOf(response)).length, 1)
    type(zonePart, 'title', 'free')
    assert.equal(zonePart.cell('title')?.problem.value, undefined)
    assert.deepEqual(errorsOf({ error: { message: 'Forbidden', details: {} } }), [{ path: [], message: 'Forbidden' }])
  })
})

describe('undo and redo', () => {
  it('take back changes of structure, and keep what was typed', () => {
    const form = formOf(kinds, entry)
    const zone = list(form, 'zone')
    const [one, two] = itemsOf(form, 'zone') as [Item, Item]
    type(one, 'title', 'typed')
    zone.remove(one, 'Part: typed')
    form.root.relation('tags')?.remove(tag(1), 'tag 1')
    assert.deepEqual(form.history.last.value && { ...form.history.last.value, signal: 0, before: 0, after: 0 }, {
      ...{ what: 'removed', list: 'tags', title: 'tag 1', signal: 0, before: 0, after: 0 },
    })
    form.history.undo()
    assert.deepEqual(form.body(), { zone: [{ __component: 'shared.link', id: 1 }] })
    form.history.undo()
    assert.deepEqual(zone.items.value, [one, two])
    assert.deepEqual(form.body(), {
      zone: [
        { __component: 'shared.part', id: 1, title: 'typed' },
        { __component: 'shared.link', id: 1 },
      ],
    })
    form.history.redo()
    form.history.redo()
    assert.deepEqual(Object.keys(form.body()), ['zone', 'tags'])
    form.history.undo()
    zone.move(two, 0, '')
    assert.equal(form.history.next.value, undefined)
  })

  it('bring back an item that was removed and saved as a new one', () => {
    const form = formOf(kinds, entry)
    const zone = list(form, 'zone')
    const [one] = itemsOf(form, 'zone') as [Item]
    zone.remove(one, '')
    settle(form, new Sent(form), read(kinds, { ...entry, zone: [entry.zone[1]] }))
    form.history.undo()
    assert.deepEqual(form.body(), {
      zone: [
        { __component: 'shared.part', title: 'one', note: 'n' },
        { __component: 'shared.link', id: 1 },
      ],
    })
    // The database may give the id to another one.
    settle(form, new Sent(form), read(kinds, entry))
    assert.deepEqual([form.body(), zone.items.value[0]], [{}, one])
  })
})

describe('after saving', () => {
  it('values are replaced where nothing was typed since', () => {
    const form = formOf(kinds, entry)
    type(form, 'title', 'rye')
    type(form, 'fee', '2.50')
    type(form, 'code', 'a secret')
    const sent = new Sent(form)
    assert.deepEqual(sent.data, { title: 'rye', fee: 2.5, code: 'a secret' })
    type(form, 'title', 'rye bread')
    settle(form, sent, read(kinds, { ...entry, title: 'rye', slug: 'rye', fee: 2.5 }))
    const shown = ['title', 'slug', 'fee', 'code'].map(name => form.root.cell(name)?.value.value)
    assert.deepEqual(shown, ['rye bread', 'rye', '2.50', ''])
    assert.deepEqual(form.body(), { title: 'rye bread' })
  })

  it('new items have their ids, and what was done since is left to do', () => {
    const form = formOf(kinds, entry)
    const zone = list(form, 'zone')
    const made = ['x', 'y'].map(url => {
      const item = zone.make({ uid: 'shared.link', values: {} })
      type(item, 'url', url)
      return item
    }) as [Item, Item]
    zone.insert(made[0], 0, '')
    form.root.relation('tags')?.add(tag(4), '')
    const sent = new Sent(form)
    zone.remove(itemsOf(form, 'zone')[1] as Item, '')
    zone.insert(made[1], 2, '')
    type(made[0], 'url', 'since')
    form.root.relation('tags')?.remove(tag(1), '')
    const stored = [{ __component: 'shared.link', id: 2, url: 'x' }, ...entry.zone]
    settle(form, sent, read(kinds, { ...entry, zone: stored, tags: data(1, 2, 3, 4) }))
    assert.deepEqual(form.body(), {
      zone: [
        { __component: 'shared.link', id: 2, url: 'since' },
        { __component: 'shared.link', id: 1 },
        { __component: 'shared.link', url: 'y' },
      ],
      tags: { disconnect: [{ id: 1 }] },
    })
  })

  it('what the server changed by itself is taken over', () => {
    const form = formOf(kinds, entry)
    type(form, 'title', 'rye')
    const sent = new Sent(form)
    const zone = [entry.zone[1], { __component: 'shared.link', id: 9, url: 'of the server' }]
    settle(form, sent, read(kinds, { ...entry, title: 'rye', zone, tags: data(3, 5) }))
    assert.deepEqual(form.body(), {})
    assert.deepEqual(
      itemsOf(form, 'zone').map(({ id }) => id),
      [1, 9],
    )
    assert.deepEqual(
      form.root.relation('tags')?.entries.value.map(({ id }) => id),
      [3, 5],
    )
  })

  it('a new entry is one that is changed', () => {
    const form = formOf(kinds)
    type(form, 'title', 'rye')
    settle(form, new Sent(form), read(kinds, { ...entry, title: 'rye' }))
    type(form, 'mail', '')
    assert.deepEqual([form.isNew.value, form.root.id, form.body()], [false, 1, { mail: null }])
  })
})

describe('copies', () => {
  it('of a component are new ones, without passwords, where they fit', () => {
    const form = formOf(kinds, entry)
    const zone = list(form, 'zone')
    const clip = JSON.parse(JSON.stringify(clipOf(kinds, itemsOf(form, 'seo')[0] as Item)))
    const plain = pasted(kinds, zone, clip)
    assert.ok(plain)
    zone.insert(zone.make(plain), 0, '')
    const [first] = form.body().zone as object[]
    assert.deepEqual(first, {
      __component: 'shared.part',
      title: 'seo',
      note: null,
      links: [{ url: 'a' }, { url: 'b' }],
    })
    const inner = itemsOf(form, 'seo')[0]?.list('links') as ItemList
    for (const other of [clip, {}, 'text', null, { component: { uid: 'shared.link' } }])
      assert.equal(pasted(kinds, inner, other), undefined)
  })

  it('of an entry have what its layout leaves out', () => {
    const type = kinds.type(page) as TypeMeta
    const { dialect, limits } = kinds
    const layout = { ...type.layout, edit: [[{ name: 'title', size: 12 }]] }
    const short = new Kinds({ types: [{ ...type, layout }], components: [], dialect, limits })
    assert.deepEqual(
      short.shown(page).map(({ name }) => name),
      ['title'],
    )
    assert.deepEqual(short.whole().shown(page), kinds.shown(page))
  })

  it('of an entry lack what only one entry may have', () => {
    const one = copyOf(kinds, read(kinds, entry))
    assert.deepEqual(one.emptied, [
      ['slug'],
      ['mail'],
      ['seo', '0', 'links', '0', 'code'],
      ['seo', '0', 'links', '1', 'code'],
      ['sequel'],
    ])
    assert.equal(one.plain.id, undefined)
    const copy = new Form(kinds, kinds.type(page) as TypeMeta, undefined, { plain: one.plain })
    markEmptied(copy.root, one)
    const code = itemsOf(copy, 'seo')[0]?.list('links')?.items.peek()[1]?.cell('code')
    const marks = [copy.root.cell('slug'), copy.root.relation('sequel'), copy.root.cell('title'), code].map(
      node => node?.mark.value,
    )
    assert.deepEqual(marks, ['emptied', 'emptied', undefined, 'emptied'])
    const { slug, mail, sequel, title, seo, tags } = copy.body() as Record<string, unknown>
    assert.deepEqual(
      { slug, mail, sequel, title },
      { slug: undefined, mail: undefined, sequel: undefined, title: 'bread' },
    )
    assert.deepEqual(seo, { title: 'seo', note: null, links: [{ url: 'a' }, { url: 'b' }] })
    assert.deepEqual(tags, { connect: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  })
})

it('a component is called after its main field, or the first text in it, and an entry after the field of the layout', () => {
  const form = formOf(kinds, {
    ...entry,
    zone: [...entry.zone, { __component: 'shared.part', id: 2, title: '', note: ' a\nb' }],
  })
  const [one, link, empty] = itemsOf(form, 'zone') as [Item, Item, Item]
  const titles = () => [one, link, empty].map(item => itemTitle(kinds, item))
  assert.deepEqual(titles(), ['one', 'c', 'a'])
  type(empty, 'note', '')
  type(one, 'title', 'typed')
  assert.deepEqual(titles(), ['typed', 'c', undefined])
  const { attribute } = form.root.relation('tags') as Relation
  assert.equal(relatedTitle(kinds, attribute, form.type, tag(3)), 'tag 3')
  assert.equal(relatedTitle(kinds, attribute, form.type, { ...tag(3), values: {} }), undefined)
})

it('a relation counts its entries once their number is known', () => {
  const form = formOf(kinds, { ...entry, tags: data(...Array.from({ length: 21 }, (_, at) => at + 1)) })
  const tags = form.root.relation('tags') as Relation
  assert.deepEqual([tags.entries.value.length, tags.count], [20, undefined])
  tags.stored.value = 100
  tags.remove(tag(3), '')
  tags.add(tag(200), '')
  tags.add(tag(201), '')
  assert.equal(tags.count, 101)
  assert.equal(page, form.type.uid)
})
