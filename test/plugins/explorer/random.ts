import { writable } from '../../../plugins/explorer/builder/data.js'
import type { FieldInfo, LinkInfo, Model, TypeInfo } from '../../../plugins/explorer/builder/metadata.js'
import { isList, planOf } from '../../../plugins/explorer/builder/query.js'
import type {
  BuilderState,
  CursorState,
  Draft,
  DraftValue,
  NodeState,
  PageState,
  PopulateState,
  RelatedEntry,
} from '../../../plugins/explorer/builder/state.js'
import type { ConditionState, FilterState, GroupState } from '../../../plugins/pages/values/filters.js'

/** Numbers that look random and are the same every time. */
export class Dice {
  #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#seed / 2 ** 32) * limit)
  }

  chance(share: number): boolean {
    return this.below(1000) < share * 1000
  }

  one<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)] as Item
  }

  some<Item>(list: readonly Item[], share: number): Item[] {
    return list.filter(() => this.chance(share))
  }
}

/** Texts as typed by people, into fields for which they are meant and into others. */
const typed = [
  '',
  'bread',
  'ä ß 東京',
  '100%',
  "it's",
  'a&b=c#d',
  '[x]',
  '\\',
  '12',
  '-3',
  '4.75',
  '007',
  'true',
  'false',
  'null',
  ' ',
]
const fitting: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '2', '999999'],
  integer: ['0', '-5', '42', '999999999999999'],
  biginteger: ['0', '9007199254740993', '-17'],
  float: ['0.5', '-1e3', '3.'],
  decimal: ['1.25', '.5', '-3'],
  boolean: ['true', 'false'],
  date: ['2024-02-29', '1999-12-31', '2023-02-29', '0001-01-01'],
  time: ['12:30', '23:59:59', '00:00:00.123', '25:00'],
  datetime: [
    '2024-05-01T10:30',
    '2024-05-01',
    '2024-05-01T10:30:00.000Z',
    '2024-05-01T10:30:00+02:00',
    '2023-02-30T00:00',
  ],
  timestamp: ['2024-05-01T10:30', '1970-01-01T00:00'],
  json: ['{"a":1}', 'word', '[1,2]'],
  array: ['[1,2]'],
  blocks: ['[]'],
}

/** Any state that the page can be brought to, without what is written. */
export function randomRead(model: Model, dice: Dice): BuilderState {
  const type = dice.one(model.served.filter(({ uid }) => model.can('find', uid)))
  const action =
    type.kind === 'collectionType' && model.can('findOne', type.uid) && dice.chance(0.25) ? 'findOne' : 'find'
  const state = { uid: type.uid, action, id: String(1 + dice.below(9)) } as const
  const page = randomPage(dice)
  const node = randomNode(model, dice, type, { depth: 0, filtered: isList(state, type) })
  return {
    ...state,
    // Random filters rarely leave more than one page.
    node: page.form === 'cursor' && dice.chance(0.7) ? { ...node, filters: emptied } : node,
    search: dice.chance(0.2) ? dice.one(typed) : '',
    highlight: dice.chance(0.5),
    page,
    params: randomParams(model, dice, type, action),
    draft: {},
  }
}

function randomPage(dice: Dice): PageState {
  const form = dice.one(['default', 'page', 'offset', 'cursor'] as const)
  const withCount = dice.one([undefined, true, false])
  const number = dice.one(['', '0', '1', '2', '-1', 'x', '3.5'])
  return {
    form,
    number,
    // Lists of the sample are short: most pages have to be, so that another one follows.
    size: dice.one(form === 'cursor' ? ['1', '1', '2', '0', '100'] : ['', '0', '1', '7', '100', '5000']),
    ...(withCount !== undefined && { withCount }),
  }
}

