import type { DialectName } from '../../core/dialect.js'

/** Statements by what they read: each is its text, and then its values. */
type Statements = Readonly<Record<string, readonly unknown[]>>

/** A read and the statements that it takes. */
export interface SpelledRead {
  readonly says: string
  readonly ask: string
  /** The type that is asked for; `article` unless told otherwise. */
  readonly type?: string
  readonly action?: 'find' | 'findOne'
  /** `spec` unless told otherwise. */
  readonly dialect?: DialectName
  /** A hook wants to see the entries, so that they are objects. */
  readonly hooked?: boolean
  /** The caller sees entries of one author only. */
  readonly ruled?: boolean
  readonly sql: Readonly<Record<'sqlite' | 'mysql' | 'postgres', Statements>>
}

/** Every clause of a read at least once. The tests of `spec` run them on servers; here they are read in the diff. */
export const rows: readonly SpelledRead[] = [
  {
    says: 'a page of a list, and its total',
    ask: 'fields=title',
    sql: {
      sqlite: {
        total: ['select count(*) from `articles` as `t`'],
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        total: ['select count(*) from `articles` as `t`'],
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
      },
      postgres: {
        total: ['select count(*) from "articles" as "t"'],
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a page without a total',
    ask: 'fields=title&pagination[withCount]=false',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a part of a list, from any entry on',
    ask: 'fields=title&filters[views][$gt]=3&pagination[start]=10&pagination[limit]=5',
    sql: {
      sqlite: {
        total: [
          'select case when (select max(id) from "articles") - (select min(id) from "articles") < 16384 and (select page_count from pragma_page_count) < 65536 then (select count(*) from `articles` as `t` where t."views" > ?) else (select count(*) from `articles` as `t` where (t.id & 255 or in_time()) and t."views" > ?) end',
          3,
          3,
        ],
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"views\" > ? order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          3,
          5,
          10,
        ],
      },
      mysql: {
        total: ['select count(*) from `articles` as `t` where t.`views` > ?', 3],
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`views` > ? order by t.`id` limit ? offset ?',
          3,
          5,
          10,
        ],
      },
      postgres: {
        total: ['select count(*) from "articles" as "t" where t."views" > $1::bigint', 3],
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."views" > $1::bigint order by t."id" limit $2::bigint offset $3::bigint',
          3,
          5,
          10,
        ],
      },
    },
  },
  {
    says: 'a page far behind the first: its ids are found before its rows',
    ask: 'fields=title&pagination[withCount]=false&sort=views&pagination[page]=100',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where t.id in (select t.id from `articles` as `t` order by t."views", t."id" limit ? offset ?) order by t."views", t."id")',
          '[',
          ']',
          25,
          2475,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` order by t.`views`, t.`id` limit ? offset ?',
          25,
          2475,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."views" nulls first, t."id" limit $1::bigint offset $2::bigint',
          25,
          2475,
        ],
      },
    },
  },
  {
    says: 'every kind of column',
    ask: 'pagination[withCount]=false',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title", \'body\', t."body", \'views\', t."views", \'size\', cast(t."size" as text), \'price\', case when t."price" = cast(t."price" as integer) then cast(t."price" as integer) when typeof(t."price") = \'real\' and not (abs(t."price") < 1e8 and (t."price" = cast(t."price" * 1e2 + 0.5 as integer) / 1e2 or t."price" = round(t."price", 6))) then json(digits(t."price")) else t."price" end, \'rating\', case when t."rating" = cast(t."rating" as integer) then cast(t."rating" as integer) when typeof(t."rating") = \'real\' and not (abs(t."rating") < 1e8 and (t."rating" = cast(t."rating" * 1e2 + 0.5 as integer) / 1e2 or t."rating" = round(t."rating", 6))) then json(digits(t."rating")) else t."rating" end, \'isOpen\', case when t."is_open" then json(\'true\') when t."is_open" is not null then json(\'false\') end, \'day\', t."day", \'hour\', t."hour", \'startsAt\', iif(typeof(t."starts_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t."starts_at"), t."starts_at"), replace(datetime(t."starts_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\'), \'extra\', iif(json_valid(t."extra"), json(t."extra"), t."extra"), \'createdAt\', iif(typeof(t."created_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t."created_at"), t."created_at"), replace(datetime(t."created_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\'), \'updatedAt\', iif(typeof(t."updated_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t."updated_at"), t."updated_at"), replace(datetime(t."updated_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\')), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` order by t."id" limit ? offset ?)',
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title`, t.`body`, t.`views`, t.`size`, t.`price`, t.`rating`, t.`is_open`, t.`day`, t.`hour`, cast(t.`starts_at` as char), t.`extra`, cast(t.`created_at` as char), cast(t.`updated_at` as char) from `articles` as `t` order by t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title", t."body", t."views", t."size", t."price", t."rating", t."is_open", t."day", t."hour", t."starts_at", t."extra", t."created_at", t."updated_at" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'every kind of column, for a hook that looks at entries',
    ask: 'pagination[withCount]=false',
    hooked: true,
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, t."title", t."body", t."views", cast(t."size" as text), t."price", t."rating", t."is_open", t."day", t."hour", t."starts_at", t."extra", t."created_at", t."updated_at" from `articles` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title`, t.`body`, t.`views`, t.`size`, t.`price`, t.`rating`, t.`is_open`, t.`day`, t.`hour`, cast(t.`starts_at` as char), t.`extra`, cast(t.`created_at` as char), cast(t.`updated_at` as char) from `articles` as `t` order by t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title", t."body", t."views", t."size", t."price", t."rating", t."is_open", t."day", t."hour", t."starts_at", t."extra", t."created_at", t."updated_at" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'one entry by its id',
    ask: 'fields=title',
    action: 'findOne',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"id\" = ? order by t.\"id\")",
          '[',
          ']',
          7,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` where t.`id` = ? order by t.`id`', 7],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" = $1::bigint order by t."id"',
          7,
        ],
      },
    },
  },
  {
    says: 'an order of several fields',
    ask: 'fields=title&pagination[withCount]=false&sort[0]=title:desc&sort[1]=views',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where t.id in (select t.id from `articles` as `t` order by t."title" desc, t."views", t."id" limit ? offset ?) order by t."title" desc, t."views", t."id")',
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` order by t.`title` desc, t.`views`, t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."title" desc nulls last, t."views" nulls first, t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'an order by the id',
    ask: 'fields=title&pagination[withCount]=false&sort=id:desc',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` order by t.\"id\" desc limit ? offset ?)",
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` desc limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" desc limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'an order through a relation',
    ask: 'fields=title&pagination[withCount]=false&sort=author.name',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where t.id in (select t.id from `articles` as `t` order by (select min(a1."name") from "articles_author_links" a2, "authors" a1 where a2."article_id" = t."id" and a1."id" = a2."author_id"), t."id" limit ? offset ?) order by (select min(a1."name") from "articles_author_links" a2, "authors" a1 where a2."article_id" = t."id" and a1."id" = a2."author_id"), t."id")',
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` order by (select min(a1.`name`) from `articles_author_links` a2, `authors` a1 where a2.`article_id` = t.`id` and a1.`id` = a2.`author_id`), t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by (select min(a1."name") from "articles_author_links" a2, "authors" a1 where a2."article_id" = t."id" and a1."id" = a2."author_id") nulls first, t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'an order through a list of lists, by values that have no smallest one everywhere',
    ask: 'fields=title&pagination[withCount]=false&sort[0]=author.articles.isOpen:desc&sort[1]=author.articles.extra',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where t.id in (select t.id from `articles` as `t` order by (select max(a3."is_open") from "articles_author_links" a4, "articles" a3 where in_time() and a4."author_id" in (select a1."id" from "articles_author_links" a2, "authors" a1 where in_time() and a2."article_id" = t."id" and a1."id" = a2."author_id") and a3."id" = a4."article_id") desc, (select min(a7."extra") from "articles_author_links" a8, "articles" a7 where in_time() and a8."author_id" in (select a5."id" from "articles_author_links" a6, "authors" a5 where in_time() and a6."article_id" = t."id" and a5."id" = a6."author_id") and a7."id" = a8."article_id"), t."id" limit ? offset ?) order by (select max(a3."is_open") from "articles_author_links" a4, "articles" a3 where in_time() and a4."author_id" in (select a1."id" from "articles_author_links" a2, "authors" a1 where in_time() and a2."article_id" = t."id" and a1."id" = a2."author_id") and a3."id" = a4."article_id") desc, (select min(a7."extra") from "articles_author_links" a8, "articles" a7 where in_time() and a8."author_id" in (select a5."id" from "articles_author_links" a6, "authors" a5 where in_time() and a6."article_id" = t."id" and a5."id" = a6."author_id") and a7."id" = a8."article_id"), t."id")',
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` order by (select max(a3.`is_open`) from `articles_author_links` a4, `articles` a3 where (a4.`author_id` in (select a1.`id` from `articles_author_links` a2, `authors` a1 where a2.`article_id` = t.`id` and a1.`id` = a2.`author_id`)) is true and a3.`id` = a4.`article_id`) desc, (select min(a7.`extra`) from `articles_author_links` a8, `articles` a7 where (a8.`author_id` in (select a5.`id` from `articles_author_links` a6, `authors` a5 where a6.`article_id` = t.`id` and a5.`id` = a6.`author_id`)) is true and a7.`id` = a8.`article_id`), t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by (select max(a3."is_open"::int) from "articles_author_links" a4, "articles" a3 where a4."author_id" in (select a1."id" from "articles_author_links" a2, "authors" a1 where a2."article_id" = t."id" and a1."id" = a2."author_id") and a3."id" = a4."article_id") desc nulls last, (select min(a7."extra"::text) from "articles_author_links" a8, "articles" a7 where a8."author_id" in (select a5."id" from "articles_author_links" a6, "authors" a5 where a6."article_id" = t."id" and a5."id" = a6."author_id") and a7."id" = a8."article_id") nulls first, t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'an order as the engine has it',
    ask: 'fields=title&pagination[withCount]=false&sort=title:desc',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title")) as entry from `articles` as `t` where t.id in (select t.id from `articles` as `t` order by t."title" desc, t."id" limit ? offset ?) order by t."title" desc, t."id")',
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` order by t.`title` desc, t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."title" desc, t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'equal texts, letter case respected',
    ask: 'fields=title&pagination[withCount]=false&filters[title]=x&filters[body][$ne]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" = ? and t.\"body\" <> ? order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          'x',
          'y',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where (t.`title` = ? and cast(t.`title` as binary) = ?) and cast(t.`body` as binary) <> ? order by t.`id` limit ? offset ?',
          'x',
          'x',
          'y',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" = $1::text and t."body" <> $2::text order by t."id" limit $3::bigint offset $4::bigint',
          'x',
          'y',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'equal texts as the engine has it',
    ask: 'fields=title&pagination[withCount]=false&filters[title]=x&filters[body][$ne]=y',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title")) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."title" = ? and t."body" <> ? order by t."id" limit ? offset ?)',
          '[',
          ']',
          'x',
          'y',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`title` = ? and t.`body` <> ? order by t.`id` limit ? offset ?',
          'x',
          'y',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" = $1::text and t."body" <> $2::text order by t."id" limit $3::bigint offset $4::bigint',
          'x',
          'y',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'equal texts, whatever their letter case',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$eqi]=X&filters[body][$nei]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" like ? escape '\\' and t.\"body\" not like ? escape '\\' order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          'X',
          'y',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where cast(lower(t.`title`) as binary) like lower(?) escape '\\\\' and cast(lower(t.`body`) as binary) not like lower(?) escape '\\\\' order by t.`id` limit ? offset ?",
          'X',
          'y',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where lower(t."title"::text) like lower($1::text) escape \'\\\' and lower(t."body"::text) not like lower($2::text) escape \'\\\' order by t."id" limit $3::bigint offset $4::bigint',
          'X',
          'y',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'lists of values',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$in][0]=x&filters[title][$in][1]=y&filters[views][$notIn][0]=1&filters[views][$notIn][1]=2',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" in (?, ?) and t.\"views\" not in (?, ?) order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          'x',
          'y',
          1,
          2,
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where (t.`title` in (?, ?) and cast(t.`title` as binary) in (?, ?)) and t.`views` not in (?, ?) order by t.`id` limit ? offset ?',
          'x',
          'y',
          'x',
          'y',
          1,
          2,
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" in ($1::text, $2::text) and t."views" not in ($3::bigint, $4::bigint) order by t."id" limit $5::bigint offset $6::bigint',
          'x',
          'y',
          1,
          2,
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a list that leaves texts out',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$notIn][0]=x&filters[title][$notIn][1]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" not in (?, ?) order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          'x',
          'y',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where cast(t.`title` as binary) not in (?, ?) order by t.`id` limit ? offset ?',
          'x',
          'y',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" not in ($1::text, $2::text) order by t."id" limit $3::bigint offset $4::bigint',
          'x',
          'y',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'smaller and larger numbers of every kind',
    ask: 'fields=title&pagination[withCount]=false&filters[views][$lt]=1&filters[size][$lte]=2&filters[price][$gt]=1.5&filters[rating][$gte]=2.5',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."views" < ? and t."size" <= ? and t."price" > ? and t."rating" >= ? order by t."id" limit ? offset ?)',
          '[',
          ']',
          1,
          2n,
          1.5,
          2.5,
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`views` < ? and t.`size` <= ? and t.`price` > ? and t.`rating` >= ? order by t.`id` limit ? offset ?',
          1,
          '2',
          1.5,
          2.5,
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."views" < $1::bigint and t."size" <= $2::bigint and t."price" > $3::numeric and t."rating" >= $4::double precision order by t."id" limit $5::bigint offset $6::bigint',
          1,
          '2',
          1.5,
          2.5,
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'days, hours and moments',
    ask: 'fields=title&pagination[withCount]=false&filters[day][$gt]=2024-01-02&filters[hour][$lt]=12:30:00&filters[startsAt][$between][0]=2024-01-02T03:04:05.000Z&filters[startsAt][$between][1]=2025-01-02T03:04:05.000Z',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."day" > ? and t."hour" < ? and t."starts_at" between ? and ? order by t."id" limit ? offset ?)',
          '[',
          ']',
          '2024-01-02',
          '12:30:00.000',
          1704164645000,
          1735787045000,
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`day` > ? and t.`hour` < ? and t.`starts_at` between ? and ? order by t.`id` limit ? offset ?',
          '2024-01-02',
          '12:30:00.000',
          '2024-01-02 03:04:05.000',
          '2025-01-02 03:04:05.000',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."day" > $1::date and t."hour" < $2::time and t."starts_at" between $3::timestamp and $4::timestamp order by t."id" limit $5::bigint offset $6::bigint',
          '2024-01-02',
          '12:30:00.000',
          '2024-01-02T03:04:05.000',
          '2025-01-02T03:04:05.000',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'yes and no',
    ask: 'fields=title&pagination[withCount]=false&filters[isOpen]=true',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"is_open\" = ? order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          1,
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`is_open` = ? order by t.`id` limit ? offset ?',
          1,
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."is_open" = $1::boolean order by t."id" limit $2::bigint offset $3::bigint',
          true,
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'values that are missing, and that are not',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$null]=true&filters[body][$notNull]=true',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" is null and t.\"body\" is not null order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`title` is null and t.`body` is not null order by t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" is null and t."body" is not null order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a part of a text',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$contains]=50%25_&filters[body][$notContains]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" glob ? and t.\"body\" not glob ? order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          '*50%_*',
          '*y*',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where cast(t.`title` as binary) like ? escape '\\\\' and cast(t.`body` as binary) not like ? escape '\\\\' order by t.`id` limit ? offset ?",
          '%50\\%\\_%',
          '%y%',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title"::text like $1::text escape \'\\\' and t."body"::text not like $2::text escape \'\\\' order by t."id" limit $3::bigint offset $4::bigint',
          '%50\\%\\_%',
          '%y%',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a part of a text, whatever its letter case',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$containsi]=Über&filters[body][$notContainsi]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and fold(t.\"title\") like ? escape '\\' and t.\"body\" not like ? escape '\\' order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          '%über%',
          '%y%',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where cast(lower(t.`title`) as binary) like lower(?) escape '\\\\' and cast(lower(t.`body`) as binary) not like lower(?) escape '\\\\' order by t.`id` limit ? offset ?",
          '%Über%',
          '%y%',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where lower(t."title"::text) like lower($1::text) escape \'\\\' and lower(t."body"::text) not like lower($2::text) escape \'\\\' order by t."id" limit $3::bigint offset $4::bigint',
          '%Über%',
          '%y%',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'the beginning and the end of a text',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$startsWith]=x&filters[body][$endsWith]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"title\" glob ? and t.\"body\" glob ? order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          'x*',
          '*y',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where cast(t.`title` as binary) like ? escape '\\\\' and cast(t.`body` as binary) like ? escape '\\\\' order by t.`id` limit ? offset ?",
          'x%',
          '%y',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title"::text like $1::text escape \'\\\' and t."body"::text like $2::text escape \'\\\' order by t."id" limit $3::bigint offset $4::bigint',
          'x%',
          '%y',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a part of a text, with wildcards and as the engine has it',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$contains]=50%25_&filters[body][$containsi]=y',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title")) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."title" like ? and t."body" like ? order by t."id" limit ? offset ?)',
          '[',
          ']',
          '%50%_%',
          '%y%',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where t.`title` like ? and lower(t.`body`) like lower(?) order by t.`id` limit ? offset ?',
          '%50%_%',
          '%y%',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title"::text like $1::text and lower(t."body"::text) like lower($2::text) order by t."id" limit $3::bigint offset $4::bigint',
          '%50%_%',
          '%y%',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a part of a document, and one as a whole',
    ask: 'fields=title&pagination[withCount]=false&filters[extra][$contains]=x&filters[extra][$ne]=y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t.\"extra\" glob ? and t.\"extra\" <> ? order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          '*x*',
          '"y"',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where cast(cast(t.`extra` as char) collate utf8mb4_bin as binary) like ? escape '\\\\' and cast(t.`extra` as char) collate utf8mb4_bin <> ? order by t.`id` limit ? offset ?",
          '%x%',
          '"y"',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."extra"::text::text like $1::text escape \'\\\' and t."extra"::text <> $2::text order by t."id" limit $3::bigint offset $4::bigint',
          '%x%',
          '"y"',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'some of several conditions, and none',
    ask: 'fields=title&pagination[withCount]=false&filters[$or][0][title]=x&filters[$or][1][views]=1&filters[$not][title][$in]=y',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and (t."title" = ? or t."views" = ?) and not (t."title" in (?)) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'x',
          1,
          'y',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where ((t.`title` = ? and cast(t.`title` as binary) = ?) or t.`views` = ?) and not ((t.`title` in (?) and cast(t.`title` as binary) in (?))) order by t.`id` limit ? offset ?',
          'x',
          'x',
          1,
          'y',
          'y',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where (t."title" = $1::text or t."views" = $2::bigint) and not (t."title" in ($3::text)) order by t."id" limit $4::bigint offset $5::bigint',
          'x',
          1,
          'y',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a condition that nothing meets',
    ask: 'fields=title&pagination[withCount]=false&filters[title][$in]=&filters[id][$in]=',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\")) as entry from `articles` as `t` where (t.id & 255 or in_time()) and 1 = 0 order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where 1 = 0 order by t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where 1 = 0 order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries by what a relation leads to',
    ask: 'fields=title&pagination[withCount]=false&filters[author][name]=x',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."id" in (select a2."article_id" from "articles_author_links" a2 join "authors" a1 on a1."id" = a2."author_id" where a1."name" = ?) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'x',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `authors` a1 straight_join `articles_author_links` a2 on a2.`author_id` = a1.`id` where (a1.`name` = ? and cast(a1.`name` as binary) = ?)) f straight_join `articles` t on t.id = f.`article_id` order by t.`id` limit ? offset ?',
          'x',
          'x',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."article_id" from "articles_author_links" a2 join "authors" a1 on a1."id" = a2."author_id" where a1."name" = $1::text) order by t."id" limit $2::bigint offset $3::bigint',
          'x',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries by the id of what a relation leads to',
    ask: 'fields=title&pagination[withCount]=false&filters[author][id][$in][0]=1&filters[author][id][$in][1]=2',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."id" in (select a2."article_id" from "articles_author_links" a2 where a2."author_id" in (?, ?)) order by t."id" limit ? offset ?)',
          '[',
          ']',
          1,
          2,
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `articles_author_links` a2 where a2.`author_id` in (?, ?)) f straight_join `articles` t on t.id = f.`article_id` order by t.`id` limit ? offset ?',
          1,
          2,
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."article_id" from "articles_author_links" a2 where a2."author_id" in ($1::bigint, $2::bigint)) order by t."id" limit $3::bigint offset $4::bigint',
          1,
          2,
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries without a relation',
    ask: 'fields=title&pagination[withCount]=false&filters[author][id][$null]=true',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and (t."id" in (select a2."article_id" from "articles_author_links" a2 join "authors" a1 on a1."id" = a2."author_id" where a1."id" is null) or not exists (select a4."article_id" from "articles_author_links" a4 join "authors" a3 on a3."id" = a4."author_id" where a4."article_id" = t."id")) order by t."id" limit ? offset ?)',
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where (t.`id` in (select a2.`article_id` from `articles_author_links` a2 join `authors` a1 on a1.`id` = a2.`author_id` where a1.`id` is null) or not exists (select a4.`article_id` from `articles_author_links` a4 join `authors` a3 on a3.`id` = a4.`author_id` where a4.`article_id` = t.`id`)) order by t.`id` limit ? offset ?',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where (t."id" in (select a2."article_id" from "articles_author_links" a2 join "authors" a1 on a1."id" = a2."author_id" where a1."id" is null) or not exists (select a4."article_id" from "articles_author_links" a4 join "authors" a3 on a3."id" = a4."author_id" where a4."article_id" = t."id")) order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries by what no relation leads to',
    ask: 'fields=title&pagination[withCount]=false&filters[$not][tags][name]=x',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where not (a1."name" = ?)) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'x',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `tags` a1 straight_join `articles_tags_links` a2 on a2.`tag_id` = a1.`id` where not ((a1.`name` = ? and cast(a1.`name` as binary) = ?))) f straight_join `articles` t on t.id = f.`article_id` order by t.`id` limit ? offset ?',
          'x',
          'x',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where not (a1."name" = $1::text)) order by t."id" limit $2::bigint offset $3::bigint',
          'x',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries through several lists',
    ask: 'fields=title&pagination[withCount]=false&filters[author][articles][tags][name]=x',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where in_time() and t."id" in (select a2."article_id" from "articles_author_links" a2 join "authors" a1 on a1."id" = a2."author_id" where in_time() and a1."id" in (select a4."author_id" from "articles_author_links" a4 join "articles" a3 on a3."id" = a4."article_id" where in_time() and a3."id" in (select a6."article_id" from "articles_tags_links" a6 join "tags" a5 on a5."id" = a6."tag_id" where in_time() and a5."name" = ?))) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'x',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `authors` a1 straight_join `articles_author_links` a2 on a2.`author_id` = a1.`id` where a1.`id` in (select a4.`author_id` from `articles_author_links` a4 join `articles` a3 on a3.`id` = a4.`article_id` where a3.`id` in (select a6.`article_id` from `articles_tags_links` a6 join `tags` a5 on a5.`id` = a6.`tag_id` where (a5.`name` = ? and cast(a5.`name` as binary) = ?)))) f straight_join `articles` t on t.id = f.`article_id` order by t.`id` limit ? offset ?',
          'x',
          'x',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."article_id" from "articles_author_links" a2 join "authors" a1 on a1."id" = a2."author_id" where a1."id" in (select a4."author_id" from "articles_author_links" a4 join "articles" a3 on a3."id" = a4."article_id" where a3."id" in (select a6."article_id" from "articles_tags_links" a6 join "tags" a5 on a5."id" = a6."tag_id" where a5."name" = $1::text))) order by t."id" limit $2::bigint offset $3::bigint',
          'x',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries by more lists than an engine should merge',
    ask: 'fields=title&pagination[withCount]=false&filters[$and][0][tags][name]=a&filters[$and][1][tags][name]=b&filters[$and][2][tags][name]=c&filters[$and][3][tags][name]=dfilters[$and][3][tags][name]=d&filters[$and][4][tags][name]=e',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where in_time() and t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where in_time() and a1."name" = ?) and t."id" in (select a4."article_id" from "articles_tags_links" a4 join "tags" a3 on a3."id" = a4."tag_id" where in_time() and a3."name" = ?) and t."id" in (select a6."article_id" from "articles_tags_links" a6 join "tags" a5 on a5."id" = a6."tag_id" where in_time() and a5."name" = ?) and t."id" in (select a8."article_id" from "articles_tags_links" a8 join "tags" a7 on a7."id" = a8."tag_id" where in_time() and a7."name" = ?) and t."id" in (select a10."article_id" from "articles_tags_links" a10 join "tags" a9 on a9."id" = a10."tag_id" where in_time() and a9."name" = ?) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'a',
          'b',
          'c',
          'dfilters[$and][3][tags][name]=d',
          'e',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `tags` a1 straight_join `articles_tags_links` a2 on a2.`tag_id` = a1.`id` where (a1.`name` = ? and cast(a1.`name` as binary) = ?)) f straight_join `articles` t on t.id = f.`article_id` where t.`id` in (select a4.`article_id` from `articles_tags_links` a4 join `tags` a3 on a3.`id` = a4.`tag_id` where (a3.`name` = ? and cast(a3.`name` as binary) = ?)) and t.`id` in (select a6.`article_id` from `articles_tags_links` a6 join `tags` a5 on a5.`id` = a6.`tag_id` where (a5.`name` = ? and cast(a5.`name` as binary) = ?)) and t.`id` in (select a8.`article_id` from `articles_tags_links` a8 join `tags` a7 on a7.`id` = a8.`tag_id` where (a7.`name` = ? and cast(a7.`name` as binary) = ?)) and (t.`id` in (select a10.`article_id` from `articles_tags_links` a10 join `tags` a9 on a9.`id` = a10.`tag_id` where (a9.`name` = ? and cast(a9.`name` as binary) = ?))) is true order by t.`id` limit ? offset ?',
          'a',
          'a',
          'b',
          'b',
          'c',
          'c',
          'dfilters[$and][3][tags][name]=d',
          'dfilters[$and][3][tags][name]=d',
          'e',
          'e',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where a1."name" = $1::text) and t."id" in (select a4."article_id" from "articles_tags_links" a4 join "tags" a3 on a3."id" = a4."tag_id" where a3."name" = $2::text) and t."id" in (select a6."article_id" from "articles_tags_links" a6 join "tags" a5 on a5."id" = a6."tag_id" where a5."name" = $3::text) and t."id" in (select a8."article_id" from "articles_tags_links" a8 join "tags" a7 on a7."id" = a8."tag_id" where a7."name" = $4::text) and t."id" in (select a10."article_id" from "articles_tags_links" a10 join "tags" a9 on a9."id" = a10."tag_id" where a9."name" = $5::text) order by t."id" limit $6::bigint offset $7::bigint',
          'a',
          'b',
          'c',
          'dfilters[$and][3][tags][name]=d',
          'e',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'entries by a component',
    ask: 'fields=title&pagination[withCount]=false&filters[seo][title]=x&filters[notes][text][$contains]=y',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."id" in (select a2."entity_id" from "articles_components" a2 join "components_shared_seos" a1 on a1."id" = a2."component_id" where a2."field" = ? and a2."component_type" = ? and a1."title" = ?) and t."id" in (select a4."entity_id" from "articles_components" a4 join "components_shared_notes" a3 on a3."id" = a4."component_id" where a4."field" = ? and a4."component_type" = ? and a3."text" glob ?) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'seo',
          'shared.seo',
          'x',
          'notes',
          'shared.note',
          '*y*',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from (select distinct a2.`entity_id` from `components_shared_seos` a1 straight_join `articles_components` a2 on a2.`component_id` = a1.`id` where a2.`field` = ? and a2.`component_type` = ? and (a1.`title` = ? and cast(a1.`title` as binary) = ?)) f straight_join `articles` t on t.id = f.`entity_id` where t.`id` in (select a4.`entity_id` from `articles_components` a4 join `components_shared_notes` a3 on a3.`id` = a4.`component_id` where a4.`field` = ? and a4.`component_type` = ? and cast(a3.`text` as binary) like ? escape '\\\\') order by t.`id` limit ? offset ?",
          'seo',
          'shared.seo',
          'x',
          'x',
          'notes',
          'shared.note',
          '%y%',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."entity_id" from "articles_components" a2 join "components_shared_seos" a1 on a1."id" = a2."component_id" where a2."field" = $1 and a2."component_type" = $2 and a1."title" = $3::text) and t."id" in (select a4."entity_id" from "articles_components" a4 join "components_shared_notes" a3 on a3."id" = a4."component_id" where a4."field" = $4 and a4."component_type" = $5 and a3."text"::text like $6::text escape \'\\\') order by t."id" limit $7::bigint offset $8::bigint',
          'seo',
          'shared.seo',
          'x',
          'notes',
          'shared.note',
          '%y%',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a search',
    ask: 'fields=title&pagination[withCount]=false&_q=x y',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\"), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and (t.\"title\" like ? escape '\\' or t.\"body\" like ? escape '\\') order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          '%x y%',
          '%x y%',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where (cast(lower(t.`title`) as binary) like lower(?) escape '\\\\' or cast(lower(t.`body`) as binary) like lower(?) escape '\\\\') order by t.`id` limit ? offset ?",
          '%x y%',
          '%x y%',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where (lower(t."title"::text) like lower($1::text) escape \'\\\' or lower(t."body"::text) like lower($2::text) escape \'\\\') order by t."id" limit $3::bigint offset $4::bigint',
          '%x y%',
          '%x y%',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'a search that looks at numbers, too',
    ask: 'fields=title&pagination[withCount]=false&_q=12',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\")) as entry from `articles` as `t` where (t.id & 255 or in_time()) and (t.\"id\" like ? escape '\\' or t.\"title\" like ? escape '\\' or t.\"body\" like ? escape '\\' or t.\"views\" like ? escape '\\' or t.\"size\" like ? escape '\\' or t.\"price\" like ? escape '\\' or t.\"rating\" like ? escape '\\') order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, t.`title` from `articles` as `t` where (lower(t.`id`) like lower(?) escape '\\\\' or lower(t.`title`) like lower(?) escape '\\\\' or lower(t.`body`) like lower(?) escape '\\\\' or lower(t.`views`) like lower(?) escape '\\\\' or lower(t.`size`) like lower(?) escape '\\\\' or lower(t.`price`) like lower(?) escape '\\\\' or lower(t.`rating`) like lower(?) escape '\\\\') order by t.`id` limit ? offset ?",
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where (lower(t."id"::text::text) like lower($1::text) escape \'\\\' or lower(t."title"::text) like lower($2::text) escape \'\\\' or lower(t."body"::text) like lower($3::text) escape \'\\\' or lower(t."views"::text::text) like lower($4::text) escape \'\\\' or lower(t."size"::text::text) like lower($5::text) escape \'\\\' or lower(t."price"::text::text) like lower($6::text) escape \'\\\' or lower(t."rating"::text::text) like lower($7::text) escape \'\\\') order by t."id" limit $8::bigint offset $9::bigint',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          '%12%',
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'one related entry',
    ask: 'fields=title&pagination[withCount]=false&populate[author][fields]=name',
    sql: {
      sqlite: {
        whole: [
          "select cast(? || group_concat(entry, ',') || ? as blob) from (select json_object('id', t.id, 'attributes', json_object('title', t.\"title\", 'author', json_object('data', json((select json_object('id', t1.id, 'attributes', json_object('name', t1.\"name\")) from (select \"id\", \"author_id\" from \"articles_author_links\" where \"article_id\" = t.id order by id limit 1) l1 cross join \"authors\" t1 on t1.id = l1.\"author_id\")))), 'meta', json('{\"availableLocales\":[]}')) as entry from `articles` as `t` order by t.\"id\" limit ? offset ?)",
          '[',
          ']',
          25,
          0,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
        author: [
          'select t1.id, l.`article_id`, null, t1.`name` from `authors` as `t1` join `articles_author_links` l on l.`author_id` = t1.id where l.`article_id` in (?, ?, ?, ?, ?) order by l.`article_id`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        author: [
          'select t1.id, l."article_id", null, t1."name" from "authors" as "t1" join "articles_author_links" l on l."author_id" = t1.id where l."article_id" = any($1::int[]) order by l."article_id", l.id limit $2::bigint',
          [1, 2],
          100,
        ],
      },
    },
  },
  {
    says: 'a list of related entries, chosen and sorted',
    ask: 'fields=title&pagination[withCount]=false&filters[title]=x&populate[tags][fields]=name&populate[tags][filters][name][$ne]=y&populate[tags][sort]=name:desc',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title", \'tags\', json_object(\'data\', json((select iif(count(*) > 200, too_many(), json_group_array(json_object(\'id\', t1.id, \'attributes\', json_object(\'name\', t1."name")) order by t1."name" desc, t1."id") filter (where (t1.id & 255 or in_time()) and t1."name" <> ?)) from (select "id", "tag_id", "tag_order" from "articles_tags_links" where "article_id" = t.id order by "tag_order", id limit 201) l1 cross join "tags" t1 on t1.id = l1."tag_id")))), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."title" = ? order by t."id" limit ? offset ?)',
          '[',
          ']',
          'y',
          'x',
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from `articles` as `t` where (t.`title` = ? and cast(t.`title` as binary) = ?) order by t.`id` limit ? offset ?',
          'x',
          'x',
          25,
          0,
        ],
        tags: [
          'select t1.id, l.`article_id`, l.`tag_order`, t1.`name` from `tags` as `t1` join `articles_tags_links` l on l.`tag_id` = t1.id where l.`article_id` in (?, ?, ?, ?, ?) and cast(t1.`name` as binary) <> ? order by l.`article_id`, t1.`name` desc, t1.`id` limit ?',
          1,
          2,
          2,
          2,
          2,
          'y',
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" = $1::text order by t."id" limit $2::bigint offset $3::bigint',
          'x',
          25,
          0,
        ],
        tags: [
          'select t1.id, l."article_id", l."tag_order", t1."name" from "tags" as "t1" join "articles_tags_links" l on l."tag_id" = t1.id where l."article_id" = any($1::int[]) and t1."name" <> $2::text order by l."article_id", t1."name" desc nulls last, t1."id" limit $3::bigint',
          [1, 2],
          'y',
          100,
        ],
      },
    },
  },
  {
    says: 'components, one and many',
    ask: 'fields=title&pagination[withCount]=false&populate[seo]=true&populate[notes][filters][text]=x',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title", \'seo\', json((select json_object(\'id\', t1.id, \'title\', t1."title") from (select "id", "component_id", "order" from "articles_components" where "entity_id" = t.id and "field" = ? and "component_type" = ? order by id limit 1) l1 cross join "components_shared_seos" t1 on t1.id = l1."component_id")), \'notes\', json((select iif(count(*) > 200, too_many(), json_group_array(json_object(\'id\', t1.id, \'text\', t1."text")) filter (where (t1.id & 255 or in_time()) and t1."text" = ?)) from (select "id", "component_id", "order" from "articles_components" where "entity_id" = t.id and "field" = ? and "component_type" = ? order by "order", id limit 201) l1 cross join "components_shared_notes" t1 on t1.id = l1."component_id"))), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` order by t."id" limit ? offset ?)',
          '[',
          ']',
          'seo',
          'shared.seo',
          'x',
          'notes',
          'shared.note',
          25,
          0,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
        seo: [
          'select t1.id, l.`entity_id`, l.`order`, t1.`title` from `components_shared_seos` as `t1` join `articles_components` l on l.`component_id` = t1.id where l.`entity_id` in (?, ?, ?, ?, ?) and l.`field` = ? and l.`component_type` = ? order by l.`entity_id`, l.`order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          'seo',
          'shared.seo',
          100,
        ],
        notes: [
          'select t1.id, l.`entity_id`, l.`order`, t1.`text` from `components_shared_notes` as `t1` join `articles_components` l on l.`component_id` = t1.id where l.`entity_id` in (?, ?, ?, ?, ?) and l.`field` = ? and l.`component_type` = ? and (t1.`text` = ? and cast(t1.`text` as binary) = ?) order by l.`entity_id`, l.`order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          'notes',
          'shared.note',
          'x',
          'x',
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        seo: [
          'select t1.id, l."entity_id", l."order", t1."title" from "components_shared_seos" as "t1" join "articles_components" l on l."component_id" = t1.id where l."entity_id" = any($1::int[]) and l."field" = $2 and l."component_type" = $3 order by l."entity_id", l."order", l.id limit $4::bigint',
          [1, 2],
          'seo',
          'shared.seo',
          100,
        ],
        notes: [
          'select t1.id, l."entity_id", l."order", t1."text" from "components_shared_notes" as "t1" join "articles_components" l on l."component_id" = t1.id where l."entity_id" = any($1::int[]) and l."field" = $2 and l."component_type" = $3 and t1."text" = $4::text order by l."entity_id", l."order", l.id limit $5::bigint',
          [1, 2],
          'notes',
          'shared.note',
          'x',
          100,
        ],
      },
    },
  },
  {
    says: 'a dynamic zone',
    ask: 'fields=title&pagination[withCount]=false&populate=blocks',
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, json_object(\'title\', t."title") from `articles` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
        'blocks, shared.seo': [
          'select t1.id, l."entity_id", l."order", json_object(\'title\', t1."title") from `components_shared_seos` as `t1` join "articles_components" l on l."component_id" = t1.id where l."entity_id" in (select value from json_each(?)) and l."field" = ? and l."component_type" = ? order by l."entity_id", l."order", l.id limit ?',
          '[1,2]',
          'blocks',
          'shared.seo',
          100,
        ],
        'blocks, shared.note': [
          'select t1.id, l."entity_id", l."order", json_object(\'text\', t1."text") from `components_shared_notes` as `t1` join "articles_components" l on l."component_id" = t1.id where l."entity_id" in (select value from json_each(?)) and l."field" = ? and l."component_type" = ? order by l."entity_id", l."order", l.id limit ?',
          '[1,2]',
          'blocks',
          'shared.note',
          100,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
        'blocks, shared.seo': [
          'select t1.id, l.`entity_id`, l.`order`, t1.`title` from `components_shared_seos` as `t1` join `articles_components` l on l.`component_id` = t1.id where l.`entity_id` in (?, ?, ?, ?, ?) and l.`field` = ? and l.`component_type` = ? order by l.`entity_id`, l.`order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          'blocks',
          'shared.seo',
          100,
        ],
        'blocks, shared.note': [
          'select t1.id, l.`entity_id`, l.`order`, t1.`text` from `components_shared_notes` as `t1` join `articles_components` l on l.`component_id` = t1.id where l.`entity_id` in (?, ?, ?, ?, ?) and l.`field` = ? and l.`component_type` = ? order by l.`entity_id`, l.`order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          'blocks',
          'shared.note',
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        'blocks, shared.seo': [
          'select t1.id, l."entity_id", l."order", t1."title" from "components_shared_seos" as "t1" join "articles_components" l on l."component_id" = t1.id where l."entity_id" = any($1::int[]) and l."field" = $2 and l."component_type" = $3 order by l."entity_id", l."order", l.id limit $4::bigint',
          [1, 2],
          'blocks',
          'shared.seo',
          100,
        ],
        'blocks, shared.note': [
          'select t1.id, l."entity_id", l."order", t1."text" from "components_shared_notes" as "t1" join "articles_components" l on l."component_id" = t1.id where l."entity_id" = any($1::int[]) and l."field" = $2 and l."component_type" = $3 order by l."entity_id", l."order", l.id limit $4::bigint',
          [1, 2],
          'blocks',
          'shared.note',
          100,
        ],
      },
    },
  },
  {
    says: 'entries of any type',
    type: 'page',
    ask: 'fields=title&pagination[withCount]=false&populate=subjects',
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, json_object(\'title\', t."title") from `pages` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
        'subjects, pointers': [
          'select l."page_id", l."subjects_id", l."subjects_type", l."field" from `pages_subjects_morphs` as `l` where l."page_id" in (select value from json_each(?)) order by l."order", l.id limit ?',
          '[1,2]',
          100,
        ],
        'subjects, api::article.article': [
          'select t1.id, t1.id, null, json_object(\'title\', t1."title", \'body\', t1."body", \'views\', t1."views", \'size\', cast(t1."size" as text), \'price\', case when t1."price" = cast(t1."price" as integer) then cast(t1."price" as integer) when typeof(t1."price") = \'real\' and not (abs(t1."price") < 1e8 and (t1."price" = cast(t1."price" * 1e2 + 0.5 as integer) / 1e2 or t1."price" = round(t1."price", 6))) then json(digits(t1."price")) else t1."price" end, \'rating\', case when t1."rating" = cast(t1."rating" as integer) then cast(t1."rating" as integer) when typeof(t1."rating") = \'real\' and not (abs(t1."rating") < 1e8 and (t1."rating" = cast(t1."rating" * 1e2 + 0.5 as integer) / 1e2 or t1."rating" = round(t1."rating", 6))) then json(digits(t1."rating")) else t1."rating" end, \'isOpen\', case when t1."is_open" then json(\'true\') when t1."is_open" is not null then json(\'false\') end, \'day\', t1."day", \'hour\', t1."hour", \'startsAt\', iif(typeof(t1."starts_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t1."starts_at"), t1."starts_at"), replace(datetime(t1."starts_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\'), \'extra\', iif(json_valid(t1."extra"), json(t1."extra"), t1."extra"), \'createdAt\', iif(typeof(t1."created_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t1."created_at"), t1."created_at"), replace(datetime(t1."created_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\'), \'updatedAt\', iif(typeof(t1."updated_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t1."updated_at"), t1."updated_at"), replace(datetime(t1."updated_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\')) from `articles` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?',
          '[1,2]',
          100,
        ],
        'subjects, api::page.page': [
          "select t1.id, t1.id, null, json_object('title', t1.\"title\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `pages` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
        'subjects, api::author.author': [
          "select t1.id, t1.id, null, json_object('name', t1.\"name\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `authors` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
        'subjects, api::tag.tag': [
          "select t1.id, t1.id, null, json_object('name', t1.\"name\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `tags` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
        'subjects, admin::user': [
          "select t1.id, t1.id, null, json_object('firstname', t1.\"firstname\", 'lastname', t1.\"lastname\", 'username', t1.\"username\", 'preferedLanguage', t1.\"prefered_language\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `admin_users` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `pages` as `t` order by t.`id` limit ? offset ?', 25, 0],
        'subjects, pointers': [
          'select l.`page_id`, l.`subjects_id`, l.`subjects_type`, l.`field` from `pages_subjects_morphs` as `l` where l.`page_id` in (?, ?, ?, ?, ?) order by l.`order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subjects, api::article.article': [
          'select t1.id, t1.id, null, t1.`title`, t1.`body`, t1.`views`, t1.`size`, t1.`price`, t1.`rating`, t1.`is_open`, t1.`day`, t1.`hour`, cast(t1.`starts_at` as char), t1.`extra`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `articles` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subjects, api::page.page': [
          'select t1.id, t1.id, null, t1.`title`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `pages` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subjects, api::author.author': [
          'select t1.id, t1.id, null, t1.`name`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `authors` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subjects, api::tag.tag': [
          'select t1.id, t1.id, null, t1.`name`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `tags` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subjects, admin::user': [
          'select t1.id, t1.id, null, t1.`firstname`, t1.`lastname`, t1.`username`, t1.`prefered_language`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `admin_users` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "pages" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        'subjects, pointers': [
          'select l."page_id", l."subjects_id", l."subjects_type", l."field" from "pages_subjects_morphs" as "l" where l."page_id" = any($1::int[]) order by l."order", l.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subjects, api::article.article': [
          'select t1.id, t1.id, null, t1."title", t1."body", t1."views", t1."size", t1."price", t1."rating", t1."is_open", t1."day", t1."hour", t1."starts_at", t1."extra", t1."created_at", t1."updated_at" from "articles" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subjects, api::page.page': [
          'select t1.id, t1.id, null, t1."title", t1."created_at", t1."updated_at" from "pages" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subjects, api::author.author': [
          'select t1.id, t1.id, null, t1."name", t1."created_at", t1."updated_at" from "authors" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subjects, api::tag.tag': [
          'select t1.id, t1.id, null, t1."name", t1."created_at", t1."updated_at" from "tags" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subjects, admin::user': [
          'select t1.id, t1.id, null, t1."firstname", t1."lastname", t1."username", t1."prefered_language", t1."created_at", t1."updated_at" from "admin_users" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
      },
    },
  },
  {
    says: 'one entry of any type',
    type: 'page',
    ask: 'fields=title&pagination[withCount]=false&populate=subject',
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, json_object(\'title\', t."title") from `pages` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
        'subject, pointers': [
          'select t.id, t."target_id", t."target_type" from `pages` as `t` where t.id in (select value from json_each(?)) and `t`.`target_id` is not null limit ?',
          '[1,2]',
          100,
        ],
        'subject, api::article.article': [
          'select t1.id, t1.id, null, json_object(\'title\', t1."title", \'body\', t1."body", \'views\', t1."views", \'size\', cast(t1."size" as text), \'price\', case when t1."price" = cast(t1."price" as integer) then cast(t1."price" as integer) when typeof(t1."price") = \'real\' and not (abs(t1."price") < 1e8 and (t1."price" = cast(t1."price" * 1e2 + 0.5 as integer) / 1e2 or t1."price" = round(t1."price", 6))) then json(digits(t1."price")) else t1."price" end, \'rating\', case when t1."rating" = cast(t1."rating" as integer) then cast(t1."rating" as integer) when typeof(t1."rating") = \'real\' and not (abs(t1."rating") < 1e8 and (t1."rating" = cast(t1."rating" * 1e2 + 0.5 as integer) / 1e2 or t1."rating" = round(t1."rating", 6))) then json(digits(t1."rating")) else t1."rating" end, \'isOpen\', case when t1."is_open" then json(\'true\') when t1."is_open" is not null then json(\'false\') end, \'day\', t1."day", \'hour\', t1."hour", \'startsAt\', iif(typeof(t1."starts_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t1."starts_at"), t1."starts_at"), replace(datetime(t1."starts_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\'), \'extra\', iif(json_valid(t1."extra"), json(t1."extra"), t1."extra"), \'createdAt\', iif(typeof(t1."created_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t1."created_at"), t1."created_at"), replace(datetime(t1."created_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\'), \'updatedAt\', iif(typeof(t1."updated_at") = \'text\', coalesce(strftime(\'%Y-%m-%dT%H:%M:%fZ\', t1."updated_at"), t1."updated_at"), replace(datetime(t1."updated_at" / 1000.0, \'unixepoch\', \'subsec\'), \' \', \'T\') || \'Z\')) from `articles` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?',
          '[1,2]',
          100,
        ],
        'subject, api::page.page': [
          "select t1.id, t1.id, null, json_object('title', t1.\"title\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `pages` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
        'subject, api::author.author': [
          "select t1.id, t1.id, null, json_object('name', t1.\"name\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `authors` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
        'subject, api::tag.tag': [
          "select t1.id, t1.id, null, json_object('name', t1.\"name\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `tags` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
        'subject, admin::user': [
          "select t1.id, t1.id, null, json_object('firstname', t1.\"firstname\", 'lastname', t1.\"lastname\", 'username', t1.\"username\", 'preferedLanguage', t1.\"prefered_language\", 'createdAt', iif(typeof(t1.\"created_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"created_at\"), t1.\"created_at\"), replace(datetime(t1.\"created_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'), 'updatedAt', iif(typeof(t1.\"updated_at\") = 'text', coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t1.\"updated_at\"), t1.\"updated_at\"), replace(datetime(t1.\"updated_at\" / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')) from `admin_users` as `t1` where t1.id in (select value from json_each(?)) order by t1.id, t1.id limit ?",
          '[1,2]',
          100,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `pages` as `t` order by t.`id` limit ? offset ?', 25, 0],
        'subject, pointers': [
          'select t.id, t.`target_id`, t.`target_type` from `pages` as `t` where t.id in (?, ?, ?, ?, ?) and `t`.`target_id` is not null limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subject, api::article.article': [
          'select t1.id, t1.id, null, t1.`title`, t1.`body`, t1.`views`, t1.`size`, t1.`price`, t1.`rating`, t1.`is_open`, t1.`day`, t1.`hour`, cast(t1.`starts_at` as char), t1.`extra`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `articles` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subject, api::page.page': [
          'select t1.id, t1.id, null, t1.`title`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `pages` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subject, api::author.author': [
          'select t1.id, t1.id, null, t1.`name`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `authors` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subject, api::tag.tag': [
          'select t1.id, t1.id, null, t1.`name`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `tags` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'subject, admin::user': [
          'select t1.id, t1.id, null, t1.`firstname`, t1.`lastname`, t1.`username`, t1.`prefered_language`, cast(t1.`created_at` as char), cast(t1.`updated_at` as char) from `admin_users` as `t1` where t1.id in (?, ?, ?, ?, ?) order by t1.id, t1.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "pages" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        'subject, pointers': [
          'select t.id, t."target_id", t."target_type" from "pages" as "t" where t.id = any($1::int[]) and "t"."target_id" is not null limit $2::bigint',
          [1, 2],
          100,
        ],
        'subject, api::article.article': [
          'select t1.id, t1.id, null, t1."title", t1."body", t1."views", t1."size", t1."price", t1."rating", t1."is_open", t1."day", t1."hour", t1."starts_at", t1."extra", t1."created_at", t1."updated_at" from "articles" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subject, api::page.page': [
          'select t1.id, t1.id, null, t1."title", t1."created_at", t1."updated_at" from "pages" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subject, api::author.author': [
          'select t1.id, t1.id, null, t1."name", t1."created_at", t1."updated_at" from "authors" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subject, api::tag.tag': [
          'select t1.id, t1.id, null, t1."name", t1."created_at", t1."updated_at" from "tags" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'subject, admin::user': [
          'select t1.id, t1.id, null, t1."firstname", t1."lastname", t1."username", t1."prefered_language", t1."created_at", t1."updated_at" from "admin_users" as "t1" where t1.id = any($1::int[]) order by t1.id, t1.id limit $2::bigint',
          [1, 2],
          100,
        ],
      },
    },
  },
  {
    says: 'lists within lists',
    ask: 'fields=title&pagination[withCount]=false&populate[author][fields]=name&populate[author][populate][articles][fields]=title&populate[author][populate][articles][populate][tags][fields]=name',
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, json_object(\'title\', t."title") from `articles` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
        author: [
          'select t1.id, l."article_id", null, json_object(\'name\', t1."name") from `authors` as `t1` join "articles_author_links" l on l."author_id" = t1.id where l."article_id" in (select value from json_each(?)) order by l."article_id", l.id limit ?',
          '[1,2]',
          100,
        ],
        'author.articles': [
          'select t2.id, l."author_id", l."article_order", json_object(\'title\', t2."title") from `articles` as `t2` join "articles_author_links" l on l."article_id" = t2.id where l."author_id" in (select value from json_each(?)) order by l."author_id", l."article_order", l.id limit ?',
          '[1,2]',
          100,
        ],
        'author.articles.tags': [
          'select t3.id, l."article_id", l."tag_order", json_object(\'name\', t3."name") from `tags` as `t3` join "articles_tags_links" l on l."tag_id" = t3.id where l."article_id" in (select value from json_each(?)) order by l."article_id", l."tag_order", l.id limit ?',
          '[1,2]',
          100,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
        author: [
          'select t1.id, l.`article_id`, null, t1.`name` from `authors` as `t1` join `articles_author_links` l on l.`author_id` = t1.id where l.`article_id` in (?, ?, ?, ?, ?) order by l.`article_id`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'author.articles': [
          'select t2.id, l.`author_id`, l.`article_order`, t2.`title` from `articles` as `t2` join `articles_author_links` l on l.`article_id` = t2.id where l.`author_id` in (?, ?, ?, ?, ?) order by l.`author_id`, l.`article_order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
        'author.articles.tags': [
          'select t3.id, l.`article_id`, l.`tag_order`, t3.`name` from `tags` as `t3` join `articles_tags_links` l on l.`tag_id` = t3.id where l.`article_id` in (?, ?, ?, ?, ?) order by l.`article_id`, l.`tag_order`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        author: [
          'select t1.id, l."article_id", null, t1."name" from "authors" as "t1" join "articles_author_links" l on l."author_id" = t1.id where l."article_id" = any($1::int[]) order by l."article_id", l.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'author.articles': [
          'select t2.id, l."author_id", l."article_order", t2."title" from "articles" as "t2" join "articles_author_links" l on l."article_id" = t2.id where l."author_id" = any($1::int[]) order by l."author_id", l."article_order", l.id limit $2::bigint',
          [1, 2],
          100,
        ],
        'author.articles.tags': [
          'select t3.id, l."article_id", l."tag_order", t3."name" from "tags" as "t3" join "articles_tags_links" l on l."tag_id" = t3.id where l."article_id" = any($1::int[]) order by l."article_id", l."tag_order", l.id limit $2::bigint',
          [1, 2],
          100,
        ],
      },
    },
  },
  {
    says: 'how many there are behind a relation',
    ask: 'fields=title&pagination[withCount]=false&populate[tags][count]=true',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, json_object(\'title\', t."title") from `articles` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
        tags: [
          'select count(*), l."article_id", null from `tags` as `t1` join "articles_tags_links" l on l."tag_id" = t1.id where l."article_id" in (select value from json_each(?)) group by l."article_id"',
          '[1,2]',
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
        tags: [
          'select count(*), l.`article_id`, null from `tags` as `t1` join `articles_tags_links` l on l.`tag_id` = t1.id where l.`article_id` in (?, ?, ?, ?, ?) group by l.`article_id`',
          1,
          2,
          2,
          2,
          2,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        tags: [
          'select count(*), l."article_id", null from "tags" as "t1" join "articles_tags_links" l on l."tag_id" = t1.id where l."article_id" = any($1::int[]) group by l."article_id"',
          [1, 2],
        ],
      },
    },
  },
  {
    says: 'a page of related entries for each entry',
    ask: 'fields=title&pagination[withCount]=false&populate[tags][fields]=name&populate[tags][sort]=name&populate[tags][filters][name][$ne]=y&populate[tags][start]=1&populate[tags][limit]=2',
    dialect: 'strapi4',
    sql: {
      sqlite: {
        entries: [
          'select t.id, null, null, json_object(\'title\', t."title") from `articles` as `t` order by t."id" limit ? offset ?',
          25,
          0,
        ],
        tags: [
          'select id, owner, place, c0 from (select t1.id as id, l."article_id" as owner, l."tag_order" as place, json_object(\'name\', t1."name") as c0, row_number() over (partition by l."article_id" order by t1."name", t1."id") as nth from `tags` as `t1` join "articles_tags_links" l on l."tag_id" = t1.id where l."article_id" in (select value from json_each(?)) and (t1.id & 255 or in_time()) and t1."name" <> ?) p where nth > ? and nth - ? <= ? order by owner, nth limit ?',
          '[1,2]',
          'y',
          1,
          1,
          2,
          100,
        ],
      },
      mysql: {
        entries: ['select t.id, null, null, t.`title` from `articles` as `t` order by t.`id` limit ? offset ?', 25, 0],
        tags: [
          'select id, owner, place, c0 from (select t1.id as id, l.`article_id` as owner, l.`tag_order` as place, t1.`name` as c0, row_number() over (partition by l.`article_id` order by t1.`name`, t1.`id`) as nth from `tags` as `t1` join `articles_tags_links` l on l.`tag_id` = t1.id where l.`article_id` in (?, ?, ?, ?, ?) and t1.`name` <> ?) p where nth > ? and nth - ? <= ? order by owner, nth limit ?',
          1,
          2,
          2,
          2,
          2,
          'y',
          1,
          1,
          2,
          100,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" order by t."id" limit $1::bigint offset $2::bigint',
          25,
          0,
        ],
        tags: [
          'select id, owner, place, c0 from (select t1.id as id, l."article_id" as owner, l."tag_order" as place, t1."name" as c0, row_number() over (partition by l."article_id" order by t1."name", t1."id") as nth from "tags" as "t1" join "articles_tags_links" l on l."tag_id" = t1.id where l."article_id" = any($1::int[]) and t1."name" <> $2::text) p where nth > $3::bigint and nth - $4::bigint <= $5::bigint order by owner, nth limit $6::bigint',
          [1, 2],
          'y',
          1,
          1,
          2,
          100,
        ],
      },
    },
  },
  {
    says: 'entries as the rules of the caller have it',
    ask: 'fields=title&pagination[withCount]=false&filters[title]=x',
    ruled: true,
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title"), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where (t.id & 255 or in_time()) and t."title" = ? and t."id" in (select a2."article_id" from "articles_author_links" a2 where a2."author_id" = ?) order by t."id" limit ? offset ?)',
          '[',
          ']',
          'x',
          5,
          25,
          0,
        ],
      },
      mysql: {
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `articles_author_links` a2 where a2.`author_id` = ?) f straight_join `articles` t on t.id = f.`article_id` where (t.`title` = ? and cast(t.`title` as binary) = ?) order by t.`id` limit ? offset ?',
          5,
          'x',
          'x',
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."title" = $1::text and t."id" in (select a2."article_id" from "articles_author_links" a2 where a2."author_id" = $2::bigint) order by t."id" limit $3::bigint offset $4::bigint',
          'x',
          5,
          25,
          0,
        ],
      },
    },
  },
  {
    says: 'values in every clause',
    ask: 'fields=title&filters[tags][name]=a&filters[title]=b&sort=author.name&populate[notes][filters][text]=c&populate[notes][sort]=text&populate[author][fields]=name&populate[author][filters][name]=d&pagination[page]=30',
    sql: {
      sqlite: {
        total: [
          'select count(*) from `articles` as `t` where (t.id & 255 or in_time()) and t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where a1."name" = ?) and t."title" = ?',
          'a',
          'b',
        ],
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(\'title\', t."title", \'author\', json_object(\'data\', json((select json_object(\'id\', t1.id, \'attributes\', json_object(\'name\', t1."name")) from (select "id", "author_id" from "articles_author_links" where "article_id" = t.id order by id limit 1) l1 cross join "authors" t1 on t1.id = l1."author_id" where (t1.id & 255 or in_time()) and t1."name" = ?))), \'notes\', json((select iif(count(*) > 200, too_many(), json_group_array(json_object(\'id\', t1.id, \'text\', t1."text") order by t1."text", t1."id") filter (where (t1.id & 255 or in_time()) and t1."text" = ?)) from (select "id", "component_id", "order" from "articles_components" where "entity_id" = t.id and "field" = ? and "component_type" = ? order by "order", id limit 201) l1 cross join "components_shared_notes" t1 on t1.id = l1."component_id"))), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `articles` as `t` where t.id in (select t.id from `articles` as `t` where (t.id & 255 or in_time()) and t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where a1."name" = ?) and t."title" = ? order by (select min(a3."name") from "articles_author_links" a4, "authors" a3 where a4."article_id" = t."id" and a3."id" = a4."author_id"), t."id" limit ? offset ?) order by (select min(a3."name") from "articles_author_links" a4, "authors" a3 where a4."article_id" = t."id" and a3."id" = a4."author_id"), t."id")',
          '[',
          ']',
          'd',
          'c',
          'notes',
          'shared.note',
          'a',
          'b',
          25,
          725,
        ],
      },
      mysql: {
        total: [
          'select count(*) from (select distinct a2.`article_id` from `tags` a1 straight_join `articles_tags_links` a2 on a2.`tag_id` = a1.`id` where (a1.`name` = ? and cast(a1.`name` as binary) = ?)) f straight_join `articles` t on t.id = f.`article_id` where (t.`title` = ? and cast(t.`title` as binary) = ?)',
          'a',
          'a',
          'b',
          'b',
        ],
        entries: [
          'select t.id, null, null, t.`title` from (select distinct a2.`article_id` from `tags` a1 straight_join `articles_tags_links` a2 on a2.`tag_id` = a1.`id` where (a1.`name` = ? and cast(a1.`name` as binary) = ?)) f straight_join `articles` t on t.id = f.`article_id` where (t.`title` = ? and cast(t.`title` as binary) = ?) order by (select min(a3.`name`) from `articles_author_links` a4, `authors` a3 where a4.`article_id` = t.`id` and a3.`id` = a4.`author_id`), t.`id` limit ? offset ?',
          'a',
          'a',
          'b',
          'b',
          25,
          725,
        ],
        author: [
          'select t1.id, l.`article_id`, null, t1.`name` from `authors` as `t1` join `articles_author_links` l on l.`author_id` = t1.id where l.`article_id` in (?, ?, ?, ?, ?) and (t1.`name` = ? and cast(t1.`name` as binary) = ?) order by l.`article_id`, l.id limit ?',
          1,
          2,
          2,
          2,
          2,
          'd',
          'd',
          100,
        ],
        notes: [
          'select t1.id, l.`entity_id`, l.`order`, t1.`text` from `components_shared_notes` as `t1` join `articles_components` l on l.`component_id` = t1.id where l.`entity_id` in (?, ?, ?, ?, ?) and l.`field` = ? and l.`component_type` = ? and (t1.`text` = ? and cast(t1.`text` as binary) = ?) order by l.`entity_id`, t1.`text`, t1.`id` limit ?',
          1,
          2,
          2,
          2,
          2,
          'notes',
          'shared.note',
          'c',
          'c',
          100,
        ],
      },
      postgres: {
        total: [
          'select count(*) from "articles" as "t" where t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where a1."name" = $1::text) and t."title" = $2::text',
          'a',
          'b',
        ],
        entries: [
          'select t.id, null, null, t."title" from "articles" as "t" where t."id" in (select a2."article_id" from "articles_tags_links" a2 join "tags" a1 on a1."id" = a2."tag_id" where a1."name" = $1::text) and t."title" = $2::text order by (select min(a3."name") from "articles_author_links" a4, "authors" a3 where a4."article_id" = t."id" and a3."id" = a4."author_id") nulls first, t."id" limit $3::bigint offset $4::bigint',
          'a',
          'b',
          25,
          725,
        ],
        author: [
          'select t1.id, l."article_id", null, t1."name" from "authors" as "t1" join "articles_author_links" l on l."author_id" = t1.id where l."article_id" = any($1::int[]) and t1."name" = $2::text order by l."article_id", l.id limit $3::bigint',
          [1, 2],
          'd',
          100,
        ],
        notes: [
          'select t1.id, l."entity_id", l."order", t1."text" from "components_shared_notes" as "t1" join "articles_components" l on l."component_id" = t1.id where l."entity_id" = any($1::int[]) and l."field" = $2 and l."component_type" = $3 and t1."text" = $4::text order by l."entity_id", t1."text" nulls first, t1."id" limit $5::bigint',
          [1, 2],
          'notes',
          'shared.note',
          'c',
          100,
        ],
      },
    },
  },
]

/** Expressions that plugins measure by. */
export const measuredRows: readonly SpelledRead[] = [
  {
    says: 'an operator of a plugin, in a filter and to sort by',
    type: 'site',
    ask: 'fields=id&filters[spot][$by]=2&sort[spot][$by]=3:desc&pagination[withCount]=false',
    sql: {
      sqlite: {
        whole: [
          'select cast(? || group_concat(entry, \',\') || ? as blob) from (select json_object(\'id\', t.id, \'attributes\', json_object(), \'meta\', json(\'{"availableLocales":[]}\')) as entry from `sites` as `t` where t.id in (select t.id from `sites` as `t` where (t.id & 255 or in_time()) and abs((case when json_valid(t."spot") and json_type(t."spot", ?) in (\'integer\', \'real\') then json_extract(t."spot", ?) + 0e0 end / nullif(((? + 0e0) - cos((? + 0e0))), 0))) <= (? + 0e0) order by coalesce(abs((case when json_valid(t."spot") and json_type(t."spot", ?) in (\'integer\', \'real\') then json_extract(t."spot", ?) + 0e0 end / nullif(((? + 0e0) - cos((? + 0e0))), 0))), -1e308) desc, t."id" limit ? offset ?) order by coalesce(abs((case when json_valid(t."spot") and json_type(t."spot", ?) in (\'integer\', \'real\') then json_extract(t."spot", ?) + 0e0 end / nullif(((? + 0e0) - cos((? + 0e0))), 0))), -1e308) desc, t."id")',
          '[',
          ']',
          '$."lat"',
          '$."lat"',
          1,
          2,
          2,
          '$."lat"',
          '$."lat"',
          1,
          3,
          25,
          0,
          '$."lat"',
          '$."lat"',
          1,
          3,
        ],
      },
      mysql: {
        entries: [
          "select t.id, null, null, null from `sites` as `t` where abs((case when json_type(json_extract(t.`spot`, ?)) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then json_extract(t.`spot`, ?) + 0e0 end / nullif(((? + 0e0) - cos((? + 0e0))), 0))) <= (? + 0e0) order by coalesce(abs((case when json_type(json_extract(t.`spot`, ?)) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then json_extract(t.`spot`, ?) + 0e0 end / nullif(((? + 0e0) - cos((? + 0e0))), 0))), -1e308) desc, t.`id` limit ? offset ?",
          '$."lat"',
          '$."lat"',
          1,
          2,
          2,
          '$."lat"',
          '$."lat"',
          1,
          3,
          25,
          0,
        ],
      },
      postgres: {
        entries: [
          'select t.id, null, null, null from "sites" as "t" where abs((case when jsonb_typeof(t."spot" -> $1::text) = \'number\' then (t."spot" ->> $2::text)::float8 end / nullif(($3::float8 - cos($4::float8)), 0))) <= $5::float8 order by coalesce(abs((case when jsonb_typeof(t."spot" -> $6::text) = \'number\' then (t."spot" ->> $7::text)::float8 end / nullif(($8::float8 - cos($9::float8)), 0))), -1e308) desc nulls last, t."id" limit $10::bigint offset $11::bigint',
          'lat',
          'lat',
          1,
          2,
          2,
          'lat',
          'lat',
          1,
          3,
          25,
          0,
        ],
      },
    },
  },
]
