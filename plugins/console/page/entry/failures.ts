import { errorMessageOf, type Reply } from '../../../pages/page/request.js'
import type { TypeMeta } from '../../model/meta.js'
import { t } from '../text.js'

/** What kept a write from being done, and what to do about it. */
export function failureText(reply: Reply, { plural }: TypeMeta): string {
  const { status, headers } = reply
  if (status === 0 || (status >= 502 && status <= 504)) return t('entry.unreachable')
  if (status === 403) return t('entry.forbidden', { type: plural, message: errorMessageOf(reply) ?? '' })
  if (status >= 500) return t('entry.failed', { id: headers.get('x-request-id') ?? '–' })
  return errorMessageOf(reply) ?? t('entry.failed', { id: headers.get('x-request-id') ?? '–' })
}
