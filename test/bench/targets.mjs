/**
 * What stele promises, next to koa with hand-written SQL on the same data in the same run. A miss is a request whose text
 * was never sent before; the yardsticks have no plans to miss, so they are the same measure for both forms.
 */
export const targets = {
  workers: 1.7,
  hit: 0.8,
  miss: 0.4,
  write: 0.6,
  /** On SQLite, and on database servers. */
  mixed: { sqlite: 2.5, mariadb: 1.5, postgres: 1.5 },
  /** CPU of a request on 1,000,000 rows, next to 10,000. */
  growth: 1.3,
  idleMegabytes: 80,
  /** Peak memory while 200 files of 1 MB arrive, and how much slower the slowest lists may be meanwhile. */
  uploadMegabytes: 200,
  uploadP99: 3,
  startupMs: 450,
  /** CPU of a request where one hook does nothing, next to none; asked again and always new. */
  hooks: { serialize: { hit: 1.1, miss: 1.5 }, afterFind: { hit: 1.5, miss: 1.5 } },
}
