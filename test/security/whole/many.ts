import type { TestApp } from '../../../core/index.js'

const range = (count: number, of: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => of(index))
/** No engine takes more values in one statement than this many rows have. */
const chunk = 300

/** Adds articles, each with an author of 50 and ten tags of 200: queries that are cheap on a few entries are not on these. */
export async function addMany({ store, types }: TestApp, count: number): Promise<void> {
  const first = 1000
  const entries = (uid: string, rows: object[]) => [types.types.get(uid)?.table ?? '', rows] as const
  const published = { published_at: store.encode('datetime', Date.UTC(2024, 0, 1)), locale: 'en' }
  const text = 'Vous trouverez ici un texte d’été, assez long pour être lu. '.repeat(8)
  const tables = [
    entries(
      'api::author.author',
      range(50, index => ({ id: first + index, name: `author ${index}` })),
    ),
    entries(
      'api::tag.tag',
      range(200, index => ({ id: first + index, name: `tag ${index}` })),
    ),
    entries(
      'api::article.article',
      range(count, index => ({
        ...{ id: first + index, title: `many ${index}`, body: `${text}${index}`, views: index % 100 },
        ...published,
      })),
    ),
    [
      'articles_author_links',
      range(count, index => ({ article_id: first + index, author_id: first + (index % 50), article_order: index })),
    ],
    [
      'articles_tags_links',
      range(count * 10, index => ({
        article_id: first + Math.floor(index / 10),
        tag_id: first + ((index * 7) % 200),
        ...{ tag_order: index, article_order: index },
      })),
    ],
  ] as const
  await store.transaction(async session => {
    for (const [table, rows] of tables)
      for (let from = 0; from < rows.length; from += chunk) {
        const insert = store.knex(table).insert(rows.slice(from, from + chunk))
        const { sql, bindings } = insert.toSQL().toNative()
        await session.run(sql, bindings)
      }
  })
}
