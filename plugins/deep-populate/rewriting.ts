import { type Ask, type ContentType, type Link, type Raw, ValidationError } from '../../core/index.js'
import { asList } from '../../core/plugin-kit.js'
import type { DeepOptions } from './settings.js'
import { DeepTree, type Tree, TreeLimitError } from './tree.js'
import { readDeep } from './words.js'

/** A query in which every `deep` is replaced by what it stands for. */
export function inFull(raw: Raw, { type, view = type, can }: Ask, options: DeepOptions): Raw {
  return new Rewriting(can, options).node(raw, view, [])
}

/** The full form of a `populate` of a program, which may find everything; the same where it does not say `deep`. */
export function ofCode(type: ContentType, populate: unknown, options: DeepOptions): unknown {
  return new Rewriting(() => true, { ...options, showsPrivate: true }).node({ populate }, type, []).populate
}

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && asList(value) === undefined

class Rewriting {
  readonly #can: Ask['can']
  readonly #options: DeepOptions

  constructor(can: Ask['can'], options: DeepOptions) {
    this.#can = can
    this.#options = options
  }

  /** The parameters of a level of the query, with a `populate` that says `deep` in full. */
  node(raw: Raw, type: ContentType, path: readonly string[]): Raw {
    const { populate } = raw
    if (populate === undefined || populate === null) return raw
    const at = [...path, 'populate']
    const deep = type.links.has('deep') ? undefined : readDeep(populate, at)
    if (deep) return { ...raw, populate: this.#tree(type, deep.depth, at) }
    if (!isObject(populate)) return raw
    return { ...raw, populate: mapped(populate, (value, name) => this.#wish(value, linkAt(type, name), [...at, name])) }
  }

  /** The value of one populated attribute. */
  #wish(value: unknown, link: Link | undefined, path: readonly string[]): unknown {
    if (!link || !isObject(value)) return value
    const types = link.types()
    if (link.shape === 'zone' && !types.some(({ links }) => links.has('deep'))) {
      const deep = readDeep(value.populate, [...path, 'populate'])
      if (deep) return { ...without(value, 'populate'), on: this.#zone(types, deep.depth, [...path, 'populate']) }
    }
    const on = isObject(value.on)
      ? { on: mapped(value.on, (inner, uid) => this.#inZone(inner, types, uid, [...path, 'on', uid])) }
      : {}
    const [type, ...others] = types
    return type && others.length === 0 ? { ...this.node(value, type, path), ...on } : { ...value, ...on }
  }

  #inZone(value: unknown, types: readonly ContentType[], uid: string, path: readonly string[]): unknown {
    const type = types.find(one => one.uid === uid)
    return type && isObject(value) ? this.node(value, type, path) : value
  }

  /** `populate[zone][populate]=deep`: each component that may stand there. */
  #zone(types: readonly ContentType[], depth: number | undefined, path: readonly string[]): Raw {
    return Object.fromEntries(types.map(type => [type.uid, { populate: this.#tree(type, depth, path) }]))
  }

  #tree(type: ContentType, said: number | undefined, path: readonly string[]): Tree {
    const depth = said ?? this.#options.depthOf(type.uid)
    const tree = this.#treeOf(type, depth)
    if (tree) return tree
    throw this.#refusal(type, depth, path)
  }

  #treeOf(type: ContentType, depth: number, options = this.#options): Tree | undefined {
    try {
      return new DeepTree(this.#can, options).of(type, depth)
    } catch (error) {
      if (error instanceof TreeLimitError) return undefined
      throw error
    }
  }

  /** Says which depth would do, and whether it is circles that cost so much. */
  #refusal(type: ContentType, depth: number, path: readonly string[]): ValidationError {
    const { statements, cutsCycles } = this.#options
    let fits = 1
    while (fits + 1 < depth && this.#treeOf(type, fits + 1)) fits += 1
    const ways = [
      ...(fits > 1 ? [`ask for deep,${fits}`] : []),
      'ask for the relations that you need',
      'raise rest.limits.statements',
      ...(!cutsCycles && this.#treeOf(type, depth, { ...this.#options, cutsCycles: true })
        ? ['set cycles of the plugin deep-populate to "cut"']
        : []),
    ]
    const [first = 'populate', ...others] = path
    const name = first + others.map(part => `[${part}]`).join('')
    const message = `${name}: deep,${depth} of ${type.uid} needs more than ${statements} statements; ${ways.join(', or ')}`
    return new ValidationError(message, {
      parameter: name,
      errors: [{ path: [...path], message, name: 'ValidationError' }],
    })
  }
}

const mapped = (raw: Raw, change: (value: unknown, name: string) => unknown): Raw =>
  Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, change(value, name)]))

function without(raw: Raw, name: string): Raw {
  const { [name]: _, ...rest } = raw
  return rest
}

/** The link at the end of a name such as `author.address`. */
function linkAt(type: ContentType, name: string): Link | undefined {
  const [first = '', ...rest] = name.split('.')
  const link = type.links.get(first)
  if (rest.length === 0) return link
  const [inner] = link?.types() ?? []
  return inner && linkAt(inner, rest.join('.'))
}
