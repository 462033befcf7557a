import { typeOf } from '../model.mjs'
import { columns, linkOf, populates } from './columns.mjs'

/**
 * The scenarios by hand on a database server: prepared statements, rows as arrays, one statement a relation. Totals are
 * kept until this process writes, as if there were no other.
 */
export function rowsStore(database) {
  const { run } = database
  const totals = new Map()
  const one = async (id, on) => {
    const [found] = await run(`select ${select('article', 't')} from articles t where t.id = ?`, [id], on)
    return found && { data: { ...article(found), ...locales() }, meta: {} }
  }
  return { list: lists(run, totals), one, ...writes({ ...database, wrote: () => totals.clear() }, one) }
}

const locales = () => ({ meta: { availableLocales: [] } })
const places = list => list.map(() => '?').join(', ')
const select = (type, alias, fields) =>
  [`${alias}.id`, ...columns(type, fields).map(({ column }) => `${alias}.${column}`)].join(', ')

/** A compiled function from a row, whose entry starts at column `from`, to that entry. */
function reader(type, fields, from = 0) {
  const parts = columns(type, fields).map(
    (column, k) => `${column.field}: ${inJavaScript(column, `r[${from + 1 + k}]`)}`,
  )
  return new Function('iso', `return r => ({ id: r[${from}], attributes: { ${parts.join(', ')} } })`)(iso)
}
function inJavaScript({ type }, r) {
  if (type === 'datetime') return `iso(${r})`
  return type === 'boolean' ? `${r} === null ? null : ${r} === 1 || ${r} === true` : r
}
// MariaDB's driver leaves a fraction of zero out, and PostgreSQL the zeros at the end of one.
const iso = text => text && `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`
const article = reader('article')

function lists(run, totals) {
  const count = async (from, values) => {
    const key = `${from}|${values.join('|')}`
    let total = totals.get(key)
    if (total === undefined) {
      total = Number((await run(`select count(*) ${from}`, values))[0][0])
      if (totals.size > 10_000) totals.clear()
      totals.set(key, total)
    }
    return total
  }
  return async q => {
    const { from, values } = conditions(q)
    const counted = q.withCount && count(from, values)
    const page = `order by ${q.sort ?? 't.id'} limit ${q.pageSize} offset ${(q.page - 1) * q.pageSize}`
    const rows = await run(`select ${select('article', 't', q.fields)} ${from} ${page}`, values)
    const data = rows.map(q.fields ? reader('article', q.fields) : article)
    await addRelations(run, 'article', data, populates[q.populate])
    for (const entry of data) Object.assign(entry, locales())
    const pagination = { page: q.page, pageSize: q.pageSize }
    if (counted) {
      const total = await counted
      Object.assign(pagination, { pageCount: Math.ceil(total / q.pageSize), total })
    }
    return { data, meta: { pagination } }
  }
}

