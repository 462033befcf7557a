import { folded, type SearchTerm } from '../../query/search/terms.js'
import type { SearchedField, SearchIndex } from '../../schema/types.js'
import type { TextSearch } from '../search.js'
import { words } from './words.js'

const { quote: q } = words

/** A table of one tsvector for each entry: to make them for each search takes a hundred times as long. */
export const search: TextSearch = {
  version: 1,
  followsAll: true,
  // Neither parallel workers nor rows that are read when they are shown go together with a window.
  countsWithPage: false,
  async obstacle(session) {
    const [row] = await session.all(
      "select current_setting('server_version_num')::int, current_setting('server_encoding')",
      [],
    )
    if (Number(row?.[0]) < 130_000) return 'it needs PostgreSQL 13 or later'
    return row?.[1] === 'UTF8' ? undefined : 'it needs a database with the encoding UTF8'
  },
  create(index) {
    const { name, table } = index
    const on = (event: string, timing: string) =>
      `create trigger ${q(`${name}_${event}`)} after ${timing} on ${q(table)} for each row execute function ${q(name)}()`
    return [
      functionOfWords,
      `create table ${q(name)} (id integer primary key, words tsvector not null)`,
      functionOf(index),
      on('insert', 'insert'),
      on('update', 'update'),
      on('delete', 'delete'),
      `create trigger ${q(`${name}_truncate`)} after truncate on ${q(table)} for each statement execute function ${q(name)}()`,
    ]
  },
  fill: index => [
    `insert into ${q(index.name)} (id, words) select t.id, ${vectorOf(index, 't')} from ${q(index.table)} t on conflict (id) do nothing`,
    // Without a list of pending entries, which each search would have to read.
    `create index ${q(`${index.name}_gin`)} on ${q(index.name)} using gin (words) with (fastupdate = off)`,
    `analyze ${q(index.name)}`,
  ],
  drop: name => [`drop table if exists ${q(name)}`, `drop function if exists ${q(name)}() cascade`],
  found: `select i.relname, (select max(c.relname) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = i.relnamespace and t.tgname in (i.relname || '_insert', i.relname || '_update',
        i.relname || '_delete', i.relname || '_truncate') having count(*) = 4)
    from pg_class i where i.relkind = 'r' and i.relname like 'stele\\_search\\_%' and i.relnamespace = current_schema()::regnamespace`,
  ids: ({ name }, terms) => ({
    text: `select id from ${q(name)} where words @@ ?::tsquery`,
    values: [queryOf(terms)],
  }),
  scores(index, terms) {
    const query = queryOf(terms)
    const most = Math.max(...index.fields.map(({ weight }) => weight))
    const weights = labels.map(label => (classesOf(index).get(label) ?? 0) / most).join(', ')
    return {
      text: `select id, ts_rank('{${weights}}', words, ?::tsquery) as score from ${q(index.name)} where words @@ ?::tsquery`,
      values: [query, query],
    }
  },
}

/** The four classes that a word can have in a vector, in the order in which ranks are told their weights. */
const labels = ['D', 'C', 'B', 'A']

/** The weight of each class that the index uses. */
function classesOf({ fields }: SearchIndex): ReadonlyMap<string, number> {
  const weights = [...new Set(fields.map(({ weight }) => weight))].sort((one, other) => one - other)
  return new Map(weights.map((weight, place) => [labels[place] as string, weight]))
}

/** Characters of a text that are indexed; a vector has room for a megabyte, into which so many of any texts fit. */
const longest = 100_000
const longestTogether = 250_000

/** A gap between two attributes, so that their words are no neighbours; no word can be a space. */
const between = "'\\ :1'::tsvector"

function vectorOf(index: SearchIndex, row: string): string {
  const classes = [...classesOf(index)]
  const share = Math.min(longest, Math.floor(longestTogether / index.fields.length))
  const vector = ({ column, weight }: SearchedField) => {
    const label = classes.find(([, other]) => other === weight)?.[0]
    return `setweight(to_tsvector('pg_catalog.simple', coalesce(${functionName}(left(${row}.${q(column)}::text, ${share})), '')), '${label}')`
  }
  return index.fields.map(vector).join(` || ${between} || `)
}

/**
 * Runs with the permissions of its owner, so that other programs that write need none for the index, and in the schema of the
 * index, even if theirs is another one.
 */
function functionOf(index: SearchIndex): string {
  const { name, fields } = index
  const same = fields.map(({ column }) => `old.${q(column)} is not distinct from new.${q(column)}`)
  const body = `begin
    if tg_op = 'TRUNCATE' then
      delete from ${q(name)};
    elsif tg_op = 'DELETE' then
      delete from ${q(name)} where id = old.id;
    elsif tg_op = 'INSERT' or not (old.id = new.id and ${same.join(' and ')}) then
      if tg_op = 'UPDATE' and old.id <> new.id then delete from ${q(name)} where id = old.id; end if;
      insert into ${q(name)} (id, words) values (new.id, ${vectorOf(index, 'new')})
      on conflict (id) do update set words = excluded.words;
    end if;
    return null;
  end`
  return `do $do$ begin execute replace($f$create or replace function ${q(name)}() returns trigger language plpgsql security definer
    set search_path = /*schema*/, pg_temp as $body$${body}$body$$f$, '/*schema*/', quote_ident(current_schema())); end $do$`
}

const functionName = 'stele_search_words'

/** Signs of ASCII. */
const signs = `!"#$%&()*+,-./:;<=>?@[\\]^_{|}~\``

/** Signs of other scripts, for databases that take every letter outside of ASCII for one of a word. */
const otherSigns = String.raw`[\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02c2-\u02df\u2000-\u200b\u200e-\u206f\u20a0-\u20cf\u2190-\u245f\u2500-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+`

/** Makes words of a text: in small letters and without accents, between spaces. */
const functionOfWords = `do $do$ begin execute replace($f$create or replace function ${functionName}(t text) returns text
  language sql immutable strict parallel safe as $body$
  select translate(case when octet_length(t) = length(t) then lower(t) else
    regexp_replace(replace(lower(normalize(regexp_replace(normalize(t, NFD), '[\\u0300-\\u036f]+', '', 'g'), NFC)/*collate*/),
      'ς', 'σ'), '${otherSigns}', ' ', 'g') end, '''${signs}', repeat(' ', ${signs.length + 1})) $body$$f$, '/*collate*/',
  case when exists (select from pg_collation where collname = 'und-x-icu') then ' collate "und-x-icu"' else '' end); end $do$`

/** With words that are folded as the function of the database folds them. */
const queryOf = (terms: readonly SearchTerm[]): string =>
  terms
    .map(({ words, isPrefix, isExcluded }) => {
      const text = words.map(word => `'${folded(word)}'`).join(' <-> ')
      return `${isExcluded ? '!' : ''}(${text}${isPrefix ? ':*' : ''})`
    })
    .join(' & ')
