import type { Host, Route, TypeOutline } from '../../core/index.js'
import { asPatch } from './merge.js'

/** `PATCH /articles/1` and `PATCH /homepage`, under the permission to update. */
export function patchRoutes({ uid, kind, singularName, pluralName, displayName }: TypeOutline): Route<Host>[] {
  const isSingle = kind === 'singleType'
  return [
    {
      method: 'PATCH',
      path: isSingle ? `/${singularName}` : `/${pluralName}/:id`,
      action: 'update',
      describe: `change parts of ${isSingle ? `the ${displayName}` : `one of ${pluralName}`}`,
      body: 'json',
      asksAs: { uid, action: 'update' },
      accepts: { input: uid },
      answers: { entry: uid },
      run: ({ body, params, content }) => content.update(uid, params.id, asPatch(Object(body).data)),
    },
  ]
}
