import { fetched, type PageRequest } from '../../../pages/page/request.js'
import { type TitledMeta, titleIn } from '../../model/extensions.js'
import type { Api, ViewContext } from '../../model/mounts.js'
import { ask } from '../api.js'
import { go } from '../shell/address.js'
import { say } from '../shell/messages.js'
import { meta } from '../shell/session.js'
import { language } from '../text.js'
import type { LoadedModule } from './loading.js'

/** Requests of modules: like those of the page, they wait for a session and for the server. */
export const api: Api = async (path, { method, headers, body, signal } = {}) => {
  if (!path.startsWith('/')) throw new TypeError(`"${path}" does not begin with a slash`)
  const more = { ...(method && { method }), ...(headers && { headers }), ...(signal && { signal }) }
  let last: Response | undefined
  // The module alone reads the response: it may be no text, and large.
  const by = async (request: PageRequest): Promise<Response> => {
    last = await fetched(request)
    const { status, statusText, headers } = last
    return new Response(null, { status, statusText, headers })
  }
  const reply = await ask({ url: `/console/api${path}`, ...more, ...(body !== undefined && { body }), by })
  if (reply.status === 0 || !last) throw new TypeError(reply.text)
  return last
}

export function viewContext({ t }: Pick<LoadedModule, 't'>): ViewContext {
  const { id = 0, name = '', language: own = null } = meta.peek()?.account ?? {}
  return { api, go: address => go(address), say, t, account: { id, name, language: own } }
}

export const titleOf = ({ title }: Pick<TitledMeta, 'title'>): string => titleIn(title, language())
