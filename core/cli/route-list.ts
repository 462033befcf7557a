import type { Caller } from '../hooks.js'
import { type Endpoint, endpointsOf } from '../http/endpoints.js'
import { type BootOptions, boot, outline } from '../kernel.js'
import { type AppOptions, findApp } from './app.js'
import { printList } from './table.js'

/** Lists what answers where, and whether it does without credentials. The database is read and never changed. */
export async function listRoutes(options: AppOptions & { readonly json?: true }): Promise<void> {
  const found = await findApp(options, 'look', 'error')
  const { registry, plugins } = await outline(found)
  const visitor = await visitorOf(found)
  const { prefix } = found.config.api
  const rows = endpointsOf(registry, plugins).map(origin => {
    const { method, path, at, action, uid, describe } = origin.endpoint
    return {
      method,
      path: at === 'root' ? path : prefix + path,
      permission: action === undefined ? null : `${uid}.${action}`,
      public: isPublic(origin.endpoint, visitor),
      plugin: 'plugin' in origin ? origin.plugin : null,
      describe: describe ?? null,
    }
  })
  const byPath = rows.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  printList(byPath, options.json, row => ({ ...row, public: words[String(row.public) as keyof typeof words] }))
}

const words = { true: 'yes', false: 'no', null: '?' }

function isPublic({ action, uid, credentials }: Endpoint, visitor: Caller | undefined): boolean | null {
  if (credentials === 'needed') return false
  if (action === undefined) return true
  return visitor ? visitor.can(action, uid as string) : null
}

/** Who asks without credentials; undefined where only a start can tell, which is said. */
async function visitorOf(found: BootOptions): Promise<Caller | undefined> {
  try {
    const app = await boot(found)
    try {
      return await app.visitor()
    } finally {
      await app.close()
    }
  } catch (error) {
    process.stderr.write(`who may do what is not known: ${(error as Error).message}\n`)
    return undefined
  }
}
