import fs from 'node:fs'
import path from 'node:path'
import { alternate, median } from './measure.mjs'
import { sleep, startServer } from './processes.mjs'
import { formsOf, scenarios } from './scenarios.mjs'
import { seedFile, servers } from './servers.mjs'

const here = import.meta.dirname
const both = '0,1'
/** Lists that are read anew each time cost the server much and the load little. */
const chosen = ['list100 miss', 'populate miss', 'deep miss', 'list hit', 'create write']

/** Two workers behind one port against one process, on data of their own. */
export async function measureWorkers(folder, options) {
  const running = [await start(folder, 1), await start(folder, 2)]
  // The second worker starts when the first one answers.
  await sleep(2000)
  try {
    const forms = formsOf(scenarios()).filter(({ id, form }) => chosen.includes(`${id} ${form}`))
    const results = []
    for (const form of forms) results.push(await compare(form, running, options))
    return results
  } finally {
    for (const server of running) await server.stop()
  }
}

function start(folder, count) {
  const own = path.join(folder, `workers-${count}`)
  fs.cpSync(path.join(here, 'app'), path.join(own, 'app'), { recursive: true })
  const file = path.join(own, 'data.db')
  fs.copyFileSync(seedFile(10_000), file, fs.constants.COPYFILE_FICLONE)
  return startServer({
    name: `${count} workers`,
    command: [...servers.stele.command(path.join(own, 'app')), '--workers', String(count)],
    env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: file },
    log: path.join(own, 'log'),
    cpus: both,
  })
}

async function compare({ title, form, requests }, servers, options) {
  const subjects = servers.map(server => ({ server, requests }))
  const rounds = await alternate(subjects, { ...options, cpus: both })
  const failed = rounds.flat().find(({ errors }) => errors > 0)
  if (failed) throw new Error(`${title}: a request failed with\n${failed.firstError}`)
  const [one, two] = rounds.map(own => ({
    perSecond: median(own.map(round => round.perSecond)),
    cpu: median(own.map(({ cpu }) => cpu)),
  }))
  return {
    title: `${title}, ${form}`,
    one,
    two,
    load: median(rounds.flat().map(({ loadBusy, perSecond }) => (loadBusy / perSecond) * 1000)),
    ratio: median(rounds[1].map((round, k) => round.perSecond / rounds[0][k].perSecond)),
    alone: median(rounds[1].map((round, k) => (2 * rounds[0][k].cpu) / round.cpu)),
  }
}
