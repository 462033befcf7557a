import type { Finished, Route, RouteCall, TypeOutline } from '../../core/index.js'
import { locate, queryOf } from './query.js'

type QueryReader = (call: RouteCall, query: string) => Promise<Finished>

/** `QUERY /articles` and `POST /articles/query`; the same for one entry and for single types. */
export function queryRoutes({ uid, kind, singularName, pluralName, displayName }: TypeOutline): Route[] {
  const list: QueryReader = ({ content }, query) => content.find(uid, { query })
  const one: QueryReader = ({ content, params }, query) => content.findOne(uid, params.id, { query })
  const asOne = { accepts: { query: { uid, action: 'findOne' } }, answers: { entry: uid } }
  const asList = { accepts: { query: { uid, action: 'find' } }, answers: { entries: uid } }
  if (kind === 'singleType')
    return inTwoMethods(`/${singularName}`, one, { ...asOne, action: 'find', describe: `the ${displayName}` })
  return [
    ...inTwoMethods(`/${pluralName}`, list, { ...asList, action: 'find', describe: `list ${pluralName}` }),
    ...inTwoMethods(`/${pluralName}/:id`, one, { ...asOne, action: 'findOne', describe: `one of ${pluralName}` }),
  ]
}

type RouteParts = Pick<Route, 'action' | 'accepts' | 'answers'> & { readonly describe: string }

/** Clients that do not know the method QUERY send POST. */
function inTwoMethods(path: string, read: QueryReader, said: RouteParts): Route[] {
  const route = (method: Route['method'], at: string): Route => ({
    ...said,
    method,
    path: at,
    describe: `${said.describe}, the query in the body`,
    body: 'json',
    reads: true,
    run: async call => {
      const query = queryOf(call)
      const found = await read(call, query)
      locate(call.ctx, query)
      return found
    },
  })
  return [route('QUERY', path), route('POST', `${path}/query`)]
}
