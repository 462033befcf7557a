import type { Route } from '../../../core/index.js'
import { CodeError } from '../http/errors.js'
import { readPath } from '../http/paths.js'
import type { RouteInFile } from './route-files.js'

/** A route that refuses, and the file that it would need. */
export interface Refusing {
  readonly file: string
  readonly route: Route
}

/** No endpoint of the server. */
export const nothing = { uid: '', action: '' }

interface Place {
  readonly method: string
  readonly path: string
  readonly at?: 'api' | 'root'
  readonly actsAs: { readonly uid: string; readonly action: string }
  /** The path is in the notation of the server already. */
  readonly isRead?: boolean
}

export function routeOf({ method, path: given, at, actsAs, isRead }: Place, file: string): Refusing {
  const { uid, action } = actsAs
  const route: Route = {
    method: method as Route['method'],
    ...(isRead ? { path: given } : readPath(given)),
    ...(at === 'root' && { at }),
    first: true,
    action: null,
    credentials: 'ignored',
    body: method === 'GET' || method === 'DELETE' ? 'none' : 'raw',
    describe: `needs ${file}, which does not run`,
    replaces: true,
    actsAs: actsAs === nothing ? nothing : { uid, action },
    run: () => {
      throw new CodeError({
        status: 501,
        name: 'NotImplementedError',
        message: `This route needs the code of the project in ${file}, which is switched off: by --no-code, STELE_STRAPI_CODE=0 or 'strapi-code': false in config/plugins`,
        details: {},
      })
    },
  }
  return { file, route }
}

/** A route of a plugin that a file writes out; `usual` is the place of routes that name none. */
export const ofPlugin = ({ method = 'ALL', path: at, prefix, source }: RouteInFile, usual: string): Refusing =>
  routeOf({ method, path: (prefix ?? usual) + at, actsAs: nothing }, source.place)
