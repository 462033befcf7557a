import type { Bag, Loose } from '../../types.js'
import { type Access, mayFollow } from './access.js'
import { isMorphTo, isPrivateAttribute, type Model } from './content-types.js'
import { isPlain } from './traverse-entity.js'

const creators: readonly string[] = ['createdBy', 'updatedBy']

/** The fate of an attribute of entries on their way out: undefined where it goes, or how its value is cleaned. */
type Rule = ((value: Loose) => Loose) | undefined

/** Entries on their way out, for one caller: the rules of each type are found once. */
export class OutputSanitizer {
  readonly #access: Access
  readonly #rules = new Map<Model, Map<string, Rule>>()

  constructor(access: Access) {
    this.#access = access
  }

  /** An entry or several without what no client, or not this one, may see; other values as they are. */
  clean(value: Loose, model: Model | undefined): Loose {
    if (Array.isArray(value)) return value.map(one => this.clean(one, model))
    if (!isPlain(value) || model?.attributes === undefined) return value
    const rules = this.#rulesOf(model)
    const copy: Bag = {}
    for (const key of Object.keys(value)) {
      const one = value[key]
      let rule = rules.get(key)
      if (rule === undefined && !rules.has(key)) {
        rule = this.#ruleOf(model, key)
        rules.set(key, rule)
      }
      if (rule === undefined) continue
      copy[key] = rule === asItIs ? one : rule(one)
    }
    return copy
  }

  #rulesOf(model: Model): Map<string, Rule> {
    const known = this.#rules.get(model) ?? new Map<string, Rule>()
    this.#rules.set(model, known)
    return known
  }

  #ruleOf(model: Model, key: string): Rule {
    const attribute = model.attributes[key]
    if (attribute?.type === 'password' || isPrivateAttribute(model, key)) return undefined
    if (!attribute) return asItIs
    const { getModel } = this.#access
    switch (attribute.type) {
      case 'relation':
        return this.#relation(model, key, attribute)
      case 'media':
        return value => this.clean(value, getModel('plugin::upload.file'))
      case 'component':
        return value => this.clean(value, getModel(attribute.component))
      case 'dynamiczone':
        return value => each(value, one => this.clean(one, getModel(one?.__component)))
      default:
        return asItIs
    }
  }

  #relation(model: Model, key: string, attribute: Bag): Rule {
    const { getModel } = this.#access
    if (creators.includes(key) && model.options?.populateCreatorFields)
      return value => this.clean(value, getModel(attribute.target))
    if (!isMorphTo(attribute))
      return mayFollow(this.#access, attribute.target)
        ? value => this.clean(value, getModel(attribute.target))
        : undefined
    const shown = (one: Loose) => mayFollow(this.#access, one?.__type)
    const clean = (one: Loose) => this.clean(one, getModel(one?.__type))
    return value => {
      if (Array.isArray(value)) return value.filter(shown).map(clean)
      return value === null || value === undefined || shown(value) ? clean(value) : undefined
    }
  }
}

const asItIs = (value: Loose): Loose => value

const each = (value: Loose, work: (one: Loose) => Loose): Loose =>
  Array.isArray(value) ? value.map(work) : work(value)
