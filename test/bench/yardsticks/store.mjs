/** The store that the environment names, in the words that stele takes too. */
export async function openStore(env = process.env) {
  if (env.DATABASE_CLIENT === 'sqlite') return (await import('./sqlite.mjs')).sqliteStore(env.DATABASE_FILENAME)
  const open = env.DATABASE_CLIENT === 'postgres' ? import('./postgres.mjs') : import('./mariadb.mjs')
  return (await import('./rows.mjs')).rowsStore(
    (await open).openDatabase({
      host: env.DATABASE_HOST,
      port: Number(env.DATABASE_PORT),
      database: env.DATABASE_NAME,
      user: env.DATABASE_USERNAME,
      password: env.DATABASE_PASSWORD,
    }),
  )
}
