import type { Route, RouteCall } from '../../../core/index.js'
import { headersOf } from '../../pages/serving/headers.js'
import { configuring } from '../model/configuring.js'
import { content, editorOf } from '../routes/editor.js'
import type { Console } from '../service.js'
import type { ViewEditor } from './views.js'

type Call = RouteCall<Console>

const ofPage = { at: 'root', action: null, headers: headersOf().data } as const
const one = { path: '/console/views/:id', answers: { type: 'object' } } as const

/** Saved views of lists, of an account or of all. */
export const viewRoutes: readonly Route<Console>[] = [
  {
    ...{ ...ofPage, method: 'GET', path: '/console/views' },
    describe: 'saved views of lists: the own ones, and those of all editors',
    answers: { type: 'object' },
    run: async call => ({ data: await call.service.views.of(viewEditorOf(call)) }),
  },
  {
    ...{ ...ofPage, method: 'POST', path: '/console/views', body: 'json' },
    describe: 'save a view of a list',
    accepts: { type: 'object' },
    answers: { type: 'object' },
    run: call => call.service.views.add(viewEditorOf(call), call.body),
  },
  {
    ...{ ...ofPage, ...one, method: 'PUT', body: 'json' },
    describe: 'rename a saved view, share it, or give it another list',
    accepts: { type: 'object' },
    run: call => call.service.views.change(viewEditorOf(call), call.params.id ?? '', call.body),
  },
  {
    ...{ ...ofPage, ...one, method: 'DELETE' },
    describe: 'delete a saved view',
    async run(call) {
      await call.service.views.remove(viewEditorOf(call), call.params.id ?? '')
      return {}
    },
  },
]

export function viewEditorOf(call: Pick<Call, 'caller' | 'service'>): ViewEditor {
  const editor = editorOf(call)
  const { types } = call.service.base
  const kindOf = (uid: string) => types.find(type => type.uid === uid)?.kind
  return {
    account: editor.account.id,
    canRead: uid => kindOf(uid) === 'collectionType' && editor.can('find', uid),
    canShare: uid => editor.can(configuring[kindOf(uid) ?? 'collectionType'], content),
  }
}
