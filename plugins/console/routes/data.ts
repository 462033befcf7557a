import { ForbiddenError, type Route, type RouteCall } from '../../../core/index.js'
import { headersOf } from '../../pages/serving/headers.js'
import { configuring } from '../model/configuring.js'
import type { Console } from '../service.js'
import { content, editorOf } from './editor.js'
import { cached } from './page.js'

type Call = RouteCall<Console>

const ofPage = { at: 'root', action: null, headers: headersOf().data } as const
const layout = { path: '/console/layouts/:uid', answers: { type: 'object' } } as const

/** Requests of the page beside the API, in the name of an editor. */
export const dataRoutes: readonly Route<Console>[] = [
  cached({
    ...ofPage,
    method: 'GET',
    path: '/console/meta.json',
    describe: 'what the app consists of, as far as the editor may see it',
    answers: { type: 'object' },
    run: call => call.service.description(editorOf(call)),
  }),
  {
    ...{ ...ofPage, ...layout },
    method: 'GET',
    describe: 'the layout of the list and the form of a type',
    run: call => call.service.layouts.of(configurable(call)),
  },
  {
    ...{ ...ofPage, ...layout },
    method: 'PUT',
    body: 'json',
    describe: 'change parts of the layout of a type, for all editors',
    accepts: { type: 'object' },
    run: call => call.service.layouts.change(configurable(call), call.body),
  },
  {
    ...{ ...ofPage, ...layout },
    method: 'DELETE',
    describe: 'let a type have the layout by default again',
    run: call => call.service.layouts.reset(configurable(call)),
  },
  {
    ...ofPage,
    method: 'GET',
    path: '/console/links/:uid/:id',
    describe: 'what leads to an entry or a file, by attribute',
    answers: { type: 'object' },
    run: call => call.service.links(editorOf(call), call),
  },
  {
    ...ofPage,
    method: 'GET',
    path: '/console/rights/:uid/:id',
    describe: 'the fields of an entry that the editor may write',
    answers: { type: 'object', properties: { update: { type: 'array', items: { type: 'string' } } } },
    run: call => call.service.rights(editorOf(call), call),
  },
  {
    ...ofPage,
    method: 'GET',
    path: '/console/choices/:uid',
    describe: 'entries of a type without a view, for relations that the editor may write',
    answers: { type: 'array' },
    run: call => call.service.choices(editorOf(call), call),
  },
]

/** The type whose layout the editor may change. */
function configurable(call: Call): string {
  const editor = editorOf(call)
  const { uid = '' } = call.params
  const type = call.service.base.all.get(uid)
  const rights = !type ? Object.values(configuring) : [configuring[type.isComponent ? 'component' : type.kind]]
  if (rights.some(right => editor.can(right, content))) return uid
  throw new ForbiddenError().because(`the editor needs ${rights.map(right => `${content}.${right}`).join(' or ')}`)
}
