import type { ContentType } from '../../core/index.js'

/** A content type in the words of Strapi 4's builder. Types of plugins are described as they are here. */
export function describeType(type: ContentType) {
  const { uid, kind, singularName, pluralName, displayName, info, pluginOptions, table } = type
  const { format: _, ...options } = type.options
  const isHidden = uid.startsWith('plugin::') && uid !== accounts
  return {
    uid,
    ...(uid.startsWith('plugin::') && { plugin: uid.slice('plugin::'.length, uid.lastIndexOf('.')) }),
    apiID: singularName,
    schema: {
      draftAndPublish: false,
      ...options,
      displayName,
      singularName,
      pluralName,
      description: info.description ?? '',
      pluginOptions,
      kind,
      collectionName: table,
      attributes: attributesOf(type),
      visible: !isHidden && isVisible(pluginOptions['content-type-builder']),
      restrictRelationsTo: isHidden ? [] : null,
    },
  }
}

/** The one type of a plugin that apps build on. */
const accounts = 'plugin::users-permissions.user'

const isVisible = (options: unknown): boolean => (options as { visible?: unknown } | undefined)?.visible !== false

export function describeComponent(type: ContentType) {
  const { uid, singularName, displayName, info, pluginOptions, table } = type
  return {
    uid,
    category: uid.slice(0, uid.indexOf('.')),
    apiId: singularName,
    schema: {
      icon: info.icon,
      displayName,
      description: info.description ?? '',
      collectionName: table,
      ...(Object.keys(pluginOptions).length > 0 && { pluginOptions }),
      attributes: attributesOf(type),
    },
  }
}

type Attribute = ContentType['attributes'][string] & Readonly<Record<string, unknown>>

/** Attributes from the schema file, without those added by the server and its plugins. */
function attributesOf({ attributes, added }: ContentType): Record<string, unknown> {
  const own = Object.entries(attributes).filter(([name, { visible }]) => !added.includes(name) && visible !== false)
  return Object.fromEntries(own.map(([name, attribute]) => [name, describeAttribute(attribute as Attribute)]))
}

function describeAttribute(attribute: Attribute): unknown {
  const { type, required, pluginOptions } = attribute
  const common = {
    configurable: attribute.configurable === false ? false : undefined,
    private: attribute.private === true,
    pluginOptions,
  }
  if (type === 'media')
    return {
      type,
      multiple: attribute.multiple === true,
      required: required === true,
      ...common,
      allowedTypes: attribute.allowedTypes,
    }
  if (type !== 'relation') return attribute
  return { ...attribute, targetAttribute: attribute.inversedBy ?? attribute.mappedBy ?? null, ...common }
}
