import type { ResponseCost } from '../../core/index.js'
import type { Timing } from './settings.js'

/** The setting decides where responses say what they cost: how long a read took tells of rows that a client may not see. */
export const isTimed = (timing: Timing, environment: string): boolean =>
  timing === 'always' || (timing === 'developing' && environment !== 'production')

/** As browsers show it in their tools: `total;dur=5.1, db;dur=3.2;desc="4 statements", cache;desc="miss"`. */
export function serverTiming({ ms, statements, statementMs, cached }: ResponseCost): { 'Server-Timing': string } {
  const said = [
    `total;dur=${ms.toFixed(1)}`,
    `db;dur=${statementMs.toFixed(1)};desc="${statements} statement${statements === 1 ? '' : 's'}"`,
    ...(cached === undefined ? [] : [`cache;desc="${cached}"`]),
  ]
  return { 'Server-Timing': said.join(', ') }
}
