import { parseArgs } from 'node:util'

/** Reads the options: seconds of each phase, how often overload is compared with saturation, and whether times are judged. */
export function readSettings() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'sqlite' },
      minutes: { type: 'string', default: '1' },
      held: { type: 'string' },
      short: { type: 'boolean', default: false },
    },
  })
  const { engine, short } = values
  if (!['sqlite', 'mariadb', 'postgres'].includes(engine))
    throw new Error(`--engine: "${engine}" is none of sqlite, mariadb, postgres`)
  const minutes = number('minutes', values.minutes)
  const held = number('held', values.held ?? minutes / 3)
  // A machine that is busy with other tests holds nothing that is a matter of time.
  if (short)
    return {
      engine,
      isTimed: false,
      articles: 100,
      warmup: 8,
      pause: 1,
      soak: 6,
      held: 3,
      overload: 2,
      rounds: 1,
      recovery: 2,
      last: 3,
      // In so few seconds a heap has not found its size: on a slow disk it still grows after the warm-up.
      mostGrowth: 1.5,
    }
  const overload = minutes < 10 ? 30 : 60
  return {
    engine,
    isTimed: true,
    articles: 1000,
    warmup: 15,
    pause: 5,
    soak: minutes * 60,
    held: held * 60,
    overload,
    rounds: 3,
    recovery: 10,
    last: 4,
    mostGrowth: 1.2,
  }
}

function number(name, text) {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name}: "${text}" is no number of minutes`)
  return value
}
