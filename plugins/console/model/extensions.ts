/** Additions of plugins and of the app to the page, as `meta.json` has them. */
export interface ExtensionsMeta {
  readonly fields: readonly AttributeModuleMeta[]
  readonly cells: readonly AttributeModuleMeta[]
  readonly pages: readonly PageMeta[]
  readonly actions: readonly ActionMeta[]
  readonly widgets: readonly TitledMeta[]
  /** Addresses of files with texts, by plugin and language. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface ModuleMeta {
  readonly plugin: string
  /** The name of its file. */
  readonly name: string
  /** Its address, which changes with its content. */
  readonly module: string
}

export interface AttributeModuleMeta extends ModuleMeta {
  /** The uid of a custom field, or attributes of a type with an option. */
  readonly for: string | { readonly type: string; readonly option: string; readonly is: unknown }
}

export interface TitledMeta extends ModuleMeta {
  readonly title: Title
}

export interface PageMeta extends TitledMeta {
  /** Its address below `/console/x/`. */
  readonly path: string
}

export interface ActionMeta extends TitledMeta {
  readonly where: 'list' | 'entry'
  /** Uids; absent for all. */
  readonly types?: readonly string[]
}

/** One text, or one for each language. */
export type Title = string | Readonly<Record<string, string>>

/** A title in a language, or else in English, or in any. */
export const titleIn = (title: Title, language: string): string =>
  typeof title === 'string' ? title : (title[language] ?? title.en ?? Object.values(title)[0] ?? '')

/** An attribute, as far as modules are chosen by it. */
interface ExtendedAttribute {
  readonly type: string
  readonly customField?: string
  readonly options?: Readonly<Record<string, unknown>>
}

/** The module for an attribute: that of its custom field, or one for an option of its type. */
export function moduleFor(
  modules: readonly AttributeModuleMeta[],
  { type, customField, options = {} }: ExtendedAttribute,
): AttributeModuleMeta | undefined {
  return modules.find(({ for: wanted }) =>
    typeof wanted === 'string'
      ? wanted === customField
      : wanted.type === type && Object.hasOwn(options, wanted.option) && options[wanted.option] === wanted.is,
  )
}
