import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import { apiTokens } from '../../../../plugins/api-tokens/index.js'
import { audit } from '../../../../plugins/audit/index.js'
import { bulk } from '../../../../plugins/bulk/index.js'
import { contentConsole } from '../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { events } from '../../../../plugins/events/index.js'
import { i18n } from '../../../../plugins/i18n/index.js'
import { trash } from '../../../../plugins/trash/index.js'
import { upload } from '../../../../plugins/upload/index.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { versions } from '../../../../plugins/versions/index.js'
import type { World } from '../../../support/server.js'
import { folderOf } from '../../../support/terminal.js'
import { files } from './app.js'
import { articles, authors, covers, drawing, later, translation } from './content.js'

/** A magazine about bread with all that the console has views for; `time` is the clock of the server, `settings` are those of the console. */
export function magazine(time?: () => number, settings: Readonly<Record<string, unknown>> = {}): World {
  const app = folderOf(files)
  const folder = join(app, 'uploads')
  return {
    app,
    plugins: [
      ...[draftAndPublish, bulk, events],
      [i18n, { locales: ['en', 'de', 'fr'] }],
      [versions, { all: true }],
      [trash, { all: true }],
      [upload, { folder }],
      [apiTokens, { salt: 'a salt for tests' }],
      [usersPermissions, { jwtSecret: 'a secret for tests' }],
      [audit, { secret: 'a secret of this test, long enough' }],
      [admin, { ratelimit: { enabled: false } }],
      [contentConsole, settings],
    ],
    config: {
      webhooks: {
        site: { url: 'https://build.example.com/hook', events: ['entry.publish', 'entry.unpublish'] },
      },
    },
    rows: server => fill(server, folder),
    ...(time && { time }),
  }
}

type Languages = Pick<NonNullable<typeof i18n.service>, 'localize'>

async function fill({ entries, plugins }: TestApp, folder: string): Promise<void> {
  const of = (name: string) => entries(`api::${name}.${name}`)
  const idOf = async (made: Promise<Readonly<Record<string, unknown>>>) => Number((await made).id)
  const folders = entries('plugin::upload.folder')
  const bread = await idOf(folders.create({ name: 'Bread', pathId: 1, path: '/1' }))
  await folders.create({ name: 'Team', pathId: 2, path: '/2' })
  await folders.create({ name: 'Ovens', pathId: 3, path: '/1/3', parent: bread })
  await mkdir(folder, { recursive: true })
  const files = new Map<string, number>()
  for (const [at, { name, words, colours }] of covers.entries()) {
    const text = drawing(colours)
    await writeFile(join(folder, `${name}.svg`), text)
    const file = {
      ...{ name: `${name}.svg`, alternativeText: at % 4 === 3 ? null : words, width: 640, height: 400 },
      ...{ hash: name, ext: '.svg', mime: 'image/svg+xml', size: text.length / 1000 },
      ...{ url: `/uploads/${name}.svg`, provider: 'local' },
      ...(at < 3 ? { folder: bread, folderPath: '/1' } : { folderPath: '/' }),
    }
    files.set(name, await idOf(entries('plugin::upload.file').create(file)))
  }
  const people: number[] = []
  for (const author of authors) people.push(await idOf(of('author').create(author)))
  const tags = new Map<string, number>()
  for (const name of new Set(articles.flatMap(one => one.tags))) tags.set(name, await idOf(of('tag').create({ name })))
  for (const { author, tags: names, cover, isDraft, ...data } of articles)
    await of('article').create({
      ...data,
      ...{ locale: 'en', author: people[author], tags: names.map(name => tags.get(name)) },
      cover: cover === undefined ? null : files.get(cover),
      ...(isDraft && { publishedAt: null }),
    })
  await of('story').create(later.story)
  await of('homepage').create(later.homepage)
  const languages = plugins.find(({ spec }) => spec.name === 'i18n')?.service as Languages
  await languages.localize(of('article'), 1, { locale: 'de', ...translation })
  await of('article').update(1, { minutes: 10, summary: later.summary })
}
