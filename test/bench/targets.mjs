/**
 * Targets of stele, next to koa with hand-written SQL on the same data in the same run. A miss is a request whose text
 * was never sent before; the yardsticks have no plans to miss and keep no responses, so they are the same measure for
 * both.
 */
export const targets = {
  workers: 1.7,
  hit: 5,
  /** The same of one entry by its id, which hand-written servers find as fast as they find anything. */
  hitOfOne: 1.5,
  miss: 0.8,
  /** On SQLite a hand-written server looks for nothing before it writes; on database servers what is looked for takes no longer. */
  write: { sqlite: 0.6, mariadb: 1, postgres: 1 },
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

/** The target of a scenario in one of its forms. */
export const targetOf = (id, form, engine) =>
  form === 'hit' && id === 'one' ? targets.hitOfOne : (targets[form][engine] ?? targets[form])
