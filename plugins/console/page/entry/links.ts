import { isDone } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import type { TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { base } from '../shell/address.js'

/** Entries that lead to an entry by one attribute. */
export interface LinkGroup {
  readonly uid: string
  /** With dots, where it stands in components. */
  readonly attribute: string
  readonly total: number
  readonly isMore: boolean
  readonly entries: readonly { readonly id: number; readonly title: unknown; readonly locale?: unknown }[]
}

/** The links that lead to an entry; undefined where the server does not say. */
export async function linksTo({ uid }: Pick<TypeMeta, 'uid'>, id: number): Promise<readonly LinkGroup[] | undefined> {
  const reply = await ask({ url: `${base}/links/${uid}/${id}` })
  const data = isRecord(reply.body) ? reply.body.data : undefined
  return isDone(reply) && Array.isArray(data) ? data : undefined
}
