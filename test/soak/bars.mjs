import { median } from '../bench/measure.mjs'

/** All phases: of some there are several. */
export const each = phases => Object.values(phases).flat()

/** Goodput beyond the peak, as shares of the peak at that time. */
export function shares({ beside, twice, fourfold }) {
  const peak = k => (beside[k].goodput + beside[k + 1].goodput) / 2
  return {
    twice: median(twice.map(({ goodput }, k) => goodput / peak(k))),
    fourfold: fourfold.goodput / beside.at(-1).goodput,
  }
}

/** Conditions for success; `timed` ones do not count on a busy machine. */
export function barsOf({ phases, memory, stopped }, { mostGrowth }) {
  const { soak, held, fourfold, recovery, stop } = phases
  const sum = pick => each(phases).reduce((total, phase) => total + pick(phase), 0)
  const normal = held.good.p99
  const recovered = recovery.bySecond.findIndex(p99 => p99 !== null && p99 <= 3 * normal)
  return [
    atMost('answers other than 200, 429 and 503', sum(failed), 0),
    atMost(
      'refusals without Retry-After',
      sum(phase => phase.refusedWithoutRetryAfter),
      0,
    ),
    atMost('requests without a whole answer', sum(phase => phase.cut + phase.unanswered) - stop.reset, 0),
    // The system takes connections until the server has closed its port, and resets those that it has not handed on.
    atMost('connections reset that the system took while the port was being closed', stop.reset, 3),
    atMost('seconds to stop under load', stopped, 10),
    atMost('memory after saturation / before', memory.soaked / memory.warm, mostGrowth),
    timed(atMost('memory at 70 % of the peak: last third / first', held.sizes[2] / held.sizes[0], 1.05)),
    timed(atMost('saturation: p99 of the last third / first', soak.thirds[2].p99 / soak.thirds[0].p99, 1.5)),
    // The work is more than 70 %, as fewer requests at a time share less: seconds in which the machine is slow are overload.
    timed(atMost('70 % of the peak: share refused', held.refused.count / held.sent, 0.05)),
    timed(atMost('70 % of the peak: p99 of the last third / first', held.thirds[2].p99 / held.thirds[0].p99, 3)),
    timed(atLeast('2 x the peak: goodput / peak right before and after, median', shares(phases).twice, 0.9)),
    timed(atMost('4 x the peak: slowest answer, ms', fourfold.all.worst, 1000)),
    timed(atMost('seconds until p99 is that of 70 % again (3 x)', recovered < 0 ? Infinity : recovered, 5)),
  ]
}

export const failed = ({ statuses }) =>
  Object.entries(statuses).reduce((sum, [status, count]) => (answers.has(status) ? sum : sum + count), 0)
const answers = new Set(['200', '429', '503'])

const atMost = (what, value, bar) => ({ what, value, bar: `≤ ${bar}`, isHeld: value <= bar })
const atLeast = (what, value, bar) => ({ what, value, bar: `≥ ${bar}`, isHeld: value >= bar })
const timed = bar => ({ ...bar, isTimed: true })
