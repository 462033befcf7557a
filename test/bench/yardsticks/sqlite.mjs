import { loadSqlite } from '../../../dist/core/engines/sqlite/driver.js'
import { typeOf } from '../model.mjs'
import { columns, linkOf, populates } from './columns.mjs'

const { DatabaseSync } = await loadSqlite()

/**
 * The benchmark's scenarios by hand: one prepared statement an answer, its JSON made inside SQLite and passed on as bytes.
 * On one list of 25 that took 110 us of CPU, JSON fragments finished in JavaScript 137, rows with JSON.stringify 160.
 */
export function sqliteStore(file) {
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
    pragma mmap_size = 268435456; pragma temp_store = memory`)
  const prepare = sql => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  const totals = verifiedTotals(prepare)
  const byId = prepare(`select cast('{"data":' || ${entryJson('article', 't', { meta: true })} || ',"meta":{}}' as blob)
    from articles t where t.id = ?`)
  const one = id => bytes(byId.get(id)?.[0])
  return {
    list: lists(prepare, totals),
    one,
    ...writes(db, prepare, { one, wrote: totals.wrote }),
  }
}

const bytes = blob => blob && Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength)

// ---- JSON as SQL

function valueJson(alias, { column, type }) {
  const c = `${alias}.${column}`
  if (type === 'datetime') return `strftime('%Y-%m-%dT%H:%M:%fZ', ${c} / 1000.0, 'unixepoch')`
  if (type === 'boolean') return `case ${c} when 1 then json('true') when 0 then json('false') end`
  // A whole number is 4 in JavaScript's JSON and 4.0 in SQLite's.
  if (type === 'decimal') return `iif(${c} = cast(${c} as integer), cast(${c} as integer), ${c})`
  return c
}

function entryJson(type, alias, { fields, populate = [], meta = false }) {
  const scalars = columns(type, fields).map(c => `'${c.field}', ${valueJson(alias, c)}`)
  const relations = populate.map(node => `'${node.field}', json_object('data', ${relatedJson(type, alias, node)})`)
  const attributes = `json_object(${[...scalars, ...relations].join(', ')})`
  return `json_object('id', ${alias}.id, 'attributes', ${attributes}${meta ? `, 'meta', json('{"availableLocales":[]}')` : ''})`
}

function relatedJson(type, alias, { field, ...node }) {
  const { table, target, many, ownId, targetId, order } = linkOf(type, field)
  const from = `from ${table} l join ${typeOf(target).table} ${field} on ${field}.id = l.${targetId} where l.${ownId} = ${alias}.id`
  const entry = entryJson(target, field, node)
  return many
    ? `(select json_group_array(json(j)) from (select ${entry} j ${from} order by l.${order}))`
    : `(select ${entry} ${from})`
}

// ---- reads

/** Totals kept until this connection or another one has written: `data_version` proves the latter. */
function verifiedTotals(prepare) {
  const version = prepare('pragma data_version')
  const known = new Map()
  let written = 0
  let seen = ''
  return {
    wrote: () => {
      written += 1
    },
    of(key, count) {
      const now = `${written}/${version.get()[0]}`
      if (now !== seen || known.size > 10_000) known.clear()
      seen = now
      let total = known.get(key)
      if (total === undefined) {
        total = count()
        known.set(key, total)
      }
      return total
    },
  }
}

function lists(prepare, totals) {
  const plans = new Map()
  const planOf = q => {
    const key = [
      q.fields,
      q.populate,
      q.sort,
      q.author !== undefined,
      q.contains !== undefined,
      q.minViews !== undefined,
    ].join('|')
    let plan = plans.get(key)
    if (!plan) {
      plan = { key, ...makePlan(prepare, q) }
      plans.set(key, plan)
    }
    return plan
  }
  const head = Buffer.from('{"data":[')
  return q => {
    const plan = planOf(q)
    const values = []
    if (q.author !== undefined) values.push(q.author)
    if (q.contains !== undefined) values.push(`%${q.contains.replace(/[\\%_]/g, '\\$&')}%`)
    if (q.minViews !== undefined) values.push(q.minViews)
    const rows = bytes(plan.rows.get(...values, q.pageSize, (q.page - 1) * q.pageSize)[0]) ?? Buffer.alloc(0)
    let tail = `],"meta":{"pagination":{"page":${q.page},"pageSize":${q.pageSize}`
    if (q.withCount) {
      const total = totals.of(`${plan.key}|${values.join('|')}`, () => plan.count.get(...values)[0])
      tail += `,"pageCount":${Math.ceil(total / q.pageSize)},"total":${total}`
    }
    return Buffer.concat([head, rows, Buffer.from(`${tail}}}}`)])
  }
}

function makePlan(prepare, q) {
  const conditions = []
  if (q.author !== undefined) {
    conditions.push(
      `t.id in (select l.article_id from authors a join articles_author_links l on l.author_id = a.id where a.name = ?)`,
    )
  }
  if (q.contains !== undefined) conditions.push(`t.title like ? escape '\\'`)
  if (q.minViews !== undefined) conditions.push('t.views >= ?')
  const from = `from articles t${conditions.length ? ` where ${conditions.join(' and ')}` : ''}`
  const json = entryJson('article', 't', { fields: q.fields, populate: populates[q.populate], meta: true })
  return {
    rows: prepare(`select cast(group_concat(j, ',') as blob)
      from (select ${json} j ${from} order by ${q.sort ?? 't.id'} limit ? offset ?)`),
    count: prepare(`select count(*) ${from}`),
  }
}

// ---- writes

function writes(db, prepare, { one, wrote }) {
  const grouped = groupedWrites(prepare, wrote)
  const names = typeOf('article').scalars.map(({ field }) => field)
  const exists = Object.fromEntries(
    ['author', 'category', 'tag'].map(type => [type, prepare(`select 1 from ${typeOf(type).table} where id = ?`)]),
  )
  const need = (type, id) => {
    if (!exists[type].get(id)) throw new Error(`there is no ${type} ${id}`)
  }
  const slugTaken = prepare('select 1 from articles where slug = ?')
  const insert = db.prepare(`insert into articles (${names.join(', ')}, created_at, updated_at)
    values (${names.map(() => '?').join(', ')}, ?, ?)`)
  const next = (table, column, by) => `(select coalesce(max(${column}), 0) + 1 from ${table} where ${by} = ?)`
  const link = (table, targetId) =>
    db.prepare(
      `insert into ${table} (article_id, ${targetId}, article_order) values (?, ?, ${next(table, 'article_order', targetId)})`,
    )
  const linkAuthor = link('articles_author_links', 'author_id')
  const linkCategory = link('articles_category_links', 'category_id')
  const tags = 'articles_tags_links'
  const linkTag = db.prepare(`insert into ${tags} (article_id, tag_id, tag_order, article_order)
    values (?, ?, ?, ${next(tags, 'article_order', 'tag_id')})`)
  const appendTag = db.prepare(`insert into ${tags} (article_id, tag_id, tag_order, article_order)
    values (?, ?, ${next(tags, 'tag_order', 'article_id')}, ${next(tags, 'article_order', 'tag_id')})
    on conflict (article_id, tag_id) do update set tag_order = excluded.tag_order`)
  const setSummary = db.prepare('update articles set summary = ?, updated_at = ? where id = ?')
  const bind = value => (typeof value === 'boolean' ? Number(value) : (value ?? null))

  return {
    create: data =>
      grouped(() => {
        need('author', data.author)
        need('category', data.category)
        for (const tag of data.tags) need('tag', tag)
        if (slugTaken.get(data.slug)) throw new Error('slug taken')
        const now = Date.now()
        const id = insert.run(...names.map(name => bind(data[name])), now, now).lastInsertRowid
        linkAuthor.run(id, data.author, data.author)
        linkCategory.run(id, data.category, data.category)
        data.tags.forEach((tag, k) => {
          linkTag.run(id, tag, k + 1, tag)
        })
        return one(id)
      }),
    update: (id, data) =>
      grouped(() => {
        if (!setSummary.run(data.summary, Date.now(), id).changes) return undefined
        for (const tag of data.tags.connect) {
          need('tag', tag)
          appendTag.run(id, tag, id, tag)
        }
        return one(id)
      }),
  }
}

/** The writes of one turn of the event loop share a transaction and its fsync; a savepoint each keeps a failure to itself. */
function groupedWrites(prepare, wrote) {
  const [begin, commit, save, release, undo] = [
    'begin immediate',
    'commit',
    'savepoint w',
    'release w',
    'rollback to w',
  ].map(prepare)
  let waiting = []
  const flush = () => {
    const group = waiting
    waiting = []
    begin.run()
    for (const write of group) {
      save.run()
      try {
        write.answer = write.work()
      } catch (error) {
        write.error = error
        undo.run()
      }
      release.run()
    }
    commit.run()
    wrote()
    for (const { resolve, reject, answer, error } of group) error ? reject(error) : resolve(answer)
  }
  return work =>
    new Promise((resolve, reject) => {
      if (waiting.push({ work, resolve, reject }) === 1) setImmediate(flush)
    })
}
