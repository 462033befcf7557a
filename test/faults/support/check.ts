import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DatabaseSettings } from '../../support/engines.js'
import { run } from '../../support/run.js'
import { uploadsOf } from './app.js'
import { coverOf, fileText, keyOf, shapeOf } from './content.js'
import { absent, type Ledger } from './ledger.js'
import { type Picture, type PicturedArticle, pictureOf } from './picture.js'

/** Damage after a fault: acknowledged writes that were lost, and writes that were stored by half. */
export interface Damage {
  readonly lost: readonly string[]
  readonly half: readonly string[]
}

/** Compares what clients were told with what is stored. `settled`: the server has had the time to clear up behind a crash. */
export async function damageOf(
  ledger: Ledger,
  database: DatabaseSettings,
  app: string,
  { settled = false } = {},
): Promise<Damage> {
  const picture = await pictureOf(database)
  return {
    lost: lostOf(ledger, picture),
    half: [
      ...picture.orphans,
      ...picture.articles.flatMap(halfOf),
      ...halfFiles(ledger, picture, uploadsOf(app), settled),
      ...(await brokenFile(database)),
    ],
  }
}

export async function assertUndamaged(...given: Parameters<typeof damageOf>): Promise<void> {
  assert.deepEqual(await damageOf(...given), { lost: [], half: [] })
}

function lostOf(ledger: Ledger, { articles, files }: Picture): string[] {
  const found = new Map<string, string>()
  const twice: string[] = []
  const see = (key: string, state: string) => {
    if (found.has(key)) twice.push(`${key} is there twice`)
    found.set(key, state)
  }
  for (const { title, isPublished } of articles) see(keyOf(title), stateOf(title, isPublished))
  for (const { name } of files) if (!name.endsWith('-cover.txt')) see(name, 'stored')
  const keys = new Set([...ledger.keys(), ...found.keys()])
  const wrong = [...keys].map(key => ledger.objection(key, found.get(key) ?? absent))
  return [...twice, ...wrong.filter(word => word !== undefined)]
}

/** The state of an article, as the ledger knows it. */
export const stateOf = (title: string, isPublished: boolean): string => `${title}${isPublished ? ', published' : ''}`

function halfOf({ title, shape, covers }: PicturedArticle): string[] {
  const key = keyOf(title)
  const wanted = key.startsWith('covered') ? [coverOf(key)] : []
  return [
    ...(isDeepStrictEqual(shape, shapeOf(title)) ? [] : [`${title} holds ${JSON.stringify(shape)}`]),
    ...(isDeepStrictEqual(covers, wanted) ? [] : [`the covers of ${title} are [${covers.join()}]`]),
  ]
}

/** Every row has its content, and all content its row, or a note that somebody has to look after it. */
function halfFiles(ledger: Ledger, { files, noted, articles }: Picture, folder: string, settled: boolean): string[] {
  const stored = existsSync(folder) ? readdirSync(folder) : []
  const arriving = existsSync(join(folder, '.incoming')) ? readdirSync(join(folder, '.incoming')) : []
  const keys = new Set(files.map(({ key }) => key))
  const alive = new Set(articles.map(({ title }) => coverOf(keyOf(title))))
  const strange = stored.filter(name => name !== '.incoming' && !keys.has(name))
  const unlinked = files.filter(
    ({ name, links }) => name.endsWith('-cover.txt') && links === 0 && (alive.has(name) || !ledger.isReleased(name)),
  )
  return [
    ...files
      .filter(({ name, key }) => !stored.includes(key) || readFileSync(join(folder, key), 'utf8') !== fileText(name))
      .map(({ name }) => `the file ${name} has a row and not its content`),
    ...strange.filter(name => settled || !noted.includes(name)).map(name => `${name} lies in storage for nobody`),
    ...unlinked
      .filter(({ key }) => settled || !noted.includes(key))
      .map(({ name }) => `the file ${name} waits for an entry that is not there`),
    ...(settled ? [...noted, ...arriving].map(name => `${name} was not cleared up`) : []),
  ]
}

/** SQLite's own look at the pages of its file. */
async function brokenFile(database: DatabaseSettings): Promise<string[]> {
  if (database.client !== 'sqlite') return []
  const rows = await run(database, 'pragma integrity_check')
  return rows.map(({ integrity_check }) => String(integrity_check)).filter(word => word !== 'ok')
}
