import type { ContentType, Link } from '../../../core/index.js'

/** The way from an entry of a type to another entry: through components, and by the attribute of the last one. */
export interface LinkPath {
  readonly type: ContentType
  /** The names of the attributes, with dots. */
  readonly name: string
  readonly steps: readonly Step[]
}

/** One link of the way, and the type that has it. */
export interface Step {
  readonly type: ContentType
  readonly link: Link
}

/** The ways by which entries of some types may lead to entries of another one. */
export const pathsTo = (target: ContentType, types: Iterable<ContentType>): LinkPath[] =>
  [...types]
    .filter(({ kind }) => kind !== 'component')
    .flatMap(type => stepsTo(target, type, []).map(steps => ({ type, name: nameOf(steps), steps })))

function stepsTo(target: ContentType, type: ContentType, before: readonly Step[]): (readonly Step[])[] {
  return [...type.links.values()].flatMap((link): (readonly Step[])[] => {
    const steps = [...before, { type, link }]
    if (!link.embedded) return isShown(type, link) && leadsTo(link, target) ? [steps] : []
    // A component within itself is looked into once.
    const inner = link.types().filter(part => !steps.some(step => step.type.uid === part.uid))
    return inner.flatMap(part => stepsTo(target, part, steps))
  })
}

/** Attributes of schema files; those of the server and of plugins lead to what belongs to the entry itself. */
const isShown = (type: ContentType, { name, attribute }: Link): boolean =>
  Object.hasOwn(type.attributes, name) && !type.added.includes(name) && attribute.configurable !== false

/** The other side of a link is seen in the target itself, and no link of its own. */
const leadsTo = ({ targets, owning, inverse, attribute }: Link, { uid }: ContentType): boolean =>
  (targets === undefined || targets.includes(uid)) &&
  (owning !== false || inverse === undefined) &&
  attribute.morphBy === undefined

const nameOf = (steps: readonly Step[]): string => steps.map(({ link }) => link.name).join('.')
