import type { ContentType, Host } from '../../../core/index.js'
import type { SchemaAttribute, SchemaOfApp, SchemaType } from '../model/schema.js'
import { type FileTexts, filesOf } from './files.js'
import { notWritable } from './write.js'

/** The types and components of the app as they run, and the files that they are in. */
export function schemaOfApp(host: Pick<Host, 'app' | 'types' | 'schemas'>): SchemaOfApp {
  const files = filesOf(host)
  const all = [...host.types.types.values()].map(type => typeOf(type, files))
  return {
    types: all.filter(({ kind }) => kind !== 'component'),
    components: all.filter(({ kind }) => kind === 'component'),
    words: host.schemas.words(),
    ...writableOf(host),
  }
}

function writableOf({ schemas: { writing } }: Pick<Host, 'schemas'>) {
  if (!writing) return { writable: false, notWritable }
  const lastWrite = writing.last()
  return { writable: true, ...(lastWrite && { lastWrite }) }
}

function typeOf(type: ContentType, files: FileTexts): SchemaType {
  const { uid, kind, displayName: name, singularName: singular, pluralName: plural, table, source } = type
  const text = files.text(source)
  return {
    ...{ uid, kind, name, singular, plural, table },
    file: text === undefined ? null : source,
    text: text ?? null,
    settings: settingsOf(type),
    attributes: [
      ...Object.entries(type.attributes).map(([attribute, about]) => attributeOf(attribute, about, type)),
      ...type.unserved.map(unserved => ({ name: unserved, type: 'unserved', options: {}, added: false })),
    ],
  }
}

function settingsOf({ info, options, pluginOptions, indexes, searched, renamedFrom }: ContentType) {
  const { description, icon } = info
  const all = { description, icon, ...options, ...pluginOptions, indexes, search: searched, renamedFrom }
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )
}

function attributeOf(name: string, attribute: object, { added }: ContentType): SchemaAttribute {
  const { type, ...options } = attribute as { readonly type: string }
  return { name, type, options, added: added.includes(name) }
}
