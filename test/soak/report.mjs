import { failed } from './bars.mjs'

const titles = {
  warmup: '64 clients, warm-up',
  soak: '64 clients',
  held: '70 % of the peak',
  beside: '64 clients, beside it',
  twice: '2 x the peak',
  fourfold: '4 x the peak',
  recovery: '70 % of the peak again',
  stop: '70 % of the peak, SIGTERM',
}

export function phasesTable(phases) {
  const named = Object.entries(phases).flatMap(([name, some]) => [some].flat().map(phase => ({ name, phase })))
  const rows = named.map(({ name, phase }) => [
    titles[name],
    phase.seconds.toFixed(0),
    phase.rate === undefined ? '' : whole(phase.rate),
    whole(phase.goodput),
    ...[phase.good.p50, phase.good.p99, phase.good.worst].map(ms),
    phase.refused.count,
    ms(phase.refused.p99),
    failed(phase),
    phase.cut + phase.unanswered,
    phase.serverBusy?.toFixed(2) ?? '',
    phase.stolen.toFixed(2),
    (phases.soak.pace / phase.pace).toFixed(2),
    phase.sizes.some(Number.isNaN) ? '' : phase.sizes.map(whole).join(', '),
    phase.rate === undefined ? '' : ms(phase.late),
  ])
  const heads = [
    'seconds',
    'asked/s',
    'good/s',
    'p50',
    'p99',
    'worst ms',
    'refused',
    'p99 ms',
    'errors',
    'cut',
    'CPU',
    'stolen',
    'machine',
    'MB, by thirds',
    'clients late ms',
  ]
  return table(['phase', ...heads], rows)
}

export const barsTable = (bars, isJudged) =>
  table(
    ['', 'measured', 'bar', 'held'],
    bars.map(bar => [
      bar.what,
      decimal(bar.value),
      bar.bar,
      isJudged(bar) ? (bar.isHeld ? 'yes' : '**no**') : 'not judged',
    ]),
  )

const whole = value => String(Math.round(value))
const ms = value => (value === undefined ? '' : value.toFixed(value < 10 ? 1 : 0))
const decimal = value => (Number.isInteger(value) ? String(value) : value.toFixed(2))

function table(heads, rows) {
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, k) => (k === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}
