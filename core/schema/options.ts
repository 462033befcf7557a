/** JSON schemas of the options of an attribute type beside the common ones. */
export type OptionSchemas = Readonly<Record<string, object>>

/** The values of such options, as code that has checked them may read them. */
export type OptionsOf<Schemas> = { readonly [Name in keyof Schemas]?: OptionOf<Schemas[Name]> }

type OptionOf<Schema> = Schema extends { readonly type: 'array'; readonly items: infer Item }
  ? readonly OptionOf<Item>[]
  : Schema extends { readonly type: readonly (infer Name)[] }
    ? ByName<Name>
    : Schema extends { readonly type: infer Name }
      ? ByName<Name>
      : unknown

/** A union where there are several names. */
type ByName<Name> = Name extends 'string'
  ? string
  : Name extends 'integer' | 'number'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'object'
        ? Readonly<Record<string, unknown>>
        : unknown
