import type { SettingsOf, TypeOutline } from '../../core/index.js'

const boolean = { type: 'boolean', default: false } as const
const mode = { enum: ['none', 'allow', 'deny'] } as const
/** `true` or `false`, or some of its methods: `{ GET: true, POST: false }`. */
const chosen = {
  type: 'object',
  additionalProperties: { type: ['boolean', 'object'], additionalProperties: { type: 'boolean' } },
  default: {},
} as const

/** `config/plugins: transformer.config` */
export const schema = {
  type: 'object',
  properties: {
    responseTransforms: {
      type: 'object',
      properties: {
        /** Attributes stand beside the `id` of an entry. */
        removeAttributesKey: boolean,
        /** Relations and files are the entry, a list or `null` themselves. */
        removeDataKey: boolean,
      },
      additionalProperties: false,
      default: {},
    },
    requestTransforms: {
      type: 'object',
      properties: {
        /** Bodies of `POST` and `PUT` may be the data themselves. */
        wrapBodyWithDataKey: boolean,
      },
      additionalProperties: false,
      default: {},
    },
    /** The types of the app that it is about: all of them, those of `uids`, or all but those. */
    contentTypeFilter: {
      type: 'object',
      properties: { mode: { ...mode, default: 'none' }, uids: chosen },
      additionalProperties: false,
      default: {},
    },
    /** The plugins whose content types it is about: none without `ids`. */
    plugins: {
      type: 'object',
      properties: { mode: { ...mode, default: 'allow' }, ids: chosen },
      additionalProperties: false,
      default: {},
    },
  },
} as const

export type Settings = SettingsOf<typeof schema>

type Choices = Readonly<Record<string, unknown>>

export const removedBy = ({ responseTransforms: { removeAttributesKey, removeDataKey } }: Settings) => ({
  attributes: removeAttributesKey,
  data: removeDataKey,
})

const methods: Readonly<Record<string, string>> = {
  find: 'GET',
  findOne: 'GET',
  create: 'POST',
  update: 'PUT',
  delete: 'DELETE',
}

/** The actions on a type that are transformed. */
export function actionsOf(settings: Settings, { uid }: Pick<TypeOutline, 'uid'>): string[] {
  const [, kind, owner = ''] = /^(api|plugin)::([^.]+)\./.exec(uid) ?? []
  if (kind === undefined) return []
  const { mode, choices, key } = kind === 'api' ? ofApp(settings, uid) : ofPlugin(settings, owner)
  if (mode === undefined) return []
  const choice = Object.hasOwn(choices, key) ? choices[key] : false
  return Object.keys(methods).filter(action => isChosen(mode, choice, methods[action] as string))
}

function ofApp({ contentTypeFilter: { mode, uids } }: Settings, key: string) {
  const choices = uids as Choices
  return { mode: isEmpty(choices) ? 'none' : mode, choices, key }
}

function ofPlugin({ plugins: { mode, ids } }: Settings, key: string) {
  const choices = ids as Choices
  return { mode: isEmpty(choices) ? undefined : mode, choices, key }
}

const isEmpty = (choices: Choices): boolean => Object.keys(choices).length === 0

/** A method that is not named follows its type. */
function isChosen(mode: string, choice: unknown, method: string): boolean {
  if (mode === 'none') return true
  const said = typeof choice === 'boolean' ? choice : (Object(choice) as Choices)[method]
  return mode === 'allow' ? said !== false : said !== true
}
