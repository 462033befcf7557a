import { NotFoundError, type Route, type RouteCall } from '../../core/index.js'
import type { StaticBody } from '../../core/plugin-kit.js'
import { packed } from './body.js'
import type { Explorer } from './explorer.js'
import { assetHeaders, dataHeaders, pageHeaders } from './headers.js'
import type { Access } from './settings.js'
import { welcomePage } from './welcome.js'

type Call = RouteCall<Explorer>
type Gate = Pick<Route, 'action' | 'uid' | 'open'>

/** Routes that a browser opens without credentials: the page itself reveals nothing about the app. */
const page = { method: 'GET', at: 'root', action: null } as const

export const routesFor = ({ access }: { readonly access: Access }): readonly Route<Explorer>[] => [
  {
    ...page,
    path: '/',
    describe: 'what runs here',
    answers: { media: 'text/html' },
    headers: pageHeaders,
    run: welcome,
  },
  {
    ...page,
    path: '/explorer',
    describe: 'the explorer',
    answers: { media: 'text/html' },
    headers: pageHeaders,
    run: ({ service }) => service.built().page,
  },
  {
    ...page,
    path: '/explorer/assets/:name',
    describe: 'a part of the explorer',
    answers: { media: '*/*' },
    headers: assetHeaders,
    run: asset,
  },
  {
    ...{ method: 'GET', at: 'root', ...gateOf(access) },
    path: '/explorer/meta.json',
    describe: 'what the app consists of',
    answers: { type: 'object' },
    headers: dataHeaders,
    run: ({ service }) => service.description(),
  },
  {
    ...{ method: 'GET', at: 'root', ...gateOf(access) },
    path: '/explorer/caller.json',
    describe: 'what the caller may do',
    answers: {
      type: 'object',
      properties: { can: { type: 'object' }, choices: { type: 'object' } },
      required: ['can', 'choices'],
    },
    headers: dataHeaders,
    run: ({ service, caller }) => service.caller(caller),
  },
]

/** The gate of the app's description: it requires the permission, unless access is open. */
function gateOf(access: Access): Gate {
  if (access === 'open') return { action: null }
  const gate: Gate = { action: 'read', uid: 'plugin::explorer.metadata' }
  return access === 'developing' ? { ...gate, open: 'developing' } : gate
}

function asset({ service, params }: Call): StaticBody {
  const found = service.built().assets.get(params.name ?? '')
  if (!found) throw new NotFoundError()
  return found
}

/** The start page describes the app only if access is open: a browser that opens a page has no credentials. */
async function welcome({ service, caller }: Call): Promise<StaticBody> {
  if (!service.isOpen) throw new NotFoundError().because('the explorer requires a permission here')
  const text = welcomePage(service.metadata(), service.caller(caller), service.built())
  return packed('text/html; charset=utf-8', text)
}
