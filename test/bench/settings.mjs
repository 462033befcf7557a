import { parseArgs } from 'node:util'
import { scenarios } from './scenarios.mjs'
import { servers } from './servers.mjs'
import { installedStrapi } from './strapi.mjs'

/** Reads the options of the command line, and names wrong ones. */
export function readSettings() {
  const { values } = parseArgs({
    options: {
      servers: { type: 'string' },
      engine: { type: 'string', default: 'sqlite' },
      scenarios: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      starts: { type: 'string', default: '1' },
      connections: { type: 'string', default: '32' },
      quick: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      startup: { type: 'boolean', default: false },
      plugins: { type: 'boolean', default: false },
      workers: { type: 'boolean', default: false },
      hooks: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      mariadb: { type: 'string' },
      strapi: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const { quick, all, engine } = values
  const names = namesOf(values)
  const known = scenarios().map(({ id }) => id)
  const chosen = values.scenarios?.split(',') ?? known
  for (const id of chosen)
    if (!known.includes(id)) throw new Error(`--scenarios: "${id}" is none of ${known.join(', ')}`)
  return {
    ...values,
    strapi: values.strapi === undefined ? undefined : installedStrapi(values.strapi),
    names,
    base: names.includes('koa') ? 'koa' : names[0],
    chosen,
    rounds: Number(values.rounds ?? (quick ? 3 : 5)),
    seconds: Number(values.seconds ?? (quick ? 0.5 : 1.5)),
    starts: Number(values.starts),
    warmup: quick ? 0.5 : 1.5,
    connections: Number(values.connections),
    compare: all || !(values.growth || values.startup || values.plugins || values.workers || values.hooks),
    growth: (all || values.growth) && engine === 'sqlite',
    startup: all || values.startup,
    plugins: (all || values.plugins) && engine === 'sqlite',
    workers: (all || values.workers) && engine === 'sqlite',
    hooks: (all || values.hooks) && engine === 'sqlite',
  }
}

/** The servers to measure: the named ones, or all of the engine; with an installed Strapi it, stele and koa. */
function namesOf({ servers: asked, engine, strapi }) {
  const runsHere = name => servers[name]?.engines.includes(engine)
  if (strapi !== undefined && !runsHere('strapi'))
    throw new Error(`--strapi: Strapi is measured on ${servers.strapi.engines}, not on "${engine}"`)
  const others = Object.keys(servers).filter(name => name !== 'strapi' && runsHere(name))
  const names = asked?.split(',') ?? (strapi === undefined ? others : ['stele', 'koa'])
  if (strapi === undefined && names.includes('strapi'))
    throw new Error('--servers: "strapi" needs --strapi with the folder of an installed Strapi 4')
  const other = names.find(name => !runsHere(name))
  if (other !== undefined) throw new Error(`--servers: "${other}" does not run on "${engine}"`)
  return strapi === undefined || names.includes('strapi') ? names : [...names, 'strapi']
}
