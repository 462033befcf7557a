import type { ContentType } from '../../core/index.js'

/** A content type in the words of Strapi 4's builder. */
export function describeType(type: ContentType) {
  const { uid, kind, singularName, pluralName, displayName, info, options, pluginOptions, table } = type
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
      visible: (pluginOptions['content-type-builder'] as { visible?: unknown } | undefined)?.visible !== false,
      restrictRelationsTo: restrictionOf(uid),
    },
  }
}

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
      pluginOptions,
      attributes: attributesOf(type),
    },
  }
}

/** To which kinds of relations a type is restricted as a target. */
function restrictionOf(uid: string): readonly string[] | null {
  if (uid === 'plugin::users-permissions.user') return ['oneWay', 'manyWay']
  return uid === 'plugin::upload.file' ? [] : null
}

type Attribute = ContentType['attributes'][string] & Readonly<Record<string, unknown>>

/** What the schema file says; what the server and its plugins added is not part of it. */
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
