export default ({ env }) => ({
  // sqlite, mysql (MariaDB too) or postgres; sqlite where nothing is said. The place comes from DATABASE_FILENAME
  // (.tmp/data.db; data/data.db in production), or from DATABASE_HOST, _PORT, _NAME, _USERNAME and _PASSWORD, or all of it
  // from one DATABASE_URL.
  client: env('DATABASE_CLIENT'),
  // Connections that are kept, and that there may be; SQLite has its own one.
  pool: { min: 0, max: env.int('DATABASE_POOL_MAX', 10) },
  // Milliseconds that one statement may take.
  statementTimeout: 10_000,
})
