import type { Route, RouteCall } from '../../../core/index.js'
import type { EditorCaller } from '../rights/caller.js'
import type { KeptRights } from '../rights/kept-rights.js'
import { noSession } from '../sessions/callers.js'
import { objectShape, own, sessionShape, text } from '../sessions/shapes.js'
import { editorOf, type SignInService, shownAccount, shownSession } from '../sessions/sign-in.js'

/** Reads what a plugin keeps about an account, as JSON for its owner: never secrets, nor their hashes. */
export type OwnDataReader = (editor: EditorCaller) => Promise<unknown>

/** The parts of plugins in what the server keeps about an account, by the names that they have in the export. */
export class OwnData {
  readonly #parts = new Map<string, OwnDataReader>()

  add(name: string, read: OwnDataReader): void {
    this.#parts.set(name, read)
  }

  async of(editor: EditorCaller): Promise<Readonly<Record<string, unknown>>> {
    const parts = await Promise.all([...this.#parts].map(async ([name, read]) => [name, await read(editor)] as const))
    return Object.fromEntries(parts)
  }
}

interface OwnDataService extends SignInService {
  readonly ownData: OwnData
  readonly rights: Pick<KeptRights, 'callerOf' | 'roles'>
}

export const ownDataRoutes: readonly Route<OwnDataService>[] = [
  {
    ...own,
    method: 'GET',
    path: '/console/session/data',
    describe: "what the server keeps about the editor's own account, as a file",
    headers: { 'Content-Disposition': 'attachment; filename="account.json"' },
    answers: objectShape(
      {
        ...{ exported: text, account: { type: 'object' }, roles: { type: 'array', items: { type: 'object' } } },
        sessions: { type: 'array', items: sessionShape },
      },
      ['exported', 'account', 'roles', 'sessions'],
    ),
    run: exported,
  },
]

async function exported({ ctx, service }: RouteCall<OwnDataService>) {
  const { rights, sessions, ownData } = service
  const { account } = editorOf(service, ctx)
  const editor = rights.callerOf(account)
  if (!editor) throw noSession()
  const held = rights.roles.filter(({ id }) => account.roles.includes(id))
  return {
    exported: new Date().toISOString(),
    account: { ...shownAccount(account), state: account.state },
    roles: held.map(({ id, code, name }) => ({ id, code, name })),
    sessions: (await sessions.of(account.id)).map(shownSession),
    ...(await ownData.of(editor)),
  }
}