/** The state after a button for another page of the list was pressed, and perhaps something else was changed. */
export function randomTurn(
  model: Model,
  dice: Dice,
  state: BuilderState,
  cursors: readonly Pick<CursorState, 'key' | 'text'>[],
): BuilderState {
  const cursor = { ...dice.one(cursors), list: planOf(model, state).list }
  const turned = { ...state, page: { ...randomPage(dice), form: 'cursor', cursor } } as const
  const type = model.type(state.uid) as TypeInfo
  const other = randomNode(model, dice, type, { depth: 0, filtered: true })
  const { node } = state
  return dice.one<BuilderState>([
    turned,
    turned,
    turned,
    { ...turned, highlight: !state.highlight, node: { ...node, fields: other.fields, populate: other.populate } },
    { ...turned, node: { ...node, filters: other.filters } },
    { ...turned, node: { ...node, sort: other.sort } },
    { ...turned, search: dice.one(typed) },
    { ...turned, params: randomParams(model, dice, type, state.action) },
  ])
}

function randomParams(model: Model, dice: Dice, type: TypeInfo, action: string): Record<string, string> {
  const params = model.params(type, action).map(param => {
    const choices = model.choices(param)
    return [param.name, choices && dice.chance(0.4) ? dice.one(['', ...choices]) : ''] as const
  })
  return Object.fromEntries(params)
}

interface Level {
  readonly depth: number
  readonly filtered: boolean
  readonly only?: readonly string[] | undefined
}

function randomNode(model: Model, dice: Dice, type: TypeInfo, { depth, filtered, only }: Level): NodeState {
  const names = model.fields(type, only).map(({ name }) => name)
  const links = only ? [] : dice.some(model.links(type), depth === 0 ? 0.35 : depth < 3 ? 0.2 : 0)
  return {
    fields: dice.chance(0.5) ? [] : dice.some(names, 0.3),
    populate: Object.fromEntries(links.map(link => [link.name, randomChild(model, dice, link, depth + 1)])),
    filters: filtered && dice.chance(0.6) ? randomGroup(model, dice, type, { only, depth: 0 }) : emptied,
    sort: filtered
      ? Array.from({ length: dice.below(3) }, () => ({
          path: randomPath(model, dice, type, only),
          descending: dice.chance(0.5),
        }))
      : [],
  }
}

const emptied: GroupState = { kind: 'group', join: '$and', not: false, rows: [] }

function randomChild(model: Model, dice: Dice, link: LinkInfo, depth: number): PopulateState {
  const targets = model.targets(link)
  if (model.isPlain(link))
    return { node: randomNode(model, dice, targets[0] as TypeInfo, { depth, filtered: link.many, only: link.only }) }
  const chosen = dice.some(targets, 0.4)
  return {
    on: Object.fromEntries(chosen.map(type => [type.uid, randomNode(model, dice, type, { depth, filtered: true })])),
  }
}

interface GroupLevel {
  readonly depth: number
  readonly only?: readonly string[] | undefined
}

function randomGroup(model: Model, dice: Dice, type: TypeInfo, { depth, only }: GroupLevel): GroupState {
  const rows = Array.from(
    { length: 1 + dice.below(3) },
    (): FilterState =>
      depth < 3 && dice.chance(0.3)
        ? randomGroup(model, dice, type, { depth: depth + 1, only })
        : randomCondition(model, dice, type, only),
  )
  return { kind: 'group', join: dice.one(['$and', '$or']), not: dice.chance(0.2), rows }
}

function randomCondition(model: Model, dice: Dice, type: TypeInfo, only?: readonly string[]): ConditionState {
  const path = randomPath(model, dice, type, only)
  const field = endOf(model, type, path)
  const operator = field ? dice.one(model.operators(field)) : undefined
  const values = Array.from({ length: operator?.takes === 'two' ? 2 : 1 + dice.below(3) }, () =>
    dice.one(field && dice.chance(0.7) ? (field.enum ?? fitting[field.type] ?? typed) : typed),
  )
  return { kind: 'condition', path, operator: operator?.name ?? '$eq', values }
}

