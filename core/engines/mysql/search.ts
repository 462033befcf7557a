import type { SearchTerm } from '../../query/search/terms.js'
import type { SearchIndex } from '../../schema/types.js'
import { type TextSearch, triggerEvents } from '../search.js'
import type { Sql } from '../words.js'
import { words } from './words.js'

const { quote: q } = words

/**
 * A table of one text for each entry. Each word in it begins with two letters more: InnoDB leaves out words of fewer than three
 * letters and some common ones. A text with a greater weight is there more than once.
 */
export const search: TextSearch = {
  version: 2,
  // `truncate table` runs no trigger.
  followsAll: false,
  countsWithPage: true,
  async obstacle(session) {
    const [row] = await session.all('select @@innodb_ft_min_token_size', [])
    return Number(row?.[0]) <= 3
      ? undefined
      : 'it needs innodb_ft_min_token_size = 3 or less in the settings of the server'
  },
  create(index) {
    const { name, table, fields } = index
    const trigger = (event: string, body: string) =>
      `create trigger ${q(`${name}_${event}`)} after ${event} on ${q(table)} for each row ${body}`
    const remove = `delete from ${q(name)} where id = old.id`
    const put = `replace into ${q(name)} (id, words) values (new.id, ${wordsOf(index, 'new')})`
    const same = fields.map(({ column }) => `cast(old.${q(column)} as binary) <=> cast(new.${q(column)} as binary)`)
    return [
      `create table ${q(name)} (id int unsigned not null primary key, words longtext not null)
        engine = InnoDB default character set utf8mb4 collate utf8mb4_unicode_ci`,
      trigger('insert', put),
      trigger('update', `begin if not (old.id = new.id and ${same.join(' and ')}) then ${remove}; ${put}; end if; end`),
      trigger('delete', remove),
    ]
  },
  fill: index => [
    `insert ignore into ${q(index.name)} (id, words) select t.id, ${wordsOf(index, 't')} from ${q(index.table)} t`,
    `alter table ${q(index.name)} add fulltext index words (words)`,
  ],
  drop: name => [
    ...triggerEvents.map(event => `drop trigger if exists ${q(`${name}_${event}`)}`),
    `drop table if exists ${q(name)}`,
  ],
  found: `select i.table_name, (select max(t.event_object_table) from information_schema.triggers t
      where t.trigger_schema = database() and t.trigger_name in (concat(i.table_name, '_insert'),
        concat(i.table_name, '_update'), concat(i.table_name, '_delete')) having count(*) = 3)
    from information_schema.tables i where i.table_schema = database() and i.table_name like 'stele\\_search\\_%'`,
  ids({ name }, terms) {
    const { where } = matchOf(terms)
    return { text: `select id from ${q(name)} where ${where.text}`, values: where.values }
  },
  scores({ name }, terms) {
    const { match, where } = matchOf(terms)
    return {
      text: `select id, ${match.text} as score from ${q(name)} where ${where.text}`,
      values: [...match.values, ...where.values],
    }
  },
}

const marker = 'xx'

/** Stands between attributes, and is no word: those begin with the marker. */
const between = ' zzz '

/** Characters of a text that are indexed: to put the marker before each word takes time with the square of their number. */
const longest = 100_000

/** Signs between words. Regular expressions would take far more time. */
const signs = [
  ...'\t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  ...'\u00a0\u00a1\u00a7\u00a9\u00ab\u00ae\u00b0\u00b4\u00b6\u00b7\u00b8\u00bb\u00bf\u00d7\u00f7',
  ...'\u200b\u2010\u2011\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2020\u2021\u2022\u2026\u202f',
  ...'\u2032\u2033\u2039\u203a\u20ac\u2122\u2190\u2191\u2192\u2193\u2212\u3000\u3001\u3002\u300a\u300b\u300c\u300d\u3010\u3011',
  ...'\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f',
]

/** Accents that stand behind their letters. */
const accents = [
  ...'\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328\u0331',
]

/** The words of a column, each behind the marker. */
function marked(column: string): string {
  const replaced = (text: string, from: string, to: string) => `replace(${text}, ${literal(from)}, ${literal(to)})`
  const bare = accents.reduce((text, accent) => replaced(text, accent, ''), `coalesce(left(${column}, ${longest}), '')`)
  const spaced = signs.reduce((text, sign) => replaced(text, sign, ' '), bare)
  const single = Array.from({ length: halvings }).reduce<string>(text => replaced(text, '  ', ' '), spaced)
  return `concat('${marker}', ${replaced(single, ' ', ` ${marker}`)})`
}

/** As often as that, two spaces become one: a row of 32 signs ends as one space, as between words of a phrase. */
const halvings = 5

/** A literal that depends neither on the connection's escapes nor on the character set of the statement. */
const literal = (text: string): string => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`

function wordsOf({ fields }: SearchIndex, row: string): string {
  const least = Math.min(...fields.map(({ weight }) => weight))
  const texts = fields.map(({ column, weight }) => {
    const text = `${marked(`${row}.${q(column)}`)}, '${between}'`
    const times = timesOf(weight / least)
    return times === 1 ? text : `repeat(concat(${text}), ${times})`
  })
  return `concat(${texts.join(', ')})`
}

/** The number of times that a text is indexed: ten times the weight is four times, as every word that is read takes time. */
const timesOf = (ratio: number): number => 1 + Math.round(Math.log2(ratio))

/** Each term that is left out is looked for by itself: InnoDB forgets the others where it finds no entry with a phrase. */
function matchOf(terms: readonly SearchTerm[]): { readonly match: Sql; readonly where: Sql } {
  const against = (text: string): Sql => ({ text: 'match (words) against (? in boolean mode)', values: [text] })
  const wanted = terms.filter(({ isExcluded }) => !isExcluded)
  const match = against(wanted.map(term => `+${queryOf(term)}`).join(' '))
  const without = terms.filter(({ isExcluded }) => isExcluded).map(term => against(queryOf(term)))
  return {
    match,
    where: {
      text: [match, ...without].map(({ text }) => text).join(' and not '),
      values: [match, ...without].flatMap(({ values }) => values),
    },
  }
}

function queryOf({ words: list, isPrefix }: SearchTerm): string {
  const text = list.map(word => `${marker}${accents.reduce((left, accent) => left.replaceAll(accent, ''), word)}`)
  return text.length > 1 ? `"${text.join(' ')}"` : `${text[0]}${isPrefix ? '*' : ''}`
}
