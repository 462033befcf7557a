import { grouped } from '../../kit/counted.js'
import type { Progress } from '../transfer/host.js'

/** The output for progress: a terminal gets one line that changes, everything else a line now and then. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Progress shown on a terminal; `end` leaves the terminal as it was. */
export interface ShownProgress extends Progress {
  end(): void
}

/** Milliseconds between two pictures on a terminal, and between two lines elsewhere. */
const picture = 100
const line = 10_000
const width = 24

export function progressOn(place: ProgressOutput): ShownProgress {
  return place.isTTY ? bar(place) : lines(place)
}

function bar(place: ProgressOutput): ShownProgress {
  let shown = 0
  let former = ''
  const wipe = () => place.write('\r\x1b[K')
  return {
    at(what, done, total) {
      const now = performance.now()
      if (now - shown < picture && what === former && done !== total) return
      shown = now
      former = what
      wipe()
      place.write(`${barOf(done, total)}${said(what, done, total)}`.slice(0, (place.columns || 80) - 1))
    },
    warn(sentence) {
      wipe()
      place.write(`${sentence}\n`)
    },
    end: wipe,
  }
}

function barOf(done: number, total: number | undefined): string {
  if (total === undefined) return ''
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(part * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(Math.floor(part * 100)).padStart(3)} %  `
}

function lines(place: ProgressOutput): ShownProgress {
  let told = performance.now()
  return {
    at(what, done, total) {
      const now = performance.now()
      if (done !== total && now - told < line) return
      told = now
      place.write(`${said(what, done, total)}\n`)
    },
    warn: sentence => place.write(`${sentence}\n`),
    end: () => undefined,
  }
}

const said = (what: string, done: number, total: number | undefined): string =>
  `${what}: ${grouped(done)}${total === undefined ? '' : ` of ${grouped(total)}`}`
