import type { Route } from '../../../core/index.js'
import { headersOf } from '../../pages/serving/headers.js'
import type { Console } from '../service.js'
import { cached } from './page.js'

/** Modules of extensions: like the parts of the page, they tell nothing of the content. */
export const extensionRoutes: readonly Route<Console>[] = [
  cached({
    ...{ method: 'GET', path: '/console/plugins/:name/:hash/*file', at: 'root', action: null },
    describe: 'a module of an extension of the console',
    headers: headersOf().asset,
    answers: { media: '*/*' },
    run: ({ service, params: { name = '', hash = '', file = '' } }) => service.extensions.file(name, hash, file),
  }),
]
