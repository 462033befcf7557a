import { type Config, NotFoundError, type Route } from '../../../core/index.js'
import { headersOf } from '../../pages/serving/headers.js'
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

/** The page, at every path below its own that is no other route: a view of it has an address. */
export function consoleRoutes(files: readonly string[]): readonly Route<Console>[] {
  const pictures = ["'self'", 'blob:', ...files].join(' ')
  const headers = headersOf({
    'img-src': pictures,
    'media-src': pictures,
    'worker-src': "'self'",
    'trusted-types': 'console',
  })
  const [page, ...parts] = pageRoutes<Console>({
    paths: ['/console'],
    describe: 'the console',
    headers,
    built: service => service.built(),
  }).map(cached) as [Route<Console>, ...Route<Console>[]]
  return [
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
}

/** The origin of the address that the settings of `upload` give its files, where those are stored elsewhere. */
export function storageOf({ plugins }: Pick<Config, 'plugins'>): readonly string[] {
  const { baseUrl } = Object(Object(plugins.upload?.config).providerOptions) as { readonly baseUrl?: unknown }
  return typeof baseUrl === 'string' && /^https?:/.test(baseUrl) && URL.canParse(baseUrl)
    ? [new URL(baseUrl).origin]
    : []
}
