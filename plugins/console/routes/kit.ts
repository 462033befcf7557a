import { NotFoundError, type Route } from '../../../core/index.js'
import { StaticBody } from '../../../core/plugin-kit.js'
import { headersOf } from '../../pages/serving/headers.js'
import { kitModule } from '../model/kit-names.js'
import type { Console } from '../service.js'
import { cached } from './page.js'

const script = new StaticBody('text/javascript; charset=utf-8', kitModule())

/** Controls of the page for modules of extensions: another major version of the server may have others. */
export const kitRoutes: readonly Route<Console>[] = [
  cached({
    ...{ method: 'GET', path: '/console/kit/:file', at: 'root', action: null },
    describe: 'controls of the console for its extensions',
    headers: headersOf().page,
    answers: { media: 'text/javascript' },
    run: ({ service, params }) => {
      const file = `${service.version.split('.')[0]}.js`
      if (params.file === file) return script
      throw new NotFoundError().because(`the kit of this server is /console/kit/${file}`)
    },
  }),
]
