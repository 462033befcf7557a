import { NotFoundError, type Route, type RouteCall } from '../../core/index.js'
import type { StaticBody } from '../../core/plugin-kit.js'
import { headersOf } from '../pages/serving/headers.js'
import { packed } from '../pages/serving/packed.js'
import { pageRoutes } from '../pages/serving/routes.js'
import type { Explorer } from './explorer.js'
import type { Access } from './settings.js'
import { welcomePage } from './welcome.js'

type Call = RouteCall<Explorer>
type Gate = Pick<Route, 'action' | 'uid' | 'open'>

const headers = headersOf()

export const routesFor = ({ access }: { readonly access: Access }): readonly Route<Explorer>[] => [
  {
    method: 'GET',
    at: 'root',
    action: null,
    path: '/',
    describe: 'what runs here',
    answers: { media: 'text/html' },
    headers: headers.page,
    run: welcome,
  },
  ...pageRoutes<Explorer>({
    paths: ['/explorer'],
    describe: 'the explorer',
    headers,
    built: service => service.built(),
  }),
  {
    ...{ method: 'GET', at: 'root', ...gateOf(access) },
    path: '/explorer/meta.json',
    describe: 'what the app consists of',
    answers: { type: 'object' },
    headers: headers.data,
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
    headers: headers.data,
    run: ({ service, caller }) => service.caller(caller),
  },
]

/** The gate of the app's description: it requires the permission, unless access is open. */
function gateOf(access: Access): Gate {
  if (access === 'open') return { action: null }
  const gate: Gate = { action: 'read', uid: 'plugin::explorer.metadata' }
  return access === 'developing' ? { ...gate, open: 'developing' } : gate
}

/** The start page describes the app only if access is open: a browser that opens a page has no credentials. */
async function welcome({ service, caller }: Call): Promise<StaticBody> {
  if (!service.isOpen) throw new NotFoundError().because('the explorer requires a permission here')
  const text = welcomePage(service.metadata(), service.caller(caller), service.built())
  return packed('text/html; charset=utf-8', text)
}
