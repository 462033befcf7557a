import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { type Engine, Overtaken } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { definePlugin, type Session } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { batchOf } from '../support/batch.js'
import { idsOf, type Server, said, serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { DatabaseSync } from '../support/sqlite.js'

const types = {
  article: {
    attributes: {
      name: { type: 'string' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
}
const components = {
  'shared.slide': {
    attributes: { name: { type: 'string' }, tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' } },
  },
}
const tables = [
  'articles',
  'articles_components',
  'components_shared_slides',
  'components_shared_slides_tag_links',
  'articles_tags_links',
]

/** A promise and the two ways to settle it, so that a test can hold a transaction open without waiting for time to pass. */
function gate() {
  let open: () => void = () => undefined
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { passed, open }
}

onEveryEngine('one transaction for each write', engine => {
  const hold = { reached: gate(), released: gate() }
  const hooks = definePlugin({
    name: 'hooks',
    appliesTo: type => type.uid === 'api::article.article',
    hooks: {
      afterWrite: async (row, { session }) => {
        if (row.name === 'fails') throw new Error('the hook refuses')
        if (row.name === 'writes and fails') {
          await session.run("insert into tags (name) values ('by the hook')", [])
          throw new Error('the hook refuses')
        }
        if (row.name === 'waits') {
          hold.reached.open()
          await hold.released.passed
        }
      },
    },
  })
  const server = serve(engine, { types, components, plugins: [hooks] })
  const counts = () => Promise.all([...tables, 'tags'].map(table => server.count(table)))
  const content = (tag: number) => ({ slides: [{ name: 's', tag }], tags: [tag] })

  for (const name of ['fails', 'writes and fails']) {
    it(`an error in a hook after a create undoes all of it: the entry, its components and its links (${name})`, async () => {
      const [tag] = (await server.makeMany('/tags', 1)) as [number]
      const before = await counts()
      assert.equal((await server.post('/articles', { name, ...content(tag) })).status, 500)
      assert.deepEqual(await counts(), before)
    })
    it(`an error in a hook after an update undoes all of it (${name})`, async () => {
      const [a, b] = (await server.makeMany('/tags', 2)) as [number, number]
      const id = await server.make('/articles', { name: 'kept', ...content(a) })
      const populated = `/articles/${id}?populate[tags]=true&populate[slides][populate]=tag`
      const [before, rows] = [(await server.get(populated)).body, await counts()]
      assert.equal((await server.put(`/articles/${id}`, { name, ...content(b) })).status, 500)
      assert.deepEqual((await server.get(populated)).body, before)
      assert.deepEqual(await counts(), rows)
    })
  }

  it('a read sees nothing of a write that is still open, and all of it afterwards', async () => {
    const [tag] = (await server.makeMany('/tags', 1)) as [number]
    const id = await server.make('/articles', { name: 'before' })
    const write = server.put(`/articles/${id}`, { name: 'waits', ...content(tag) })
    await hold.reached.passed
    const during = await server.get(`/articles/${id}?populate=*`)
    assert.equal(during.body.data.attributes.name, 'before')
    assert.deepEqual(idsOf(during, 'tags'), [])
    assert.deepEqual(during.body.data.attributes.slides, [])
    hold.released.open()
    assert.equal((await write).status, 200)
    const after = await server.get(`/articles/${id}?populate=*`)
    assert.equal(after.body.data.attributes.name, 'waits')
    assert.deepEqual(idsOf(after, 'tags'), [tag])
  })
})

onEveryEngine('writes at the same time', engine => {
  const server = serve(engine, { types, components })

  it('fifty connects to one entry lose no link: all are there, numbered 1 to 50', async () => {
    const tags = await server.makeMany('/tags', 50)
    const id = await server.make('/articles')
    const replies = await Promise.all(tags.map(tag => server.put(`/articles/${id}`, { tags: { connect: [tag] } })))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    const rows = await server.rows('articles_tags_links', ['tag_order', 'tag_id'], { article_id: id })
    assert.deepEqual(
      rows.map(row => row.tag_order),
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
    assert.deepEqual(
      rows.map(row => Number(row.tag_id)).sort((a, b) => a - b),
      tags,
    )
  })

  it('writes of different fields of one entry are all kept', async () => {
    const [tag] = (await server.makeMany('/tags', 1)) as [number]
    const id = await server.make('/articles')
    const replies = await Promise.all([
      server.put(`/articles/${id}`, { name: 'n' }),
      server.put(`/articles/${id}`, { tags: [tag] }),
      server.put(`/articles/${id}`, { slides: [{ name: 's' }] }),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    )
    const reply = await server.get(`/articles/${id}?populate=*`)
    assert.equal(reply.body.data.attributes.name, 'n')
    assert.deepEqual(idsOf(reply, 'tags'), [tag])
    assert.equal(reply.body.data.attributes.slides.length, 1)
  })

  it('replacing the components of one entry at once leaves the components of one write, and no stray rows', async () => {
    const id = await server.make('/articles')
    const writes = Array.from({ length: 8 }, (_, n) =>
      server.put(`/articles/${id}`, { slides: [{ name: `${n}` }, { name: `${n}` }] }),
    )
    for (const { status } of await Promise.all(writes)) assert.equal(status, 200)
    const { slides } = (await server.get(`/articles/${id}?populate=slides`)).body.data.attributes
    assert.equal(slides.length, 2)
    assert.equal(slides[0].name, slides[1].name)
    assert.equal((await server.rows('articles_components', ['id'], { entity_id: id })).length, 2)
    const strays = await run(
      server.database,
      'select id from components_shared_slides where id not in (select component_id from articles_components)',
    )
    assert.deepEqual(strays, [])
  })

  it('a delete and writes of the same entry: each is 200 or 404, and nothing is left', async () => {
    const tags = await server.makeMany('/tags', 4)
    const id = await server.make('/articles')
    const replies = await Promise.all([
      ...tags.map(tag => server.put(`/articles/${id}`, { tags: { connect: [tag] }, slides: [{ name: 'x' }] })),
      server.delete(`/articles/${id}`),
      server.delete(`/articles/${id}`),
    ])
    assert.deepEqual(
      replies
        .slice(4)
        .map(({ status }) => status)
        .sort(),
      [200, 404],
    )
    for (const { status } of replies) assert.ok(status === 200 || status === 404, String(status))
    assert.deepEqual(await server.rows('articles_tags_links', ['id'], { article_id: id }), [])
    assert.deepEqual(await server.rows('articles_components', ['id'], { entity_id: id }), [])
  })

  it('links to an entry that is being deleted: each write is 200 or 400, and no link leads nowhere', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [tag] = (await server.makeMany('/tags', 1)) as [number]
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, () => server.post('/articles', { tags: [tag] })),
        server.delete(`/tags/${tag}`),
      ])
      for (const { status, body } of replies) assert.ok(status === 200 || status === 400, JSON.stringify(body))
      assert.deepEqual(await server.rows('articles_tags_links', ['id'], { tag_id: tag }), [])
    }
  })

  if (engine.name === 'sqlite') return
  type Step = (session: Session, other: number) => Promise<unknown>
  /** Two transactions that each add to one entry, and once both have, to the other one: so they wait for each other. */
  const cross = async (then: Step) => {
    const [a, b] = (await server.makeMany('/tags', 2)) as [number, number]
    const both = [gate(), gate()]
    let attempts = 0
    const crossing = (first: number, second: number, mine: number) =>
      server.app.store.transaction(async session => {
        attempts += 1
        await add(session, server, first)
        both[mine]?.open()
        await Promise.all(both.map(({ passed }) => passed))
        await then(session, second)
      })
    await Promise.all([crossing(a, b, 0), crossing(b, a, 1)])
    assert.ok(attempts > 2, `${attempts} attempts`)
    assert.deepEqual(await server.rows('tags', ['name'], { id: a }), [{ name: 'tag 1++' }])
    assert.deepEqual(await server.rows('tags', ['name'], { id: b }), [{ name: 'tag 2++' }])
  }

  it('a deadlock between two transactions is run again, and both are stored', () =>
    cross((session, other) => add(session, server, other)))

  it('a deadlock is run again also where the work has caught its error and would have gone on', async () => {
    let caught = 0
    await cross((session, other) =>
      add(session, server, other).catch(() => {
        caught += 1
      }),
    )
    assert.ok(caught > 0)
  })

  it('nothing that was asked together with a statement that ends in a deadlock is stored outside of its transaction', async () => {
    const { sql, bindings } = server.app.store.knex('tags').insert({ name: 'asked together' }).toSQL().toNative()
    await cross((session, other) => {
      const insert = () => session.run(sql, bindings)
      return Promise.all([add(session, server, other), insert(), insert()])
    })
    assert.equal((await server.rows('tags', ['name'], { name: 'asked together' })).length, 2 * 2)
  })

  it('a deadlock in statements that were collected is run again, and all of them are stored', async () => {
    const { sql, bindings } = server.app.store.knex('tags').insert({ name: 'left behind' }).toSQL().toNative()
    await cross(async (session, other) => {
      const left: Session = {
        all: (sql, values) => session.all(sql, values),
        run: (sql, values) => session.run(sql, values),
        batch: batchOf(session),
      }
      await add(left, server, other)
      void batchOf(session).run(sql, bindings)
      return session.all('select 1 from tags', [])
    })
    assert.equal((await server.rows('tags', ['name'], { name: 'left behind' })).length, 2)
  })

  it('a link to an entry whose deletion is not stored yet waits for it, and is then refused', async () => {
    const [tag] = (await server.makeMany('/tags', 1)) as [number]
    const [gone, end] = [gate(), gate()]
    const deletion = server.app.store.transaction(async session => {
      const { sql, bindings } = server.app.store.knex('tags').where({ id: tag }).delete().toSQL().toNative()
      await session.run(sql, bindings)
      gone.open()
      await end.passed
    })
    await gone.passed
    const write = server.post('/articles', { name: 'late', tags: [tag] })
    await someoneWaits(server)
    end.open()
    await deletion
    const reply = await write
    assert.deepEqual(said(reply), [
      400,
      `tags names an entry of api::tag.tag that does not exist or may not be seen: ${tag}`,
    ])
    assert.deepEqual(await server.rows('articles', ['id'], { name: 'late' }), [])
  })
})

/** Returns when a transaction of the database waits for a lock of another one. */
async function someoneWaits({ database }: Server): Promise<void> {
  // InnoDB shows the same picture again to whoever looks twice within a tenth of a second.
  const refresh = database.client === 'mysql' ? 'do sleep(0.15)' : 'select 1'
  const waiting =
    database.client === 'mysql'
      ? `select trx_id from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id
         where trx_state = 'LOCK WAIT' and db = database()`
      : "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  do await run(database, refresh)
  while ((await run(database, waiting)).length === 0)
}

onEveryEngine('a lock that someone else holds', engine => {
  const server = serve(engine, { types, components, config: { database: { statementTimeout: 500 } } })

  /** Holds what a write of the entry needs, until it is let go. */
  async function hold(id: number): Promise<() => Promise<void>> {
    const { database } = server
    if (database.client === 'sqlite') {
      const other = new DatabaseSync(database.filename)
      other.exec('begin immediate')
      return async () => {
        other.exec('commit')
        other.close()
      }
    }
    const [held, end] = [gate(), gate()]
    const transaction = server.app.store.transaction(async session => {
      const { sql, bindings } = server.app.store.knex('articles').where({ id }).forUpdate().toSQL().toNative()
      await session.all(sql, bindings)
      held.open()
      await end.passed
    })
    await held.passed
    return () => {
      end.open()
      return transaction
    }
  }

  it('lets reads pass, and a write wait until it is released', async () => {
    const id = await server.make('/articles', { name: 'before' })
    const release = await hold(id)
    const write = server.put(`/articles/${id}`, { name: 'after' })
    assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.name, 'before')
    await release()
    assert.equal((await write).status, 200)
    assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.name, 'after')
  })

  it('refuses a write with 503 and Retry-After when it lasts, and stores nothing of it', async () => {
    const id = await server.make('/articles', { name: 'before' })
    const release = await hold(id)
    const reply = await server.put(`/articles/${id}`, { name: 'after' })
    assert.equal(reply.status, 503)
    assert.equal(reply.headers['retry-after'], '1')
    assert.equal(reply.body.error.name, 'ServiceUnavailableError')
    await release()
    assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.name, 'before')
    assert.equal((await server.put(`/articles/${id}`, { name: 'again' })).status, 200)
  })
})

