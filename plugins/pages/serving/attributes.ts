import type { AppOutline, ContentType, Field, Link } from '../../../core/index.js'
import { isRequired } from '../../../core/plugin-kit.js'
import type { AttributeInfo, FieldInfo, LinkInfo, OperatorInfo } from '../values/attributes.js'

type Dialect = AppOutline['dialect']

/** The attributes of a type, in the order of the schema file, followed by those of the server and of plugins. */
export function attributesOf(type: ContentType, dialect: Dialect, isShown = isUsable): AttributeInfo[] {
  const names = [...type.fields.keys(), ...type.links.keys()]
  const inFile = Object.keys(type.attributes).filter(name => names.includes(name) && !type.added.includes(name))
  const own = new Set(inFile)
  return [...inFile, ...names.filter(name => !own.has(name))].flatMap((name): AttributeInfo[] => {
    const field = type.fields.get(name)
    const link = type.links.get(name)
    if (field) return [fieldInfo(field, type, !own.has(name), dialect)]
    return link && isShown(link) ? [linkInfo(link, !own.has(name), dialect)] : []
  })
}

/** Links that only the server follows are nothing to build a query of. */
export const isUsable = ({ attribute, readable, writable }: Link): boolean =>
  attribute.visible !== false && (readable || writable || attribute.private === true)

/** The operators for values of attributes; those around conditions are no part of it. */
export const operatorsOf = ({ operators }: Pick<AppOutline, 'operators'>): OperatorInfo[] =>
  operators.flatMap(({ name, describe, takes, families, types }): OperatorInfo[] =>
    takes === 'group' || takes === 'groups' ? [] : [{ name, describe, takes, families, ...given({ types }) }],
  )

function fieldInfo(field: Field, { kind }: ContentType, added: boolean, dialect: Dialect): FieldInfo {
  const { name, type, attribute, readable, writable, madeFrom } = field
  // The server makes a value that is not sent.
  const isMade = dialect.madeUids && kind !== 'component' && madeFrom !== undefined
  return {
    kind: 'field',
    ...{ name, type: type.name, readable, writable, family: type.operators },
    ...rulesOf(attribute, added, attribute.required === true && !isMade),
    ...given({
      unique: attribute.unique === true || type.unique === true || undefined,
      default: attribute.default,
      enum: attribute.enum as readonly string[] | undefined,
      minLength: attribute.minLength as number | undefined,
      maxLength: attribute.maxLength as number | undefined,
      regex: attribute.regex as string | undefined,
      madeFrom,
    }),
  }
}

function linkInfo(link: Link, added: boolean, dialect: Dialect): LinkInfo {
  const { name, attribute, readable, writable, shape, many, targets, listed } = link
  const { open, embedded, exclusive, only, polymorphic } = link
  return {
    kind: 'link',
    ...{ name, type: attribute.type, readable, writable, shape, many },
    ...rulesOf(attribute, added, isRequired(link, dialect)),
    ...given({ targets, listed, only, relation: attribute.relation as string | undefined }),
    ...given({ accepts: attribute.allowedTypes as readonly string[] | undefined }),
    followed: shape !== 'zone' && targets?.length === 1 && polymorphic !== true,
    open: open === true,
    embedded: embedded === true,
    ...(exclusive === true && { exclusive }),
  }
}

function rulesOf(attribute: Field['attribute'], added: boolean, required: boolean) {
  const { i18n } = (attribute.pluginOptions ?? {}) as { readonly i18n?: { readonly localized?: unknown } }
  return given({
    required: required || undefined,
    private: attribute.private === true || undefined,
    added: added || undefined,
    localized: i18n?.localized === true || undefined,
    min: attribute.min as number | undefined,
    max: attribute.max as number | undefined,
    customField: attribute.customField as string | undefined,
    options: attribute.options as Readonly<Record<string, unknown>> | undefined,
  })
}

/** Leaves out undefined values: the text becomes shorter, and means the same. */
export function given<T extends object>(table: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
