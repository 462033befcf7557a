import type { SearchTerm } from '../../query/search/terms.js'
import { type TextSearch, triggerEvents } from '../search.js'
import { words } from './words.js'

const { quote: q } = words

/** A table of FTS5 that keeps its texts: without them it would need the old values of rows, which `replace` does not tell triggers. */
export const search: TextSearch = {
  version: 1,
  followsAll: true,
  countsWithPage: false,
  create({ name, table, fields }) {
    const columns = fields.map(({ column }) => q(column))
    const trigger = (event: string, when: string, body: string) =>
      `create trigger ${q(`${name}_${event}`)} after ${when} begin ${body} end`
    const add = `insert into ${q(name)} (rowid, ${columns.join(', ')}) values (new.id, ${columns.map(column => folded(`new.${column}`)).join(', ')});`
    const remove = (row: string) => `delete from ${q(name)} where rowid = ${row}.id;`
    const differs = ['id', ...columns].map(column => `old.${column} is not new.${column}`).join(' or ')
    return [
      `create virtual table ${q(name)} using fts5(${columns.join(', ')}, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'")`,
      trigger('insert', `insert on ${q(table)}`, `${remove('new')} ${add}`),
      trigger(
        'update',
        `update of id, ${columns.join(', ')} on ${q(table)} when ${differs}`,
        `${remove('old')} ${remove('new')} ${add}`,
      ),
      trigger('delete', `delete on ${q(table)}`, remove('old')),
    ]
  },
  fill({ name, table, fields }) {
    const columns = fields.map(({ column }) => q(column))
    const texts = columns.map(folded).join(', ')
    return [
      `insert into ${q(name)} (rowid, ${columns.join(', ')}) select id, ${texts} from ${q(table)} where id not in (select rowid from ${q(name)})`,
    ]
  },
  drop: name => [
    ...triggerEvents.map(event => `drop trigger if exists ${q(`${name}_${event}`)}`),
    `drop table if exists ${q(name)}`,
  ],
  found: `select i.name, (select max(t.tbl_name) from sqlite_master t where t.type = 'trigger'
      and t.name in (i.name || '_insert', i.name || '_update', i.name || '_delete') having count(*) = 3)
    from sqlite_master i where i.type = 'table' and i.name like 'stele\\_search\\_%' escape '\\' and i.sql like 'create virtual%'`,
  ids: ({ name }, terms) => ({
    text: `select rowid as id from ${q(name)} where ${q(name)} match ?`,
    values: [matchOf(terms)],
  }),
  scores({ name, fields }, terms) {
    const weights = fields.map(({ weight }) => `${weight}.0`).join(', ')
    return {
      text: `select rowid as id, -bm25(${q(name)}, ${weights}) as score from ${q(name)} where ${q(name)} match ?`,
      values: [matchOf(terms)],
    }
  },
}

/** `"a b" and "c" * not "d"`: words consist of letters and digits, so no sign of one is read as one of the language. */
function matchOf(terms: readonly SearchTerm[]): string {
  const of = (isExcluded: boolean) =>
    terms
      .filter(term => term.isExcluded === isExcluded)
      .map(({ words, isPrefix }) => `"${words.map(bare).join(' ')}"${isPrefix ? ' *' : ''}`)
  return [of(false).join(' AND '), ...of(true)].join(' NOT ')
}

/** Letters of Greek and Cyrillic with accents, and those without: the tokenizer takes accents from Latin letters only. */
const accented: readonly (readonly [string, string])[] = Array.from({ length: 0x45f - 0x370 }, (_, index) =>
  String.fromCharCode(0x370 + index),
).flatMap(letter => {
  const bare = letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  return bare !== letter && /^\p{L}$/u.test(bare) ? [[letter, bare] as const] : []
})
const folds: typeof accented = [...accented, ['ς', 'σ']]

const bare = (word: string): string => folds.reduce((text, [from, to]) => text.replaceAll(from, to), word)

/** A column as it is indexed; a text of ASCII alone has none of these letters. */
function folded(column: string): string {
  const text = folds.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, column)
  return `iif(length(cast(${column} as blob)) = length(${column}), ${column}, ${text})`
}
