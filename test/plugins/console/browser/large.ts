import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import { bulk } from '../../../../plugins/bulk/index.js'
import { contentConsole } from '../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { DatabaseSync } from '../../../support/sqlite.js'
import { command } from '../../admin/world.js'

const many = (count: number, name: string, attribute: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, attribute]))

/** Types of which one has a million rows, one a large form, and one many drafts. */
const types = {
  note: {
    indexes: [{ attributes: ['title'] }],
    attributes: { title: { type: 'string' }, body: { type: 'text' }, rating: { type: 'integer' } },
  },
  poem: { options: { draftAndPublish: true }, attributes: { title: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
  page: {
    attributes: {
      title: { type: 'string' },
      ...many(12, 'text', { type: 'string' }),
      ...many(6, 'number', { type: 'integer' }),
      ...many(3, 'day', { type: 'date' }),
      ...many(2, 'flag', { type: 'boolean' }),
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      note: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
      blocks: { type: 'dynamiczone', components: ['shared.quote'] },
    },
  },
}

export const account = { email: 'ada@example.test', password: 'eleven elephants' }

export interface LargeApp {
  readonly app: TestApp
  readonly origin: string
  close(): Promise<void>
}

/** An app with 1,000,000 notes, 10,000 drafts, and a page with 200 components and 100 tags, whose id is 1. */
export async function largeApp(): Promise<LargeApp> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-large-'))
  const filename = join(folder, 'data.db')
  const app = await createTestApp({
    types,
    components: {
      'shared.quote': { attributes: { title: { type: 'string' }, body: { type: 'text' }, by: { type: 'string' } } },
    },
    plugins: [draftAndPublish, bulk, [admin, { ratelimit: { enabled: false } }], contentConsole],
    config: { server: { host: '127.0.0.1', port: 0 }, database: { filename } },
  } as Parameters<typeof createTestApp>[0])
  fill(filename)
  await command(app, 'admin create', [account.email], { password: account.password, role: 'Super Admin' })
  const tags = Array.from({ length: 100 }, (_, at) => at + 1)
  const text = 'A sentence of some sixty letters, as quotes in articles have it. '
  const blocks = Array.from({ length: 200 }, (_, at) => ({
    ...{ __component: 'shared.quote', title: `Quote ${at}`, body: text.repeat(4) },
  }))
  await app.inject({ method: 'POST', url: '/api/pages', payload: { data: { title: 'Large', tags, blocks } } })
  const { port } = await app.listen()
  return {
    ...{ app, origin: `http://127.0.0.1:${port}` },
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Rows of types without links need nothing of the server. */
function fill(filename: string): void {
  const database = new DatabaseSync(filename)
  const numbers = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  const at = '1700000000000 + i * 1000'
  database.exec(`
    insert into notes (title, body, rating, created_at, updated_at)
      ${numbers(1_000_000)} select printf('Note %07d', (i * 7919) % 1000003), 'Some words', i % 5, ${at}, ${at} from n;
    insert into poems (title, created_at, updated_at) ${numbers(10_000)} select 'Poem ' || i, ${at}, ${at} from n;
    insert into tags (name, created_at, updated_at) ${numbers(100)} select 'Tag ' || i, ${at}, ${at} from n;
    analyze`)
  database.close()
}
