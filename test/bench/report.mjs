import os from 'node:os'
import { median } from './measure.mjs'
import { pinning } from './processes.mjs'
import { targetOf, targets } from './targets.mjs'

const table = (head, rows) =>
  [head, head.map((_, k) => (k ? '---:' : '---')), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
const short = value => (value === undefined ? '' : value >= 100 ? Math.round(value) : value.toFixed(value < 10 ? 2 : 1))
const verdict = good => (good ? 'yes' : '**no**')

/** The method: a figure without it means nothing. */
export function heading({ engine, connections, rounds, seconds, starts }) {
  const cpu = `${os.cpus()[0].model.trim()}, ${os.availableParallelism()} CPUs`
  const times = starts > 1 ? `${starts} times ` : ''
  const how = `${connections} connections, ${times}${rounds} alternating rounds of ${seconds} s after a warm-up, medians`
  return `## ${engine}\n\n${cpu}, Node ${process.version}, ${pinning}; ${how}.`
}

/**
 * Requests a second decide. But a server that reads in its own process and did not get its CPU had a busy
 * neighbour: then the CPU that a request took decides, and the verdict says so.
 */
function judge(own, base, { id, form, engine }) {
  const starved = engine === 'sqlite' && ['hit', 'miss'].includes(form) && Math.min(own.busy, base.busy) < 0.9
  return `${verdict((starved ? own.cpuRatio : own.ratio) >= targetOf(id, form, engine))}${starved ? ' (CPU)' : ''}`
}

/** `results`: one entry a scenario and form, with a summary for each server. */
export function comparison(results, { names, base, engine }) {
  const others = names.filter(name => name !== base)
  const each = (list, cell) =>
    results.map(({ id, title, form, byServer }) => [
      `${id}: ${title}`,
      form,
      ...list.flatMap(name => cell(byServer[name], name, { id, form, engine }, byServer[base])),
    ])
  const judged = names.includes('stele') && base !== 'stele'
  const database = results.some(({ byServer }) => names.some(name => byServer[name].databaseCpu !== undefined))
  const ratioHead = others.flatMap(name => [
    `${name} / ${base}`,
    'by CPU',
    ...(database ? ["with the database's"] : []),
    ...(name === 'stele' && judged ? ['target', 'met'] : []),
  ])
  const ratioCells = (s, name, of, baseSummary) => [
    short(s.ratio),
    short(s.cpuRatio),
    ...(database ? [short(s.wholeRatio)] : []),
    ...(name === 'stele' && judged ? [`≥ ${targetOf(of.id, of.form, engine)}`, judge(s, baseSummary, of)] : []),
  ]
  const strapi = names.includes('strapi') && base !== 'strapi'
  const sections = [
    ['Next to Strapi 4', strapi && nextToStrapi(results, names)],
    ['Ratios', others.length && table(['scenario', 'form', ...ratioHead], each(others, ratioCells))],
    [
      'Requests a second',
      table(
        ['scenario', 'form', ...names, 'KB an answer'],
        results.map(({ id, title, form, byServer }) => [
          `${id}: ${title}`,
          form,
          ...names.map(name => short(byServer[name].perSecond)),
          short(byServer[base].kilobytes),
        ]),
      ),
    ],
    [
      'Latency in ms, p50 / p99',
      table(
        ['scenario', 'form', ...names],
        each(names, s => [`${short(s.p50)} / ${short(s.p99)}`]),
      ),
    ],
    [
      'Server CPU seconds for 1000 requests',
      table(
        ['scenario', 'form', ...names],
        each(names, s => [s.cpu.toFixed(3)]),
      ),
    ],
    [
      'Database server CPU seconds for 1000 requests',
      database &&
        table(
          ['scenario', 'form', ...names],
          each(names, s => [s.databaseCpu.toFixed(3)]),
        ),
    ],
    [
      'CPU kept busy, server / load generator',
      table(
        ['scenario', 'form', ...names],
        each(names, s => [`${s.busy.toFixed(2)} / ${s.loadBusy.toFixed(2)}`]),
      ),
    ],
  ]
  return sections
    .filter(([, text]) => text)
    .map(([title, text]) => `### ${title}\n\n${text}`)
    .join('\n\n')
}

/** Compared round by round, as with the base: the quotient of two ratios to the base would be that of no round. */
function nextToStrapi(results, names) {
  const others = names.filter(name => name !== 'strapi')
  const rows = results.map(({ id, title, form, nextToStrapi: of }) => [
    `${id}: ${title}`,
    form,
    ...others.flatMap(name => [short(of[name].ratio), short(of[name].cpuRatio)]),
  ])
  return table(['scenario', 'form', ...others.flatMap(name => [`${name} / strapi`, 'by CPU'])], rows)
}

export const peaks = list =>
  `### Peak memory in MB\n\n${table(
    list.map(({ name }) => name),
    [list.map(({ peak }) => short(peak))],
  )}`

export function growth(list, name, large, small) {
  const rows = list.map(({ title, few, many, ratio }) => [
    title,
    few.toFixed(3),
    many.toFixed(3),
    short(ratio),
    `≤ ${targets.growth}`,
    verdict(ratio <= targets.growth),
  ])
  return `## Growth, ${name}\n\nServer CPU seconds for 1000 requests.\n\n${table(['scenario', `${small} rows`, `${large} rows`, 'ratio', 'target', 'met'], rows)}`
}

export function startup(list) {
  const spread = values => {
    const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(Math.round)
    return { middle, text: `${middle} (${least}-${most})` }
  }
  const rowOf = ({ name, starts, idle }) => {
    const ms = spread(starts.map(start => start.ms))
    const cpu = spread(starts.map(start => start.cpu))
    const isMet = ms.middle < targets.startupMs && idle < targets.idleMegabytes
    return [
      name,
      ms.text,
      cpu.text,
      short(median(starts.map(start => start.megabytes))),
      short(idle),
      name === 'stele' ? verdict(isMet) : '',
    ]
  }
  const note = `From start to the first answer on an existing database, servers by turns (target < ${targets.startupMs} ms), and the CPU time of it; memory half a second later, and when it has been idle for twenty seconds (target < ${targets.idleMegabytes} MB).`
  return `## Startup\n\n${note}\n\n${table(['server', 'ms (least-most)', 'CPU ms', 'MB', 'idle MB', 'met'], list.map(rowOf))}`
}

export function plugins({ results, files }) {
  const rows = results.map(({ title, ratio, cpu, perSecond, barePerSecond, target }) => [
    title,
    short(perSecond),
    short(barePerSecond),
    short(ratio),
    short(cpu),
    `≥ ${target}`,
    verdict(Math.max(ratio, cpu) >= target),
  ])
  const ratio = files.busyP99 / files.idleP99
  const filesText = `${files.count} pictures of 1 MB, eight at a time, in ${short(files.seconds)} s: peak memory of the server with its decoder ${short(files.peak)} MB (target < ${targets.uploadMegabytes}: ${verdict(files.peak < targets.uploadMegabytes)}); p99 of a list meanwhile ${short(files.busyP99)} ms, alone ${short(files.idleP99)} ms, ${short(ratio)} times (target ≤ ${targets.uploadP99}: ${verdict(ratio <= targets.uploadP99)}).`
  return `## The five plugins, next to the same server without them\n\n${table(['scenario', 'on, a second', 'off, a second', 'on / off', 'by CPU', 'target', 'met'], rows)}\n\n${filesText}`
}

export function hooks(list) {
  const rows = list.map(({ title, hook, cpu, bareCpu, ratio, target }) => [
    title,
    hook,
    cpu.toFixed(3),
    bareCpu.toFixed(3),
    short(ratio),
    `≤ ${target}`,
    verdict(ratio <= target),
  ])
  const note = 'One plugin with one hook that does nothing, next to no plugin. Server CPU seconds for 1000 requests.'
  return `## Hooks\n\n${note}\n\n${table(['scenario', 'hook', 'with it', 'without', 'ratio', 'target', 'met'], rows)}`
}

export function workers(list) {
  const rows = list.map(({ title, one, two, load, ratio, alone }) => [
    title,
    short(one.perSecond),
    short(two.perSecond),
    short(ratio),
    one.cpu.toFixed(3),
    two.cpu.toFixed(3),
    load.toFixed(3),
    short(alone),
    `≥ ${targets.workers}`,
    verdict(Math.max(ratio, alone) >= targets.workers),
  ])
  const note = `Both CPUs for servers and load alike. CPU seconds are for 1000 requests, those of two workers with the process that watches over them. The last ratio is what they give where the load has a CPU of its own: with two workers busy, twice the requests that one CPU can answer.`
  const head = ['scenario', 'one, a second', 'two, a second', 'two / one', 'CPU of one', 'of two', 'of the load']
  return `## Two workers, next to one process\n\n${note}\n\n${table([...head, 'by CPU', 'target', 'met'], rows)}`
}
