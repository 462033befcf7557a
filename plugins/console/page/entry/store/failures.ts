import { errorMessageOf, type Reply } from '../../../../pages/page/request.js'
import type { TypeMeta } from '../../../model/meta.js'
import { t } from '../../text.js'

export type WriteAction = 'create' | 'update' | 'publish' | 'unpublish' | 'delete'

/** The reason why a write was not done, and what to do about it. */
export function failureText(reply: Reply, { plural }: TypeMeta, action?: WriteAction): string {
  const { status, headers } = reply
  if (status === 0 || (status >= 502 && status <= 504)) return t('entry.unreachable')
  if (status === 403 && action) return t(`forbidden.${action}`, { type: plural })
  if (status === 403) return t('entry.forbidden', { type: plural, message: errorMessageOf(reply) ?? '' })
  if (status >= 500) return t('entry.failed', { id: headers.get('x-request-id') ?? '–' })
  return errorMessageOf(reply) ?? t('entry.failed', { id: headers.get('x-request-id') ?? '–' })
}