function conditions(q) {
  const where = []
  const values = []
  let from = 'articles t'
  if (q.author !== undefined) {
    // A join, because MariaDB walks all articles for `id in (select ...)`; an article has one author, so nothing is doubled.
    from = 'authors a join articles_author_links l on l.author_id = a.id join articles t on t.id = l.article_id'
    where.push('a.name = ?')
    values.push(q.author)
  }
  if (q.contains !== undefined) {
    where.push('lower(t.title) like ?')
    values.push(`%${q.contains.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  }
  if (q.minViews !== undefined) {
    where.push('t.views >= ?')
    values.push(q.minViews)
  }
  return { from: `from ${from}${where.length ? ` where ${where.join(' and ')}` : ''}`, values }
}

async function addRelations(run, type, entries, nodes) {
  if (!entries.length) return
  const ids = entries.map(entry => entry.id)
  await Promise.all(
    nodes.map(async ({ field, fields, populate = [] }) => {
      const link = linkOf(type, field)
      const read = reader(link.target, fields, 1)
      const rows = await run(
        `select l.${link.ownId}, ${select(link.target, 't', fields)} from ${link.table} l
          join ${typeOf(link.target).table} t on t.id = l.${link.targetId}
          where l.${link.ownId} in (${places(ids)})${link.many ? ` order by l.${link.ownId}, l.${link.order}` : ''}`,
        ids,
      )
      const found = rows.map(row => [row[0], read(row)])
      await addRelations(run, link.target, unique(found.map(([, entry]) => entry)), populate)
      assign(entries, found, field, link.many)
    }),
  )
}

/** Ten articles of one author share his populated entry's relations, asked for once. */
function unique(entries) {
  const shared = new Map()
  for (const entry of entries) {
    const first = shared.get(entry.id)
    if (first) entry.attributes = first.attributes
    else shared.set(entry.id, entry)
  }
  return [...shared.values()]
}

function assign(entries, found, field, many) {
  const byOwner = new Map()
  for (const [owner, entry] of found) {
    if (byOwner.has(owner)) byOwner.get(owner).push(entry)
    else byOwner.set(owner, [entry])
  }
  for (const { id, attributes } of entries) {
    const list = byOwner.get(id) ?? []
    attributes[field] = { data: many ? list : (list[0] ?? null) }
  }
}

// ---- writes

function writes({ run, change, transaction: inOne, insert, onSameTag, nothing, wrote }, one) {
  const transaction = async work => {
    const answer = await inOne(work)
    wrote()
    return answer
  }
  const names = typeOf('article').scalars.map(({ field }) => field)
  const stamp = () => new Date().toISOString().replace('T', ' ').replace('Z', '')
  const next = (table, column, by) => `(select coalesce(max(${column}), 0) + 1 from ${table} where ${by} = ?)`
  return {
    create: data =>
      transaction(async on => {
        const { author, category, tags } = data
        // A single query checks what must exist and what must not; the next places are read before, as `insert ...
        // select` locks gaps.
        const asked = [author, category, ...tags, data.slug, author, category, ...tags]
        const [[there, taken, authorPlace, categoryPlace, ...tagPlaces]] = await run(
          `select (select count(*) from authors where id = ?) + (select count(*) from categories where id = ?)
              + (select count(*) from tags where id in (${places(tags)})),
            (select count(*) from articles where slug = ?),
            ${next('articles_author_links', 'article_order', 'author_id')},
            ${next('articles_category_links', 'article_order', 'category_id')},
            ${tags.map(() => next('articles_tags_links', 'article_order', 'tag_id')).join(', ')}`,
          asked,
          on,
        )
        if (Number(there) !== 2 + tags.length || Number(taken))
          throw new Error('a relation is missing, or the slug is taken')
        const now = stamp()
        const id = await insert(
          `insert into articles (${names.join(', ')}, created_at, updated_at) values (${places(names)}, ?, ?)`,
          [...names.map(name => data[name] ?? null), now, now],
          on,
        )
        const link = (table, rows) =>
          run(
            `insert into ${table} values ${rows.map(row => `(${nothing}, ${places(row)})`).join(', ')}`,
            rows.flat(),
            on,
          )
        await link('articles_author_links', [[id, author, authorPlace]])
        await link('articles_category_links', [[id, category, categoryPlace]])
        await link(
          'articles_tags_links',
          tags.map((tag, k) => [id, tag, k + 1, tagPlaces[k]]),
        )
        return one(id, on)
      }),
    update: (id, data) =>
      transaction(async on => {
        const sql = 'update articles set summary = ?, updated_at = ? where id = ?'
        if (!(await change(sql, [data.summary, stamp(), id], on))) return undefined
        for (const tag of data.tags.connect) {
          const [place] = await run(
            `select ${next('articles_tags_links', 'tag_order', 'article_id')},
              ${next('articles_tags_links', 'article_order', 'tag_id')} from tags where id = ?`,
            [id, tag, tag],
            on,
          )
          if (!place) throw new Error(`there is no tag ${tag}`)
          await run(
            `insert into articles_tags_links (article_id, tag_id, tag_order, article_order) values (?, ?, ?, ?)
              ${onSameTag}`,
            [id, tag, ...place],
            on,
          )
        }
        return one(id, on)
      }),
  }
}
