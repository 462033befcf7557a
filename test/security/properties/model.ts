import fc from 'fast-check'

/** Kinds of fields, each with the few values that data and questions are made of, so that they meet. */
export const kinds = {
  string: ['a', 'A', 'b', 'ab', 'Ba', 'a%b', 'a_b', 'aXb', ''],
  text: ['a', 'AB', 'b a', '%', '_', 'long long text'],
  enumeration: ['red', 'green', 'blue'],
  integer: [-1, 0, 1, 2, 10],
  biginteger: ['0', '7', '9007199254740993'],
  float: [-1.5, 0, 0.5, 2.5],
  decimal: [0, 1.25, 10.5],
  boolean: [true, false],
  date: ['2024-01-01', '2024-02-29', '2031-12-31'],
  datetime: ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.001Z', '1999-12-31T23:59:59.999Z'],
  time: ['00:00:00.000', '10:30:00.500', '23:59:59.999'],
} as const satisfies Record<string, readonly unknown[]>
export type Kind = keyof typeof kinds
export const isText = (kind: Kind): boolean => kind === 'string' || kind === 'text' || kind === 'enumeration'
export const isOrdered = (kind: Kind): boolean => !isText(kind) && kind !== 'boolean'

export interface LinkModel {
  readonly target: string
  readonly many: boolean
  /** A component: a part of the entry, without a life of its own. */
  readonly part?: true
}

export interface TypeModel {
  readonly name: string
  readonly fields: Readonly<Record<string, Kind>>
  readonly links: Readonly<Record<string, LinkModel>>
}

/** An entry as plain memory holds it: values, and for each link the entries behind it in their order. */
export interface Thing {
  id: number
  readonly values: Readonly<Record<string, unknown>>
  readonly links: Record<string, Thing[]>
}

export interface Model {
  readonly types: ReadonlyMap<string, TypeModel>
  readonly schemas: Readonly<Record<string, { attributes: Record<string, unknown> }>>
  readonly components: Readonly<Record<string, { attributes: Record<string, unknown> }>>
  readonly things: ReadonlyMap<string, readonly Thing[]>
}

/** Every type has this attribute, and no answer may know it. */
export const hiddenName = 'undisclosed'

const names = ['alpha', 'beta', 'gamma']
const partName = 'shared.part'
const kindOf = fc.constantFrom(...(Object.keys(kinds) as Kind[]))
const fieldsOf = (prefix: string) =>
  fc
    .array(kindOf, { minLength: 2, maxLength: 6 })
    .map(list => Object.fromEntries(list.map((kind, at) => [`${prefix}${at}`, kind])))
const relationOf = fc.record({
  from: fc.nat(2),
  to: fc.nat(2),
  relation: fc.constantFrom('oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'),
  both: fc.boolean(),
})
const outline = fc.record({
  fields: fc.tuple(fieldsOf('f'), fieldsOf('f'), fieldsOf('f')),
  part: fieldsOf('p'),
  relations: fc.array(relationOf, { minLength: 2, maxLength: 5 }),
  parts: fc.array(fc.record({ of: fc.nat(2), many: fc.boolean() }), { maxLength: 2 }),
  numbers: fc.array(fc.nat(1_000_000), { minLength: 400, maxLength: 400 }),
})

/** A schema of three types and a component, and data for it. */
export const model: fc.Arbitrary<Model> = outline.map(({ fields, part, relations, parts, numbers }) => {
  let used = 0
  const next = (below: number): number => (numbers[used++ % numbers.length] as number) % below
  const valuesOf = (shape: Readonly<Record<string, Kind>>) =>
    Object.fromEntries(
      Object.entries(shape).map(([name, kind]) => [
        name,
        next(5) === 0 ? null : (kinds[kind][next(kinds[kind].length)] ?? null),
      ]),
    )
  const types = new Map<string, { name: string; fields: Record<string, Kind>; links: Record<string, LinkModel> }>()
  const schemas: Record<string, { attributes: Record<string, unknown> }> = {}
  const attributesOf = (shape: Readonly<Record<string, Kind>>) =>
    Object.fromEntries(
      Object.entries(shape).map(([name, kind]) => [
        name,
        { type: kind, ...(kind === 'enumeration' && { enum: kinds.enumeration }) },
      ]),
    )
  const hidden = { [hiddenName]: { type: 'string', private: true } }
  for (const [at, name] of names.entries()) {
    types.set(name, { name, fields: fields[at] as Record<string, Kind>, links: {} })
    schemas[name] = { attributes: { ...attributesOf(fields[at] ?? {}), ...hidden } }
  }
  types.set(partName, { name: partName, fields: part, links: {} })
  const components = { [partName]: { attributes: { ...attributesOf(part), ...hidden } } }

  const things = new Map(
    names.map(name => [
      name,
      Array.from(
        { length: 3 + next(10) },
        (): Thing => ({ id: 0, values: valuesOf(fields[names.indexOf(name)] ?? {}), links: {} }),
      ),
    ]),
  )
  const all = (name: string): Thing[] => things.get(name) as Thing[]
  const attribute = (owner: string, name: string, link: LinkModel, definition: object) => {
    ;(types.get(owner) as { links: Record<string, LinkModel> }).links[name] = link
    ;(schemas[owner] as { attributes: Record<string, unknown> }).attributes[name] = definition
    for (const thing of all(owner)) thing.links[name] = []
  }
  for (const [at, { from, to, relation, both }] of relations.entries()) {
    const [owner, target] = [names[from] as string, names[to] as string]
    const name = `r${at}`
    const back = both && owner !== target && relation !== 'oneToMany' ? `${name}back` : undefined
    const many = relation.endsWith('ToMany')
    attribute(
      owner,
      name,
      { target, many },
      {
        ...{ type: 'relation', relation, target: `api::${target}.${target}` },
        ...(back && { inversedBy: back }),
      },
    )
    if (back) {
      const opposite = relation === 'manyToOne' ? 'oneToMany' : relation
      attribute(
        target,
        back,
        { target: owner, many: opposite.endsWith('ToMany') },
        {
          ...{ type: 'relation', relation: opposite, target: `api::${owner}.${owner}`, mappedBy: name },
        },
      )
    }
    // An entry behind an exclusive link is given away once.
    const free = [...all(target)]
    for (const thing of all(owner)) {
      const wanted = many ? next(4) : next(3) === 0 ? 0 : 1
      for (let count = 0; count < wanted; count += 1) {
        const pool = relation.startsWith('oneTo') ? free : all(target)
        const other = pool[next(Math.max(1, pool.length))]
        if (!other || thing.links[name]?.includes(other)) continue
        if (relation.startsWith('oneTo')) free.splice(free.indexOf(other), 1)
        thing.links[name]?.push(other)
        if (back) other.links[back]?.push(thing)
      }
    }
  }
  for (const [at, { of, many }] of parts.entries()) {
    const owner = names[of] as string
    const definition = { type: 'component', component: partName, repeatable: many }
    attribute(owner, `c${at}`, { target: partName, many, part: true }, definition)
    for (const thing of all(owner))
      thing.links[`c${at}`] = Array.from({ length: many ? next(3) : next(2) }, () => ({
        ...{ id: 0, values: valuesOf(part), links: {} },
      }))
  }
  return { types, schemas, components, things }
})
