// Time of `_q` over many texts, with an index and without: `npm run build && node test/bench/search.mjs [texts]
// [engine...]`. Each request is one page of 25 with its total that was not sent before, and nothing is cached. Beside the
// time that a request takes there is the CPU that this process and the database spend on it, as that does not depend on
// other load of the machine.
import fs from 'node:fs'
import { createTestApp } from '../../dist/core/index.js'
import { engineOf } from './engine-of.mjs'

const [texts = '200000', ...chosen] = process.argv.slice(2)
const count = Number(texts)
const engines = chosen.length > 0 ? chosen : ['sqlite', 'mariadb', 'postgres']
const vocabulary = 40_000
const rounds = 9

/** The same numbers in every run. */
let seed = 1
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const syllables =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu ar en il om ur sta bre cli dro flu'.split(' ')
/** Words of different places look different; the first are short, as common words are. */
const wordAt = place => {
  let text = ''
  for (let rest = place + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    text += syllables[rest % syllables.length]
  return text
}
/** As in any language, the word at place n comes about half as often as that at place n / 2. */
const word = () => wordAt(Math.min(vocabulary - 1, Math.floor(vocabulary ** random()) - 1))
const prose = length => Array.from({ length }, word).join(' ')

const attributes = { title: { type: 'string' }, body: { type: 'text' } }
const types = search => ({ text: { attributes, ...(search && { search: ['title^10', 'body'] }) } })

async function open(database, search) {
  const start = performance.now()
  const app = await createTestApp({
    types: types(search),
    config: {
      database: { ...database, statementTimeout: 60_000 },
      api: { rest: { responseCache: 0 } },
    },
  })
  return { app, store: app.store, seconds: (performance.now() - start) / 1000 }
}

async function fill({ knex, transaction }) {
  for (let done = 0; done < count; done += 500)
    await transaction(async session => {
      const rows = Array.from({ length: Math.min(500, count - done) }, () => ({ title: prose(5), body: prose(60) }))
      const { sql, bindings } = knex('texts').insert(rows).toSQL().toNative()
      await session.run(sql, bindings)
    })
}

/** About how many texts have a word: the rank of a word that so many of them have. */
const kinds = {
  'one rare word': round => wordAt(20_000 + round * 701),
  'one word': round => wordAt(1500 + round * 53),
  'one common word': round => wordAt(100 + round * 7),
  'one very common word': round => wordAt(2 + round),
  'two words': round => `${wordAt(200 + round)} ${wordAt(90 + round)}`,
  'a phrase': round => `"${wordAt(10 + round)} ${wordAt(30 + round)}"`,
  'a beginning of four letters': round => `${wordAt(900 + round * 31).slice(0, 4)}*`,
}

/** Nanoseconds of CPU of a process and of those that it has started. */
function cpuOf(pid) {
  if (pid === undefined) return 0
  const ids = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const running = [String(pid), ...ids.filter(id => statOf(id)[1] === String(pid))].flatMap(id =>
    listed(`/proc/${id}/task`).map(task => Number(textOf(`/proc/${id}/task/${task}/schedstat`).split(' ')[0])),
  )
  const [ended, endedInKernel] = statOf(pid).slice(13, 15)
  return running.reduce((sum, time) => sum + time, 0) + (Number(ended) + Number(endedInKernel)) * 1e7
}

/** The fields behind the name of a process: its state, its parent, ... */
const statOf = id => textOf(`/proc/${id}/stat`).split(') ').at(-1).split(' ')
/** Processes and threads may end while they are looked at. */
const textOf = file => unless(() => fs.readFileSync(file, 'utf8'), '')
const listed = folder => unless(() => fs.readdirSync(folder), [])
function unless(read, otherwise) {
  try {
    return read()
  } catch {
    return otherwise
  }
}

async function measure(app, pid) {
  const figures = {}
  const cpu = () => (cpuOf(process.pid) + cpuOf(pid)) / 1e6
  for (const [kind, wordsOf] of Object.entries(kinds)) {
    const times = []
    const totals = []
    const before = cpu()
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      const answer = await app.inject({ method: 'GET', url: `/api/texts?_q=${encodeURIComponent(wordsOf(round))}` })
      times.push(performance.now() - start)
      if (answer.statusCode !== 200) throw new Error(answer.body)
      totals.push(answer.json().meta.pagination.total)
    }
    figures[kind] = { ms: middle(times), cpu: (cpu() - before) / rounds, texts: middle(totals) }
  }
  return figures
}

const middle = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]

async function writes(app) {
  const times = []
  for (let round = 0; round < 200; round++) {
    const start = performance.now()
    await app.entries('api::text.text').create({ title: prose(5), body: prose(60) })
    times.push(performance.now() - start)
  }
  return middle(times)
}

for (const engine of engines) {
  const { database, stop, pid } = await engineOf(engine)
  try {
    const plain = await open(database, false)
    await fill(plain.store)
    const without = await measure(plain.app, pid)
    const write = await writes(plain.app)
    await plain.app.close()
    const indexed = await open(database, true)
    const build = indexed.seconds
    const by = await measure(indexed.app, pid)
    const indexedWrite = await writes(indexed.app)
    await indexed.app.close()
    console.log(
      `\n${engine}: ${count} texts, index built in ${build.toFixed(1)} s; a create takes ${write.toFixed(2)} ms without and ${indexedWrite.toFixed(2)} ms with it`,
    )
    console.log(
      '| `_q` | texts found | ms by the index | ms of CPU | texts found | ms by reading texts | ms of CPU |\n|---|---:|---:|---:|---:|---:|---:|',
    )
    for (const kind of Object.keys(kinds))
      console.log(
        `| ${kind} | ${by[kind].texts} | ${by[kind].ms.toFixed(1)} | ${by[kind].cpu.toFixed(1)} | ${without[kind].texts} | ${without[kind].ms.toFixed(0)} | ${without[kind].cpu.toFixed(0)} |`,
      )
  } finally {
    await stop()
  }
}
