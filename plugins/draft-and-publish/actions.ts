import type { Ask, Route, TypeOutline } from '../../core/index.js'

const publish = 'publish'
const unpublish = 'unpublish'

/** True if a write runs under the permission to publish; other requests may set a date of their own. */
export const isPublishing = ({ permission }: Pick<Ask, 'permission'>): boolean => permission === publish

/** `POST /articles/1/actions/publish` and `/unpublish`, each with a permission of its own. */
export function publishRoutes({ uid, kind, singularName, pluralName }: TypeOutline): Route[] {
  const isSingle = kind === 'singleType'
  const entry = isSingle ? `/${singularName}` : `/${pluralName}/:id`
  const what = isSingle ? `the ${singularName}` : `one of ${pluralName}`
  const route = (action: string, describe: string, date: () => string | null): Route => ({
    method: 'POST',
    path: `${entry}/actions/${action}`,
    action,
    describe,
    body: 'none',
    asksAs: { uid, action: 'update' },
    answers: { entry: uid },
    run: ({ params, content }) => content.update(uid, params.id, { publishedAt: date() }, { permission: action }),
  })
  return [
    route(publish, `publish ${what}`, () => new Date().toISOString()),
    route(unpublish, `make ${what} a draft again`, () => null),
  ]
}