/** Changes a row and thereby locks it until the end of the transaction. */
async function add(session: Session, { app }: Server, id: number): Promise<void> {
  const mark = app.store.engine === 'mysql' ? "concat(name, '+')" : "name || '+'"
  const { sql, bindings } = app.store
    .knex('tags')
    .where({ id })
    .update({ name: app.store.knex.raw(mark) })
    .toSQL()
    .toNative()
  await session.run(sql, bindings)
}

onEveryEngine('a transaction of a database server', engine => {
  const onServers = engine.name === 'sqlite' ? it.skip : it
  const words = {
    mysql: {
      own: 'select connection_id()',
      end: (id: unknown) => `kill ${id}`,
      isThere: (id: unknown) => `select count(*) from information_schema.processlist where id = ${id}`,
    },
    postgres: {
      own: 'select pg_backend_pid()',
      end: (id: unknown) => `select pg_terminate_backend(${id})`,
      isThere: (id: unknown) => `select count(*) from pg_stat_activity where pid = ${id}`,
    },
  }

  async function within(work: (open: () => Promise<Engine>) => Promise<void>): Promise<void> {
    const fresh = await engine.fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const opened: Engine[] = []
    await work(async () => {
      opened.push(await openEngine(database, createLog('silent')))
      return opened.at(-1) as Engine
    })
    await Promise.all(opened.map(one => one.close()))
    await fresh.drop()
  }

  onServers("whose end was not told is nobody's to run again", () =>
    within(async open => {
      const [mine, other] = [await open(), await open()]
      const { own, end, isThere } = words[engine.name as 'mysql' | 'postgres']
      const one = async (session: Session, sql: string) => (await session.all(sql, []))[0]?.[0]
      let times = 0
      const lost = mine.transaction(async session => {
        times += 1
        const id = await one(session, own)
        await other.reader.run(end(id), [])
        while (Number(await one(other.reader, isThere(id))) > 0);
      })
      await assert.rejects(lost, { status: 503, message: /lost before it said whether this is stored/ })
      assert.equal(times, 1)
    }),
  )

  onServers('that others get in the way of is given up in the end', () =>
    within(async open => {
      const mine = await open()
      const now = performance.now.bind(performance)
      const clock = vi.spyOn(performance, 'now')
      const overtaken = mine.transaction(async () => {
        clock.mockImplementation(() => now() + 60_000)
        throw new Overtaken('somebody was faster')
      })
      await assert.rejects(overtaken, { status: 503, message: /Too much write contention/ })
      clock.mockRestore()
    }),
  )
})
