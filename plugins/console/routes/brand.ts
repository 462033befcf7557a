import { NotFoundError, type Route } from '../../../core/index.js'
import { headersOf } from '../../pages/serving/headers.js'
import type { Console } from '../service.js'
import { cached } from './page.js'

/** The logo and the colours of the app: the sign-in shows them, too. */
export const brandRoutes: readonly Route<Console>[] = [
  cached({
    ...{ method: 'GET', path: '/console/brand/:file', at: 'root', action: null },
    describe: 'the logo and the colours of the console',
    headers: headersOf().asset,
    answers: { media: '*/*' },
    run: ({ service, params: { file = '' } }) => {
      const found = service.brand.file(file)
      if (!found) throw new NotFoundError()
      return found
    },
  }),
]
