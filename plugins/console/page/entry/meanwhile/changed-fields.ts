import type { Kinds } from '../../../model/form/kinds.js'
import type { PlainItem } from '../../../model/form/plain.js'
import { merge } from '../../../model/merge/merge.js'
import { language, t } from '../../text.js'

/** Names of fields that a sentence has at most. */
const most = 5

/** The labels of the fields that others have changed, as far as the form shows them; empty where it shows none. */
export function changedFields(kinds: Kinds, base: PlainItem, theirs: PlainItem): string {
  const { changes } = merge(kinds, { base, theirs, mine: base })
  const layout = kinds.of(theirs.uid)?.layout.fields
  const labels = changes.flatMap(({ path: [name = '', ...inner] }) =>
    inner.length === 0 ? [layout?.[name]?.label ?? name] : [],
  )
  const rest = labels.length - most
  const named = rest > 0 ? [...labels.slice(0, most), t('meanwhile.more', { count: rest })] : labels
  return new Intl.ListFormat(language(), { type: 'unit', style: 'short' }).format(named)
}
