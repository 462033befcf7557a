import type { Route } from '../../../core/index.js'
import { authUid } from '../routes/uids.js'
import * as shapes from '../shapes.js'
import type { Connect } from './index.js'

/** The part of the plugin's service that the routes use. */
export interface ConnectService {
  readonly connect: Connect
}

/** The paths and the actions of Strapi 4, so that providers and front ends keep the addresses they know. */
export const connectRoutes: readonly Route<ConnectService>[] = [
  {
    method: 'GET',
    path: '/connect/:provider',
    uid: authUid,
    action: 'connect',
    describe: 'sign in through a provider',
    answers: { 302: 'nothing' },
    run: ({ ctx, params, service }) => service.connect.begin(ctx, params.provider as string),
  },
  {
    method: 'GET',
    path: '/connect/:provider/callback',
    uid: authUid,
    action: 'connect',
    describe: 'where a provider sends the browser back to',
    asks: { code: { type: 'string' }, state: { type: 'string' } },
    answers: { 302: 'nothing' },
    run: ({ ctx, params, service }) => service.connect.finish(ctx, params.provider as string),
  },
  {
    method: 'GET',
    path: '/auth/:provider/callback',
    uid: authUid,
    action: 'callback',
    describe: 'the account of who signed in through a provider',
    asks: { access_token: { type: 'string' } },
    answers: shapes.signedIn,
    run: ({ ctx, params, query, service }) =>
      service.connect.exchange(ctx, params.provider as string, query.access_token),
  },
]
