// Start of an app with many content types, on a new database and on one with the layout in place.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { engineOf } from './engine-of.mjs'
import { freePort, sleep, stop } from './processes.mjs'

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: 'sqlite,mariadb,postgres' },
    types: { type: 'string', default: '200' },
  },
})
const count = Number(values.types)
const main = new URL('../../core/tools/cli/stele.js', import.meta.url).pathname

/** Types with fields, relations in both directions and components, one and repeated. */
function writeApp(folder, database) {
  const write = (name, content) => {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  write('package.json', JSON.stringify({ type: 'module' }))
  write('config/database.js', `export default ${JSON.stringify(database)}\n`)
  const parts = [0, 1, 2, 3, 4].map(k => `shared.part${k}`)
  for (const [k, part] of parts.entries())
    write(
      `content-types/components/${part.replace('.', '/')}.json`,
      JSON.stringify({
        collectionName: `components_shared_part${k}s`,
        info: { displayName: part },
        attributes: { label: { type: 'string' }, amount: { type: 'integer' } },
      }),
    )
  for (let k = 0; k < count; k++) {
    const name = `thing${k}`
    const to = (relation, other, more) => ({
      type: 'relation',
      relation,
      target: `api::thing${other % count}.thing${other % count}`,
      ...more,
    })
    const schema = {
      kind: 'collectionType',
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      attributes: {
        title: { type: 'string', required: true },
        slug: { type: 'uid', targetField: 'title' },
        body: { type: 'text' },
        rank: { type: 'integer' },
        day: { type: 'date' },
        shown: { type: 'boolean' },
        parent: to('manyToOne', k + 1, { inversedBy: 'children' }),
        children: to('oneToMany', k + count - 1, { mappedBy: 'parent' }),
        friends: to('manyToMany', k + 2),
        part: { type: 'component', component: parts[k % parts.length] },
        list: { type: 'component', component: parts[(k + 1) % parts.length], repeatable: true },
      },
    }
    write(`content-types/${name}.json`, JSON.stringify(schema))
  }
}

async function measure(engine) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-bench-'))
  const { database, stop: stopEngine } = await engineOf(engine)
  try {
    writeApp(folder, database)
    const begin = async () => {
      const port = await freePort()
      const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production', LOG_LEVEL: 'warn' }
      const began = performance.now()
      const child = spawn(process.execPath, [main, 'start', '--app', folder], { env, stdio: ['ignore', 'ignore', 2] })
      const until = async (place, isEnough) => {
        while (!(await fetch(`http://127.0.0.1:${port}${place}`).then(isEnough, () => false))) {
          if (child.exitCode !== null) throw new Error('the server ended while it started')
          await sleep(5)
        }
        return Math.round(performance.now() - began)
      }
      try {
        return { open: await until('/_health', () => true), ready: await until('/_health/ready', ({ ok }) => ok) }
      } finally {
        await stop(child)
      }
    }
    const [first, second] = [await begin(), await begin()]
    process.stdout.write(
      `${engine}, ${count} types: first start answers /_health after ${first.open} ms and is ready after ${first.ready} ms; second start ${second.open} ms and ${second.ready} ms\n`,
    )
  } finally {
    await stopEngine()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

for (const engine of values.engines.split(',')) await measure(engine)
