import { NotFoundError, type Route } from '../../../core/index.js'
import { headersOf, type PageHeaders } from '../../pages/serving/headers.js'
import { pageRoutes } from '../../pages/serving/routes.js'
import type { Console } from '../service.js'

/** A route whose own rule for caches counts, in place of that for all responses below `/console`. */
export const cached = (route: Route<Console>): Route<Console> => ({
  ...route,
  run: async call => {
    const found = typeof route.run === 'function' ? await route.run(call) : undefined
    call.ctx.remove('Cache-Control')
    return found
  },
})

/** The headers of the page, with the origins of files that are stored elsewhere, and those that its modules connect to. */
export function pageHeaders(files: readonly string[], connects: readonly string[]): PageHeaders {
  const pictures = ["'self'", 'blob:', ...new Set([...files, ...connects])].join(' ')
  return headersOf({
    'img-src': pictures,
    'media-src': pictures,
    'worker-src': "'self'",
    'connect-src': ["'self'", ...connects].join(' '),
    'trusted-types': 'console',
  })
}

const [page, ...parts] = pageRoutes<Console>({
  paths: ['/console'],
  describe: 'the console',
  headers: service => service.headers,
  built: service => service.built(),
}).map(cached) as [Route<Console>, ...Route<Console>[]]

/** The page, at every path below its own that is no other route: a view of it has an address. */
export const consoleRoutes: readonly Route<Console>[] = [
  page,
  ...parts,
  // Each view of the page has an address; parts of it that do not exist are none.
  { ...page, path: '/console/*rest', describe: 'a view of the console' },
  {
    ...{ method: 'ALL', path: '/console/*rest', at: 'root', action: null, credentials: 'ignored', body: 'none' },
    describe: 'nothing: the console has no such route',
    run: ({ ctx }) => {
      throw new NotFoundError().because(`there is no route ${ctx.method} ${ctx.path}`)
    },
  },
]
