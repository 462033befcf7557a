import { ForbiddenError, type Route, type RouteCall } from '../../../core/index.js'
import { headersOf } from '../../pages/serving/headers.js'
import { bodyWith } from '../schema/candidate.js'
import { schemaOfApp } from '../schema/described.js'
import { planOf, refused } from '../schema/plan.js'
import { write } from '../schema/write.js'
import type { Console } from '../service.js'
import { editorOf } from './editor.js'

type Call = RouteCall<Console>

const ofPage = { at: 'root', action: null, headers: headersOf().data } as const

const planned = { files: { type: 'object' }, removals: { type: 'boolean' } } as const

/** The schema of the app, for Super Admins. */
export const schemaRoutes: readonly Route<Console>[] = [
  {
    ...ofPage,
    method: 'GET',
    path: '/console/schema.json',
    describe: 'the content types and components of the app, with their files',
    answers: { type: 'object' },
    run: async call => {
      assertSuperAdmin(call)
      return { data: await refused(() => schemaOfApp(call.service.host)) }
    },
  },
  {
    ...ofPage,
    method: 'POST',
    path: '/console/schema/plan',
    reads: true,
    body: 'json',
    describe: 'the changes of files and database that other schema files would mean; nothing is written',
    accepts: { type: 'object', properties: planned },
    answers: { type: 'object' },
    run: async call => {
      assertSuperAdmin(call)
      const request = bodyWith(['files', 'removals'], call.body)
      return { data: await refused(async () => (await planOf(call.service.host, request)).plan) }
    },
  },
  {
    ...ofPage,
    method: 'POST',
    path: '/console/schema/write',
    body: 'json',
    describe: 'write schema files as their plan showed it, under `stele dev`; the server starts again with them',
    accepts: {
      type: 'object',
      properties: { ...planned, seal: { type: 'string' }, loses: { type: 'integer' } },
      required: ['seal'],
    },
    answers: { 202: { type: 'object' } },
    run: async call => {
      assertSuperAdmin(call)
      const { host } = call.service
      const request = bodyWith(['files', 'removals', 'seal', 'loses'], call.body)
      const data = await refused(() => write(host, request, call.caller))
      host.log.info({ by: call.caller.actor, files: data.files }, 'schema files are written')
      call.ctx.status = 202
      return { data }
    },
  },
]

function assertSuperAdmin(call: Call): void {
  if (!editorOf(call).isSuperAdmin) throw new ForbiddenError().because('the schema is for Super Admins')
}
