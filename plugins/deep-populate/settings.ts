import { BootError, type Host, type SettingsOf, type Starting } from '../../core/index.js'
import { nearest } from '../../core/plugin-kit.js'
import { Costs } from './costs.js'

const depth = { type: 'integer', minimum: 1, maximum: 999 } as const

/** `config/plugins: deep-populate.config` */
export const schema = {
  type: 'object',
  properties: {
    /** The depth of `populate=deep`: the entry itself is the first level. */
    defaultDepth: { ...depth, default: 5 },
    /** Other depths for single types, by their uids: `{ 'api::page.page': { defaultDepth: 3 } }`. */
    types: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { defaultDepth: depth },
        required: ['defaultDepth'],
        additionalProperties: false,
      },
      default: {},
    },
    /** Leaves out `createdBy` and `updatedBy` where a type shows them. */
    skipCreatorFields: { type: 'boolean', default: true },
    /** `cut`: a type that is on the way already is not followed again. `follow`: the depth alone ends a circle. */
    cycles: { enum: ['cut', 'follow'], default: { spec: 'cut', strapi4: 'follow' } },
  },
} as const

type Settings = SettingsOf<typeof schema>

/** The settings, and the limits of the app. */
export interface DeepOptions {
  readonly depthOf: (uid: string) => number
  readonly skipsCreators: boolean
  readonly cutsCycles: boolean
  /** Relations that no response shows are populated as well. */
  readonly showsPrivate?: true
  /** The maximum number of statements of a response. */
  readonly statements: number
}

/** Refuses depths for types that do not exist. */
export function checkTypes({ app, config, types }: Starting<Settings>): void {
  const known = [...types.types.keys()]
  const stray = Object.keys(config.types).find(uid => !known.includes(uid))
  // A project of another server starts as it did there; a depth for no type has no effect.
  if (stray === undefined || app.project !== 'stele') return
  const near = nearest(stray, known)
  const meant = near === undefined ? 'expected the uid of a type' : `did you mean "${near}"?`
  throw new BootError(`config/plugins: deep-populate.config.types: there is no type "${stray}"; ${meant}`)
}

export function optionsOf(app: Host['app'], config: Settings): DeepOptions {
  const depths = config.types as Readonly<Record<string, { readonly defaultDepth: number }>>
  return {
    depthOf: uid => (Object.hasOwn(depths, uid) ? depths[uid]?.defaultDepth : undefined) ?? config.defaultDepth,
    skipsCreators: config.skipCreatorFields,
    cutsCycles: config.cycles === 'cut',
    statements: app.api.rest.limits.statements,
  }
}

/** The cost of responses is told while developing: times and numbers reveal rows that a caller may not see. */
export const costOf = ({ environment }: Host['app']): Costs | undefined =>
  environment === 'production' ? undefined : new Costs()
