import { NotFoundError, type Route } from '../../../core/index.js'
import type { BuiltPage } from './built.js'
import type { PageHeaders } from './headers.js'

interface PageRoutes<Service> {
  /** The paths of the page; the files that it loads stand below the first one, which is that of the plugin's name. */
  readonly paths: readonly [string, ...string[]]
  readonly describe: string
  readonly headers: PageHeaders | ((service: Service) => PageHeaders)
  readonly built: (service: Service) => BuiltPage
}

/** The routes of a page and of the files that it loads. A browser opens them without credentials: they tell nothing of the app. */
export function pageRoutes<Service>({ paths, describe, headers, built }: PageRoutes<Service>): Route<Service>[] {
  const kept = (kind: keyof PageHeaders) =>
    typeof headers === 'function' ? (service: Service) => headers(service)[kind] : headers[kind]
  const open = { method: 'GET', at: 'root', action: null } as const
  return [
    ...paths.map(
      (path): Route<Service> => ({
        ...open,
        ...{ path, describe, headers: kept('page') },
        answers: { media: 'text/html' },
        run: ({ service }) => built(service).page,
      }),
    ),
    {
      ...open,
      path: `${paths[0]}/assets/:name`,
      describe: `a part of ${describe}`,
      headers: kept('asset'),
      answers: { media: '*/*' },
      run({ service, params }) {
        const found = built(service).assets.get(params.name ?? '')
        if (!found) throw new NotFoundError()
        return found
      },
    },
  ]
}
