import type { Collations } from '../languages.js'
import type { Session } from '../session.js'
import type { Collation } from '../words.js'
import { words } from './words.js'

/** MariaDB's names of the orders that differ from Unicode's own; Norwegian sorts as Danish does, Finnish as Swedish. */
const names: Readonly<Record<string, string>> = {
  ...{ bs: 'croatian', cs: 'czech', da: 'danish', eo: 'esperanto', es: 'spanish', et: 'estonian', fa: 'persian' },
  ...{ fi: 'swedish', hr: 'croatian', hu: 'hungarian', is: 'icelandic', lt: 'lithuanian', lv: 'latvian', nb: 'danish' },
  ...{ nn: 'danish', no: 'danish', pl: 'polish', ro: 'romanian', si: 'sinhala', sk: 'slovak', sl: 'slovenian' },
  ...{ sv: 'swedish', tr: 'turkish', vi: 'vietnamese' },
}
/** Languages that MySQL has under another tag than their own. */
const alike: Readonly<Record<string, string>> = { bs: 'hr', fi: 'sv', no: 'nb' }

/** Orders in which accents and letter case decide last, of the newest Unicode that the server knows. */
export async function collationsOf(session: Session): Promise<Collations> {
  const rows = await session.all('select collation_name from information_schema.collations', [])
  const all = new Set(rows.map(([name]) => String(name)))
  const first = (...wanted: (string | false)[]) => wanted.find(name => name !== false && all.has(name)) || undefined
  return tag => {
    const name = names[tag]
    const language = tag.includes('-') ? undefined : (alike[tag] ?? tag)
    // A region has no order of its own here.
    if (language === undefined) return undefined
    const ofMysql = first(`utf8mb4_${language}_0900_as_cs`, `utf8mb4_${language}_0900_as_cs_ks`)
    if (ofMysql) return ofMysql
    if (name) return first(`uca1400_${name}_nopad_as_cs`) ?? first(`utf8mb4_${name}_ci`)
    return first('utf8mb4_0900_as_cs', 'uca1400_nopad_as_cs', 'utf8mb4_unicode_ci')
  }
}

/** Characters by which rows are sorted: the server compares the first 1024 bytes of a rank, and the whole of texts. */
const ranked = 100

/** Columns of an older database may have another character set, which has other orders. */
export const sortedBy = (name: string): Collation => ({
  of: column =>
    `left(convert(${column} using utf8mb4) collate ${words.quote(name.replace(/^uca/, 'utf8mb4_uca'))}, ${ranked})`,
  rank: compared => `weight_string(${compared})`,
})
