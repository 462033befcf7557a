import fs from 'node:fs'
import path from 'node:path'
import { counts } from './dataset.mjs'
import { alternate, median } from './measure.mjs'
import { startServer } from './processes.mjs'
import { scenarios } from './scenarios.mjs'
import { seedFile, servers } from './servers.mjs'
import { targets } from './targets.mjs'

/** Plugins of one hook each that does nothing; `none` is the server without any. */
const plugins = { none: '', serialize: 'serialize() {}', afterFind: 'afterFind() {}' }

/** Cost of a hook that does nothing: CPU of a request next to that of the same server without plugins. */
export async function measureHooks(folder, options) {
  const names = Object.keys(plugins)
  const running = []
  try {
    for (const name of names) running.push(await start(folder, name))
    const results = []
    for (const subject of subjects()) results.push(...(await compare(subject, names, running, options)))
    return results
  } finally {
    for (const server of running) await server.stop()
  }
}

function start(folder, name) {
  const own = path.join(folder, `hooks-${name}`)
  const app = path.join(own, 'app')
  fs.cpSync(path.join(import.meta.dirname, 'app'), app, { recursive: true })
  if (name !== 'none') {
    fs.writeFileSync(path.join(app, 'idle.js'), `export const plugin = { name: 'idle', hooks: { ${plugins[name]} } }\n`)
    fs.writeFileSync(path.join(app, 'package.json'), '{ "type": "module" }')
    fs.writeFileSync(path.join(app, 'config/plugins.json'), JSON.stringify({ idle: { resolve: './idle.js' } }))
  }
  const file = path.join(own, 'data.db')
  fs.copyFileSync(seedFile(counts.article), file)
  return startServer({
    name,
    command: servers.stele.command(app),
    env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: file },
    log: path.join(own, 'log'),
  })
}

/** A list of 25 with its total, and the same with a relation: hooks see articles in both, authors in the second, too. */
function subjects() {
  const of = id => scenarios().find(one => one.id === id)
  return [
    { title: 'list of 25, asked again', form: 'hit', requests: of('list').hit },
    { title: 'list of 25, always new', form: 'miss', requests: of('list').miss },
    { title: 'one by id, asked again', form: 'hit', requests: of('one').hit.slice(0, 100) },
  ]
}

async function compare({ title, form, requests }, names, running, options) {
  const rounds = await alternate(
    running.map(server => ({ server, requests })),
    options,
  )
  const failed = rounds.flat().find(({ errors }) => errors > 0)
  if (failed) throw new Error(`${title}: a request failed with\n${failed.firstError}`)
  const [bare, ...others] = rounds
  return others.map((own, at) => ({
    title,
    hook: names[at + 1],
    cpu: median(own.map(({ cpu }) => cpu)),
    bareCpu: median(bare.map(({ cpu }) => cpu)),
    ratio: median(own.map((round, k) => round.cpu / bare[k].cpu)),
    target: targets.hooks[names[at + 1]][form],
  }))
}
