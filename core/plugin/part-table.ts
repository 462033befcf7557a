import { BootError } from '../errors.js'
import { nodeParams } from '../query/node.js'
import type { EnabledPlugin, RawPlugin } from './arrange.js'
import {
  checkChecks,
  checkFieldTypes,
  checkFormats,
  checkHides,
  checkHooks,
  checkJobs,
  checkMiddleware,
  checkObserve,
  checkOnce,
  checkOwnTypes,
  checkParams,
  checkShares,
  checkUses,
  checkWords,
  type PartKind,
} from './check-plugin.js'
import { actionsIn, commandsIn, filesIn, jobsIn, requestHeadersIn, routesIn } from './declared.js'

interface PartRow {
  readonly kinds: readonly PartKind[]
  /** Refuses what is wrong within it, which only a request would find out. */
  readonly check?: (plugin: EnabledPlugin) => void
  /** What only one plugin of an app may declare. */
  readonly claims?: (plugin: EnabledPlugin) => readonly string[]
}

const text: PartRow = { kinds: ['text'] }
const list: PartRow = { kinds: ['list'] }
const object: PartRow = { kinds: ['object'] }
const method: PartRow = { kinds: ['function'] }
/** A list, or a function of the settings that returns one. */
const bySettings: PartRow = { kinds: ['list', 'function'] }

/** The parts of a plugin, in the order in which they are written: a part that has no row here does not exist. */
export const parts: Readonly<Record<keyof RawPlugin, PartRow>> = {
  name: text,
  describe: text,
  uses: { ...list, check: checkUses },
  config: object,
  shares: { ...object, check: checkShares },
  standardIn: object,
  words: { ...object, check: plugin => checkWords(plugin, requestHeadersIn(plugin)) },
  appliesTo: method,
  contentTypes: {
    ...list,
    check: checkOwnTypes,
    claims: ({ spec: { contentTypes = [] } }) => contentTypes.map(({ uid }) => `content type ${uid}`),
  },
  attributes: { kinds: ['object', 'function'] },
  fieldTypes: {
    ...list,
    check: checkFieldTypes,
    claims: ({ spec: { fieldTypes = [] } }) => fieldTypes.map(({ name }) => `field type "${name}"`),
  },
  hides: { ...object, check: checkHides },
  params: { ...object, check: checkParams, claims: paramsOf },
  verify: method,
  register: method,
  authenticate: method,
  hooks: { ...object, check: checkHooks },
  middleware: { ...list, check: checkMiddleware },
  routes: { ...bySettings, claims: plugin => routesIn(plugin).map(({ method, path }) => `route ${method} ${path}`) },
  actions: { ...list, check: plugin => void actionsIn(plugin) },
  bodies: { ...list, claims: ({ spec: { bodies = [] } }) => bodies.map(({ type }) => `body ${type}`) },
  formats: {
    ...object,
    check: checkFormats,
    claims: ({ spec: { formats = {} } }) => Object.keys(formats).map(name => `format "${name}"`),
  },
  commands: {
    ...list,
    claims: ({ spec }) => [
      ...commandsIn(spec).map(({ name }) => `command "${name}"`),
      ...filesIn(spec).map(({ file }) => `option --${file} of stele types`),
    ],
  },
  checks: { ...list, check: checkChecks },
  jobs: { ...bySettings, check: plugin => checkJobs(plugin.spec.name, jobsIn(plugin)) },
  observe: { ...object, check: checkObserve },
  reload: object,
  caching: method,
  once: { ...list, check: checkOnce },
  transfer: object,
}

export const rows = Object.entries(parts) as readonly (readonly [keyof RawPlugin, PartRow])[]

const ownParams = [...Object.keys(nodeParams), 'pagination', 'page', 'pageSize', 'start', 'limit']

function paramsOf({ spec: { name: plugin, params = {} } }: EnabledPlugin): string[] {
  return Object.keys(params).map(name => {
    if (!ownParams.includes(name)) return `parameter "${name}"`
    throw new BootError(`plugin ${plugin} declares the parameter "${name}", which is core's own`)
  })
}
