import { createTestApp, definePlugin, type TestApp, type TestAppOptions } from '../../../../core/index.js'
import { useUsualRoutes } from '../../../../core/plugin-kit.js'
import { admin } from '../../../../plugins/admin/index.js'
import type { ProjectFolder } from '../../../strapi4/project.js'
import { addFiles, copyEditors } from '../project.js'

/** Knows editors by the id in a header, and routes what they ask for as `admin` does; everything else is that of the plugin. */
export const byHeader = definePlugin({
  name: 'editors-by-header',
  uses: [admin],
  register: host => host.service(admin),
  authenticate: {
    before: 'others',
    async run({ headers }, { accounts, rights }) {
      const id = Number(headers['x-editor'] ?? 0)
      const account = id > 0 ? await accounts.byId(id) : undefined
      return account && rights.callerOf(account)
    },
  },
  middleware: [
    {
      before: 'routing',
      run: () => (ctx, next) => {
        if (ctx.headers['x-editor'] !== undefined) useUsualRoutes(ctx)
        return next()
      },
    },
  ],
})

/** The accounts of the recorded project. */
export const people = { ada: 1, edda: 2, anton: 3, anna: 4, tina: 5, tom: 6, tess: 7, rita: 8 } as const
export type Person = keyof typeof people

type Json = Readonly<Record<string, unknown>>

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Replied {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every kind.
  readonly body: any
}

/** Asks as an editor. */
export async function ask(app: TestApp, id: number, { method, path, body, headers }: Asked): Promise<Replied> {
  const reply = await app.inject({
    method,
    url: path,
    headers: { 'x-editor': String(id), ...headers },
    ...(body !== undefined && { payload: body as Json }),
  })
  return { status: reply.statusCode, body: reply.body === '' ? undefined : JSON.parse(reply.body) }
}

export interface EditorsProject {
  readonly app: TestApp
  readonly project: ProjectFolder
  readonly as: (person: Person, method: Asked['method'], path: string, body?: unknown) => Promise<Replied>
  close(): Promise<void>
}

/** The recorded project with its editors, and with the plugins of a test. */
export async function openProjectOfEditors(
  plugins: TestAppOptions['plugins'] = [],
  config: TestAppOptions['config'] = {},
  files: Readonly<Record<string, string>> = {},
): Promise<EditorsProject> {
  const project = copyEditors()
  addFiles(project, files)
  const app = await createTestApp({
    app: project.folder,
    plugins: [byHeader, ...plugins],
    config: { ...config, database: { client: 'sqlite', filename: project.database } },
  })
  return {
    app,
    project,
    as: (person, method, path, body) => ask(app, people[person], { method, path: `/api${path}`, body }),
    async close() {
      await app.close()
      project.remove()
    },
  }
}
