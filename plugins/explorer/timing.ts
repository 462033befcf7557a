import type { KnownAction, ResponseCost, ResponseFor } from '../../core/index.js'
import type { TimingMode } from './settings.js'

type Headers = Readonly<Record<string, string>>

/** The permission to see the cost of responses, if it is not shown to all: times reveal rows that a caller may not see. */
export const timingAction: KnownAction = { uid: 'plugin::explorer.timing', action: 'read' }

/** Adds the cost to responses: for every caller, for those that ask and have the permission, or for none. */
export function timingFor(
  timing: TimingMode,
  environment: string,
): ((cost: ResponseCost, to: ResponseFor) => Headers) | undefined {
  if (timing === 'never') return undefined
  return timing === 'always' || environment !== 'production' ? serverTiming : whereAsked
}

const whereAsked = (cost: ResponseCost, { headers: { prefer }, caller }: ResponseFor): Headers =>
  typeof prefer === 'string' && isAsked(prefer) && caller?.can(timingAction.action, timingAction.uid)
    ? serverTiming(cost)
    : nothing

const nothing = {}

/** `Prefer` lists a client's preferences; a server ignores unknown ones. */
const isAsked = (prefer: string): boolean =>
  prefer.split(',').some(one => one.split(';', 1)[0]?.trim().toLowerCase() === 'server-timing')

/** As browsers show it in their tools: `total;dur=5.1, db;dur=3.2;desc="4 statements", cache;desc="miss"`. */
function serverTiming(cost: ResponseCost): Headers {
  const { ms, statements, statementMs, parseMs, planMs, serializeMs, cached } = cost
  const duration = (name: string, ms: number) => `${name};dur=${ms.toFixed(1)}`
  const said = [
    duration('total', ms),
    ...(planMs > 0 ? [duration('parse', parseMs), duration('plan', planMs)] : []),
    `${duration('db', statementMs)};desc="${statements} statement${statements === 1 ? '' : 's'}"`,
    ...(statements > 0 ? [duration('serialize', serializeMs)] : []),
    ...(cached === undefined ? [] : [`cache;desc="${cached}"`]),
  ]
  return { 'Server-Timing': said.join(', ') }
}
