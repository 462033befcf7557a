import type { DatabaseSettings } from '../../support/engines.js'
import { run } from '../../support/run.js'
import type { Shape } from './content.js'

type Row = Readonly<Record<string, unknown>>

export interface PicturedArticle {
  readonly title: string
  readonly isPublished: boolean
  readonly shape: Shape
  readonly covers: readonly string[]
}

/** A database as it is, looked at past the server. */
export interface Picture {
  readonly articles: readonly PicturedArticle[]
  readonly files: readonly { readonly name: string; readonly key: string; readonly links: number }[]
  /** Notes of storage without a file: keys, and files that wait for their entry. */
  readonly noted: readonly string[]
  /** Rows that lead to nothing or that nothing leads to. */
  readonly orphans: readonly string[]
}

/** Tables that join two others, with the tables that their columns lead to. */
const joins: readonly (readonly [table: string, ends: Readonly<Record<string, string>>])[] = [
  ['articles_author_links', { article_id: 'articles', author_id: 'authors' }],
  ['articles_tags_links', { article_id: 'articles', tag_id: 'tags' }],
  ['parts_slides_tag_links', { slide_id: 'parts_slides', tag_id: 'tags' }],
  ['files_folder_links', { file_id: 'files', folder_id: 'upload_folders' }],
  ['files_related_morphs', { file_id: 'files', related_id: 'articles' }],
  ['articles_components', { entity_id: 'articles' }],
  ['parts_seos_components', { entity_id: 'parts_seos' }],
]
const holders = ['articles_components', 'parts_seos_components']
const parts: Readonly<Record<string, string>> = {
  'parts.seo': 'parts_seos',
  'parts.social': 'parts_socials',
  'parts.slide': 'parts_slides',
  'parts.quote': 'parts_quotes',
}
const entries = ['articles', 'authors', 'tags', 'files', 'upload_folders', 'stele_upload_leftovers']

export async function pictureOf(database: DatabaseSettings): Promise<Picture> {
  const names = [...entries, ...Object.values(parts), ...joins.map(([table]) => table)]
  const tables = new Map<string, readonly Row[]>()
  for (const name of names) tables.set(name, await run(database, `select * from ${name}`))
  return new Looker(tables).picture()
}

class Looker {
  readonly #tables: ReadonlyMap<string, readonly Row[]>
  readonly #byId: ReadonlyMap<string, ReadonlyMap<number, Row>>

  constructor(tables: ReadonlyMap<string, readonly Row[]>) {
    this.#tables = tables
    this.#byId = new Map(
      [...tables].map(([name, rows]) => [name, new Map(rows.map(row => [Number(row.id), row] as const))] as const),
    )
  }

  picture(): Picture {
    const files = this.#rows('files').map(file => ({
      name: String(file.name),
      key: `${file.hash}${file.ext}`,
      links: this.#of('files_related_morphs', 'file_id', file).length,
    }))
    return {
      articles: this.#rows('articles').map(article => this.#article(article)),
      files,
      noted: this.#rows('stele_upload_leftovers').flatMap(({ keys }) =>
        typeof keys === 'string' ? JSON.parse(keys) : keys,
      ),
      orphans: [...this.#brokenJoins(), ...this.#ownerlessParts()],
    }
  }

  #article(article: Row): PicturedArticle {
    const held = (field: string) =>
      this.#of('articles_components', 'entity_id', article)
        .filter(row => row.field === field)
        .map(row => this.#part(row))
    const named = (table: string, column: string, target: string) =>
      this.#of(table, 'article_id', article).map(row => String(this.#at(target, row[column])?.name))
    const [seo] = held('seo')
    const [social] = seo ? this.#of('parts_seos_components', 'entity_id', seo).map(row => this.#part(row)) : []
    const slide = (row: Row | undefined) => ({
      caption: String(row?.caption),
      tag: row
        ? this.#of('parts_slides_tag_links', 'slide_id', row)
            .map(link => String(this.#at('tags', link.tag_id)?.name))
            .join()
        : '',
    })
    return {
      title: String(article.title),
      isPublished: article.published_at !== null,
      shape: {
        author: named('articles_author_links', 'author_id', 'authors').join(),
        tags: named('articles_tags_links', 'tag_id', 'tags'),
        seo: held('seo')
          .map(row => String(row?.title))
          .join(),
        network: String(social?.network),
        slides: held('slides').map(slide),
        blocks: held('blocks').map(row => String(row?.text ?? row?.caption)),
      },
      covers: this.#of('files_related_morphs', 'related_id', article).map(row =>
        String(this.#at('files', row.file_id)?.name),
      ),
    }
  }

  #brokenJoins(): string[] {
    return joins.flatMap(([table, ends]) =>
      this.#rows(table).flatMap(row => [
        ...Object.entries(ends)
          .filter(([column, target]) => !this.#at(target, row[column]))
          .map(([column, target]) => `${table} ${row.id}: there is no row ${row[column]} of ${target}`),
        ...(holders.includes(table) && !this.#part(row)
          ? [`${table} ${row.id}: there is no ${row.component_type} ${row.component_id}`]
          : []),
      ]),
    )
  }

  #ownerlessParts(): string[] {
    const held = new Set(
      holders.flatMap(table =>
        this.#rows(table).map(row => `${parts[String(row.component_type)]} ${row.component_id}`),
      ),
    )
    return Object.values(parts).flatMap(table =>
      this.#rows(table)
        .map(({ id }) => `${table} ${id}`)
        .filter(name => !held.has(name))
        .map(name => `${name} belongs to no entry`),
    )
  }

  #part(row: Row): Row | undefined {
    return this.#at(parts[String(row.component_type)] ?? '', row.component_id)
  }

  #rows(table: string): readonly Row[] {
    return this.#tables.get(table) ?? []
  }

  #at(table: string, id: unknown): Row | undefined {
    return this.#byId.get(table)?.get(Number(id))
  }

  readonly #indexes = new Map<string, Map<number, Row[]>>()

  /** The rows of a table that lead to a row, in their order. */
  #of(table: string, column: string, { id }: Row): readonly Row[] {
    const name = `${table}.${column}`
    let index = this.#indexes.get(name)
    if (!index) {
      index = new Map()
      for (const row of this.#rows(table)) {
        const at = Number(row[column])
        index.set(at, [...(index.get(at) ?? []), row])
      }
      for (const rows of index.values()) rows.sort((a, b) => placeOf(a) - placeOf(b))
      this.#indexes.set(name, index)
    }
    return index.get(Number(id)) ?? []
  }
}

const placeOf = (row: Row): number => Number(row.order ?? row.tag_order ?? row.id)
