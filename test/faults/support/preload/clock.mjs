import { readFileSync } from 'node:fs'

/** Moves the clock of its process by the milliseconds in the file that STELE_CLOCK_FILE names, read again at each SIGUSR2. */
const Real = Date
let offset = 0

function read() {
  offset = Number(readFileSync(process.env.STELE_CLOCK_FILE, 'utf8'))
}

globalThis.Date = class Moved extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offset)
    else super(...given)
  }

  static now() {
    return Real.now() + offset
  }
}

read()
process.on('SIGUSR2', () => {
  read()
  process.stdout.write(`${JSON.stringify({ clock: offset })}\n`)
})
