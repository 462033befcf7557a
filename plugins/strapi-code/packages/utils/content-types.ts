import type { Bag, CodeType, Loose } from '../../types.js'

/** Names of attributes that the server has itself. */
export const constants = {
  ID_ATTRIBUTE: 'id',
  PUBLISHED_AT_ATTRIBUTE: 'publishedAt',
  CREATED_BY_ATTRIBUTE: 'createdBy',
  UPDATED_BY_ATTRIBUTE: 'updatedBy',
  CREATED_AT_ATTRIBUTE: 'createdAt',
  UPDATED_AT_ATTRIBUTE: 'updatedAt',
  SINGLE_TYPE: 'singleType',
  COLLECTION_TYPE: 'collectionType',
} as const

/** A type as code hands it over: of our own making, or of its. */
export type Model = Pick<CodeType, 'attributes'> & Partial<CodeType>

const stamps: readonly string[] = ['createdAt', 'updatedAt']
const creators: readonly string[] = ['createdBy', 'updatedBy']

export const isSingleType = ({ kind = 'collectionType' }: Model): boolean => kind === 'singleType'
export const isCollectionType = (model: Model): boolean => !isSingleType(model)
export const isKind =
  (kind: string) =>
  (model: Model): boolean =>
    (model.kind ?? 'collectionType') === kind

export const getOptions = ({ options = {} }: Model): Bag => ({ draftAndPublish: false, ...options })
export const hasDraftAndPublish = (model: Model): boolean => model.options?.draftAndPublish === true
export const isDraft = (entry: Bag, model: Model): boolean => hasDraftAndPublish(model) && entry.publishedAt === null

const typeOf = (attribute: Bag | undefined): Loose => attribute?.type
export const isMediaAttribute = (attribute: Bag): boolean => typeOf(attribute) === 'media'
export const isDynamicZoneAttribute = (attribute: Bag): boolean => typeOf(attribute) === 'dynamiczone'
export const isComponentAttribute = (attribute: Bag): boolean =>
  typeOf(attribute) === 'component' || isDynamicZoneAttribute(attribute)
export const isRelationalAttribute = (attribute: Bag): boolean => typeOf(attribute) === 'relation'
export const isScalar = (attribute: Bag): boolean =>
  !isRelationalAttribute(attribute) && !isComponentAttribute(attribute) && !isMediaAttribute(attribute)
export const isTypedAttribute = (attribute: Bag, type: string): boolean => typeOf(attribute) === type

export const isScalarAttribute = isScalar
export const getScalarAttributes = (model: Model): string[] => namesOf(model, isScalar)
export const getMediaAttributes = (model: Model): string[] => namesOf(model, isMediaAttribute)
export const getComponentAttributes = (model: Model): string[] => namesOf(model, isComponentAttribute)
export const getRelationalAttributes = (model: Model): string[] => namesOf(model, isRelationalAttribute)
export const getTimestamps = ({ attributes }: Model): string[] => stamps.filter(name => Object.hasOwn(attributes, name))
export const getNonVisibleAttributes = (model: Model): string[] => [
  ...new Set(['id', ...getTimestamps(model), ...namesOf(model, ({ visible }) => visible === false)]),
]
export const getVisibleAttributes = (model: Model): string[] => {
  const hidden = getNonVisibleAttributes(model)
  return Object.keys(model.attributes).filter(name => !hidden.includes(name))
}
export const getNonWritableAttributes = (model: Model): string[] => [
  ...new Set(['id', ...stamps, ...creators, ...namesOf(model, ({ writable }) => writable === false)]),
]
export const getWritableAttributes = (model: Model): string[] => {
  const fixed = getNonWritableAttributes(model)
  return Object.keys(model.attributes).filter(name => !fixed.includes(name))
}
export const isVisibleAttribute = (model: Model, name: string): boolean => getVisibleAttributes(model).includes(name)
export const isWritableAttribute = (model: Model, name: string): boolean => getWritableAttributes(model).includes(name)

const namesOf = ({ attributes }: Model, test: (attribute: Bag) => boolean): string[] =>
  Object.keys(attributes).filter(name => test(attributes[name] as Bag))

/** The attributes that no response shows, by the settings of the app, of the type and of each attribute. */
export function getPrivateAttributes(model: Model): string[] {
  const everywhere: readonly string[] = settings()?.get('api.responses.privateAttributes', []) ?? []
  const ofType: readonly string[] = model.options?.privateAttributes ?? []
  return [...new Set([...everywhere, ...ofType, ...namesOf(model, attribute => attribute.private === true)])]
}

export function isPrivateAttribute(model: Model, name: string): boolean {
  const attribute = model.attributes?.[name]
  if (attribute?.private === true) return true
  if (creators.includes(name) && attribute !== undefined) return model.options?.populateCreatorFields !== true
  return (
    model.options?.privateAttributes?.includes(name) === true ||
    settings()?.get('api.responses.privateAttributes', [])?.includes(name) === true
  )
}

/** The settings of the app whose code runs: these functions are given a type alone. */
const settings = (): Loose => (globalThis as Bag).strapi?.config

export const getGlobalId = (model: Model, modelName: string, prefix?: string): string =>
  (model as Bag).globalId ?? [prefix, modelName].filter(Boolean).map(capital).join('')

const capital = (text: Loose): string =>
  String(text)
    .split(/[^a-zA-Z0-9]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

export const contentTypes = {
  constants,
  isSingleType,
  isCollectionType,
  isKind,
  getOptions,
  hasDraftAndPublish,
  isDraft,
  isMediaAttribute,
  isDynamicZoneAttribute,
  isComponentAttribute,
  isRelationalAttribute,
  isScalarAttribute,
  isTypedAttribute,
  getScalarAttributes,
  getMediaAttributes,
  getComponentAttributes,
  getRelationalAttributes,
  getTimestamps,
  getNonVisibleAttributes,
  getVisibleAttributes,
  getNonWritableAttributes,
  getWritableAttributes,
  isVisibleAttribute,
  isWritableAttribute,
  getPrivateAttributes,
  isPrivateAttribute,
  getGlobalId,
}

const anyTarget: readonly string[] = ['morphTo', 'morphToOne', 'morphToMany']
const toMany: readonly string[] = ['oneToMany', 'manyToMany', 'manyWay', 'morphMany', 'morphToMany']

export const relations = {
  getRelationalFields: getRelationalAttributes,
  isOneToAny: ({ relation }: Bag): boolean => ['oneToOne', 'oneToMany'].includes(relation),
  isManyToAny: ({ relation }: Bag): boolean => ['manyToMany', 'manyToOne'].includes(relation),
  isAnyToOne: ({ relation }: Bag): boolean => ['oneToOne', 'manyToOne'].includes(relation),
  isAnyToMany: ({ relation }: Bag): boolean => ['oneToMany', 'manyToMany'].includes(relation),
  isPolymorphic: ({ relation }: Bag): boolean => ['morphOne', 'morphMany', ...anyTarget].includes(relation),
  isMorphToRelationalAttribute: (attribute: Bag): boolean => isMorphTo(attribute),
  VALID_RELATION_ORDERING_KEYS: { strict: (value: Loose) => typeof value === 'boolean' },
}

/** A relation that leads to entries of any type. */
export const isMorphTo = (attribute: Bag): boolean =>
  typeOf(attribute) === 'relation' && anyTarget.includes(attribute.relation)
export const isToMany = (attribute: Bag): boolean =>
  typeOf(attribute) === 'media' ? attribute.multiple === true : toMany.includes(attribute.relation)