function randomPath(model: Model, dice: Dice, type: TypeInfo, only?: readonly string[]): string[] {
  const links = only ? [] : model.followed(type)
  if (links.length > 0 && dice.chance(0.35)) {
    const [link, target] = dice.one(links)
    return [link.name, ...randomPath(model, dice, target, link.only)]
  }
  // A row of which only the way is chosen.
  return dice.chance(0.05) ? [] : [dice.one(model.fields(type, only)).name]
}

function endOf(model: Model, type: TypeInfo, [name, ...rest]: readonly string[]): FieldInfo | undefined {
  const [, target] = model.followed(type).find(([link]) => link.name === name) ?? []
  return target && rest.length > 0 ? endOf(model, target, rest) : model.fields(type).find(field => field.name === name)
}

let names = 0

/** A form that is filled in as its attributes ask for. `ids` are entries that exist, by type. */
export function randomDraft(
  model: Model,
  dice: Dice,
  type: TypeInfo,
  ids: ReadonlyMap<string, readonly number[]>,
  depth = 0,
): Draft {
  const values = writable(model, type).flatMap(attribute => {
    if (!attribute.required && dice.chance(0.5)) return []
    const value =
      attribute.kind === 'field' ? randomValue(dice, attribute) : randomLink(model, dice, attribute, ids, depth)
    return value === undefined ? [] : [[attribute.name, value] as const]
  })
  return Object.fromEntries(values)
}

function randomValue(dice: Dice, field: FieldInfo): DraftValue | undefined {
  names += 1
  if (field.enum) return dice.one(field.enum)
  const number = (most: number) =>
    String(Number(field.min ?? 0) + dice.below(Math.min(Number(field.max ?? most), most)))
  const values: Readonly<Record<string, () => DraftValue>> = {
    boolean: () => dice.chance(0.5),
    integer: () => number(50),
    biginteger: () => number(50),
    float: () => number(5),
    decimal: () => number(5),
    date: () => '2024-02-29',
    time: () => dice.one(['12:30', '23:59:59.5']),
    datetime: () => dice.one(['2024-05-01T10:30', '2024-05-01']),
    timestamp: () => '2024-05-01T10:30',
    json: () => dice.one(['{"a":[1]}', '1', '"x"']),
    array: () => '["a","b"]',
    blocks: () => '[]',
    email: () => `someone-${names}@example.com`,
    password: () => 'long enough',
  }
  const made = values[field.type]?.()
  if (made !== undefined) return made
  if (field.regex?.startsWith('^https')) return `https://example.com/${names}`
  return `text-${names}`.slice(0, field.maxLength)
}

function randomLink(
  model: Model,
  dice: Dice,
  link: LinkInfo,
  ids: ReadonlyMap<string, readonly number[]>,
  depth: number,
): DraftValue | undefined {
  const targets = model.targets(link)
  if (!link.embedded) return randomRelated(dice, link, targets, ids)
  if (depth > 2) return undefined
  const part = (): Draft => {
    const type = dice.one(targets)
    const draft = randomDraft(model, dice, type, ids, depth + 1)
    return link.shape === 'zone' ? { ...draft, __component: type.uid } : draft
  }
  return link.many ? Array.from({ length: 1 + dice.below(2) }, part) : part()
}

function randomRelated(
  dice: Dice,
  link: LinkInfo,
  targets: readonly TypeInfo[],
  ids: ReadonlyMap<string, readonly number[]>,
): readonly RelatedEntry[] | undefined {
  const known = targets.filter(({ uid }) => (ids.get(uid)?.length ?? 0) > 0)
  if (known.length === 0) return undefined
  const type = dice.one(known)
  const chosen = new Set(
    Array.from({ length: link.many ? 1 + dice.below(3) : 1 }, () => dice.one(ids.get(type.uid) ?? [])),
  )
  return [...chosen].map(id => ({ id, label: '', ...(!link.targets && { type: type.uid }) }))
}
