import { endpointsOf } from '../../../boot/endpoints.js'
import type { BootOptions } from '../../../boot/start.js'
import type { Endpoint } from '../../../http/endpoint.js'
import { isOpen } from '../../../http/gate.js'
import type { Caller } from '../../../query/ask.js'
import { findApp, openApp } from '../app.js'
import type { Io } from '../io.js'
import { type ListOptions, printList } from './table.js'

/** Lists every route, and whether it needs credentials. The database is read and never changed. */
export async function listRoutes(options: ListOptions, io: Io): Promise<void> {
  const found = await findApp(options, io, 'look', 'error')
  const { registry, plugins } = await openApp(found, 'outline')
  const visitor = await visitorOf(found, io)
  const { prefix } = found.config.api
  const rows = endpointsOf(registry, plugins).map(origin => {
    const { method, path, at, action, uid, describe } = origin.endpoint
    return {
      method,
      path: at === 'root' ? path : prefix + path,
      permission: action === undefined ? null : `${uid}.${action}`,
      public: isPublic(origin.endpoint, visitor, found.config.environment),
      plugin: origin.plugin ?? null,
      describe: describe ?? null,
    }
  })
  const byPath = rows.sort((a, b) =>
    a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1,
  )
  printList(byPath, options, io, row => ({ ...row, public: words[String(row.public) as keyof typeof words] }))
}

const methods = ['ALL', 'GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']
const words = { true: 'yes', false: 'no', null: '?' }

function isPublic(endpoint: Endpoint, visitor: Caller | undefined, environment: string): boolean | null {
  const { action, uid, credentials } = endpoint
  if (credentials === 'needed') return false
  if (isOpen(endpoint, environment)) return true
  return visitor ? visitor.can(action as string, uid as string) : null
}

/** The anonymous caller; undefined, with a message, if the app cannot start. */
async function visitorOf(found: BootOptions, { stderr }: Io): Promise<Caller | undefined> {
  try {
    const app = await openApp(found, 'app')
    try {
      return await app.visitor()
    } finally {
      await app.close()
    }
  } catch (error) {
    stderr.write(`who may do what is not known: ${(error as Error).message}\n`)
    return undefined
  }
}
