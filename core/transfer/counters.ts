import { rowsOf } from '../store/built.js'
import type { Engine, Session } from '../store/engine.js'

/** The highest id that a table ever gave: a new entry must not get that of one which is gone. */
export async function lastId(engine: Engine, session: Session, table: string): Promise<number> {
  const given = await givenBy(engine, session, table)
  const [highest] = await rowsOf(session, engine.knex(table).max('id'))
  return Math.max(given, Number(highest?.[0] ?? 0))
}

async function givenBy(engine: Engine, session: Session, table: string): Promise<number> {
  switch (engine.name) {
    case 'sqlite': {
      const [row] = await session.all('select seq from sqlite_sequence where name = ?', [table])
      return Number(row?.[0] ?? 0)
    }
    case 'mysql': {
      const [row] = await session.all(
        'select auto_increment - 1 from information_schema.tables where table_schema = database() and table_name = ?',
        [table],
      )
      return Number(row?.[0] ?? 0)
    }
    case 'postgres': {
      const sequence = await sequenceOf(session, table)
      if (sequence === undefined) return 0
      const [row] = await session.all(`select case when is_called then last_value else 0 end from ${sequence}`, [])
      return Number(row?.[0] ?? 0)
    }
  }
}

/** New rows get ids beyond this one. */
export async function raiseLastId(engine: Engine, session: Session, table: string, id: number): Promise<void> {
  const last = Math.max(id, await lastId(engine, session, table))
  if (last === 0) return
  switch (engine.name) {
    case 'sqlite': {
      const { changes } = await session.run('update sqlite_sequence set seq = ? where name = ?', [last, table])
      if (changes === 0) await session.run('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last])
      return
    }
    case 'mysql':
      await session.run(`${engine.knex.raw('alter table ??', [table]).toString()} auto_increment = ${last + 1}`, [])
      return
    case 'postgres': {
      const sequence = await sequenceOf(session, table)
      if (sequence !== undefined)
        await session.all('select setval(cast(? as regclass), cast(? as bigint))', [sequence, last])
    }
  }
}

/** As the database writes its name in statements; a table that Strapi made has one too. */
async function sequenceOf(session: Session, table: string): Promise<string | undefined> {
  const quoted = `"${table.replaceAll('"', '""')}"`
  const [row] = await session.all('select pg_get_serial_sequence(?, ?)', [quoted, 'id'])
  return row?.[0] === null || row?.[0] === undefined ? undefined : String(row[0])
}
