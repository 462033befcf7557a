import type { DatabaseSettings } from '../support/engines.js'
import { run } from '../support/run.js'

/** A rule of Strapi 4 for its tables: each statement finds rows that break it. */
interface Rule {
  readonly says: string
  readonly finds: string
  readonly only?: DatabaseSettings['client']
}

/** The rules of the layout that rows of the project break. */
export async function wrongIn(database: DatabaseSettings): Promise<string[]> {
  const wrong: string[] = []
  for (const { says, finds, only = database.client } of rulesOf(database.client)) {
    if (only !== database.client) continue
    const rows = await run(database, finds)
    if (rows.length > 0) wrong.push(`${says}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return wrong
}

const lists = [
  { table: 'articles_tags_links', owner: 'article_id', target: 'tag_id', place: 'tag_order' },
  { table: 'articles_related_links', owner: 'article_id', target: 'inv_article_id', place: 'article_order' },
  { table: 'articles_author_links', owner: 'article_id', target: 'author_id' },
  { table: 'articles_category_links', owner: 'article_id', target: 'category_id' },
  { table: 'homepages_featured_articles_links', owner: 'homepage_id', target: 'article_id', place: 'article_order' },
  { table: 'up_users_role_links', owner: 'user_id', target: 'role_id' },
  { table: 'up_permissions_role_links', owner: 'permission_id', target: 'role_id' },
]
const components = ['social', 'slide', 'seo', 'rich-text', 'quote', 'media']
const tableOf = (component: string): string =>
  `components_shared_${component.replace('-', '_')}${component === 'media' ? '' : 's'}`
const holders = ['articles', 'globals', 'homepages', 'components_shared_seos']
const localized = ['article', 'homepage']
const files = { article: 'articles', author: 'authors' }
const dates = ['articles', 'authors', 'categories', 'files', 'homepages', 'memos', 'profiles', 'tags', 'up_users']

function rulesOf(client: DatabaseSettings['client']): Rule[] {
  const order = client === 'mysql' ? '`order`' : '"order"'
  const joins = holders
    .map(table => `select '${table}' as holder, component_id, component_type from ${table}_components`)
    .join(' union all ')
  return [
    ...localized.map(name => ({
      says: `each localization of ${name} knows the other`,
      finds: `select * from ${name}s_localizations_links a where not exists (select 1 from ${name}s_localizations_links b where b.${name}_id = a.inv_${name}_id and b.inv_${name}_id = a.${name}_id)`,
    })),
    ...lists.map(({ table, owner, target }) => ({
      says: `${table} holds no pair twice`,
      finds: `select ${owner}, ${target} from ${table} group by ${owner}, ${target} having count(*) > 1`,
    })),
    ...lists.flatMap(({ table, owner, place }) =>
      place === undefined
        ? []
        : [
            {
              // A deleted target leaves a gap; the next write of its owner closes it.
              says: `no two have one place in the list of an owner in ${table}`,
              finds: `select ${owner} from ${table} group by ${owner} having min(${place}) < 1 or count(distinct ${place}) <> count(*)`,
            },
          ],
    ),
    {
      says: 'each article has its place in the lists of its author and its tags',
      finds:
        'select id from articles_author_links where article_order is null union all select id from articles_tags_links where article_order is null',
    },
    ...holders.map(table => ({
      says: `the components of ${table} have their places`,
      finds: `select entity_id, field from ${table}_components where ${order} is not null group by entity_id, field having count(distinct ${order}) <> count(*)`,
    })),
    ...components.flatMap(component => [
      {
        says: `each shared.${component} belongs to one owner`,
        finds: `select c.id from ${tableOf(component)} c left join (${joins}) j on j.component_id = c.id and j.component_type = 'shared.${component}' group by c.id having count(j.component_id) <> 1`,
      },
      {
        says: `each shared.${component} of an owner is there`,
        finds: `select * from (${joins}) j where component_type = 'shared.${component}' and component_id not in (select id from ${tableOf(component)})`,
      },
    ]),
    ...Object.entries(files).map(([name, table]) => ({
      says: `files of ${table} belong to one that is there`,
      finds: `select * from files_related_morphs where related_type = 'api::${name}.${name}' and related_id not in (select id from ${table})`,
    })),
    ...components.map(component => ({
      says: `files of shared.${component} belong to one that is there`,
      finds: `select * from files_related_morphs where related_type = 'shared.${component}' and related_id not in (select id from ${tableOf(component)})`,
    })),
    {
      says: 'links of files name the attribute and the place',
      finds: `select * from files_related_morphs where field is null or ${order} is null`,
    },
    {
      says: 'addresses are in small letters',
      finds: 'select id from up_users where email <> lower(email)',
      only: 'sqlite',
    },
    {
      says: 'passwords are hashes of bcrypt',
      finds:
        "select id from up_users where password not like '$2_$10$%' union all select id from articles where secret not like '$2_$10$%'",
    },
    ...dates.map(
      (table): Rule => ({
        says: `times in ${table} are numbers of milliseconds`,
        finds: `select id from ${table} where typeof(created_at) <> 'integer' or typeof(updated_at) <> 'integer'`,
        only: 'sqlite',
      }),
    ),
    {
      says: 'dates of publishing are numbers of milliseconds',
      finds:
        "select id from articles where typeof(published_at) not in ('integer', 'null') or typeof(starts_at) not in ('integer', 'null')",
      only: 'sqlite',
    },
  ]
}
