/** The part `console` of a plugin, and of `config/console`: what it adds to the page. */
export interface ConsolePart {
  /** The folder with the modules: from the file of the plugin, or absolute. */
  readonly folder?: string
  /** Editors of fields. */
  readonly fields?: readonly AttributeModule[]
  /** Values in lists. */
  readonly cells?: readonly AttributeModule[]
  /** Views of their own, with a link in the navigation. */
  readonly pages?: readonly (TitledModule & { readonly path: string })[]
  /** Actions on chosen entries of a list, or on the entry of a form. */
  readonly actions?: readonly (TitledModule & {
    readonly where: 'list' | 'entry'
    /** Names of types or their uids; all without it. */
    readonly types?: readonly string[]
  })[]
  /** Parts of the start page. */
  readonly widgets?: readonly TitledModule[]
  /** Files with texts, by languages. */
  readonly texts?: Readonly<Record<string, string>>
  /** Origins that modules send requests to, and show pictures of. */
  readonly connects?: readonly string[]
}

/** The uid of a custom field, or attributes of a type with an option. */
export type Attributes = string | { readonly type: string; readonly option: string; readonly is: unknown }

export interface AttributeModule {
  readonly for: Attributes
  readonly module: string
}

export interface TitledModule {
  /** One text, or one for each language. */
  readonly title: string | Readonly<Record<string, string>>
  readonly module: string
  /** The permission that it needs, as roles have it. */
  readonly right?: string
}

declare module '../../../core/plugin-kit.js' {
  interface PluginParts {
    /** Additions to the page for editors. */
    console: ConsolePart
  }
}

/** The keys of `config/console` that are extensions of the app. */
export const appKeys = ['fields', 'cells', 'pages', 'actions', 'widgets', 'texts', 'connects'] as const
