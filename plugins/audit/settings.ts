import { BootError, type Registry } from '../../core/index.js'
import { nearest } from '../../core/plugin-kit.js'

const shown = { type: 'string', enum: ['name', 'hash', 'value'] } as const

/** `config/plugins: audit.config` */
export const settings = {
  type: 'object',
  properties: {
    /** Retention of records in days. */
    keep: { type: 'number', minimum: 1, default: 365 },
    /** Detail recorded of a changed attribute: its name, hashes of both values, or both values. */
    show: { ...shown, default: 'name' },
    /** The same for single attributes: `{ 'api::article.article': { title: 'value' } }`. */
    attributes: { type: 'object', additionalProperties: { type: 'object', additionalProperties: shown }, default: {} },
    /** Types whose writes are not recorded: the servers' own notes. */
    except: {
      type: 'array',
      items: { type: 'string' },
      default: [
        'plugin::upload.leftover',
        'plugin::users-permissions.stamp',
        'plugin::users-permissions.session',
        'plugin::users-permissions.login-code',
        'plugin::admin.session',
        'plugin::admin.stamp',
      ],
    },
    /** The secret with which records are sealed and values are hashed. */
    secret: { type: 'string' },
  },
} as const

export type ChangeDetail = (typeof shown.enum)[number]

export interface Settings {
  readonly keep: number
  readonly show: ChangeDetail
  readonly attributes: Readonly<Record<string, Readonly<Record<string, ChangeDetail>>>>
  readonly except: readonly string[]
  readonly secret?: string
}

/** Refuses unknown names, which would silently leave attributes out. */
export function checkNames({ attributes }: Settings, types: Registry['types']): void {
  mustBeKnown('', Object.keys(attributes), [...types.keys()])
  for (const [uid, names] of Object.entries(attributes))
    mustBeKnown(`["${uid}"]`, Object.keys(names), [...(types.get(uid)?.fields.keys() ?? [])])
}

function mustBeKnown(where: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`
  throw new BootError(`config/plugins: audit.config.attributes${where}: there is no "${unknown}"; ${hint}`)
}
