/** Shows the values of registers; undefined where a way of reading does not show one. */
export type RegisterReader = () => Promise<readonly (number | undefined)[]>

/**
 * Raises a register to a value and resolves when that was acknowledged. A write that is rolled back on the way may have any
 * negative value. Resolves to false if nothing was to be stored.
 */
export type Raise = (register: number, value: number) => Promise<boolean>

export interface Registers {
  readonly count: number
  readonly reads: readonly RegisterReader[]
  /** The ways in which each register is written. */
  readonly raises: (register: number) => readonly Raise[]
  /** Number of reads. */
  readonly length: number
  readonly readers?: number
  readonly writers?: number
}

export interface Outcome {
  readonly reads: number
  readonly writes: number
  /** Wrong values that a reader saw: older than one acknowledged before, or never stored. */
  readonly violations: readonly string[]
}

/**
 * Readers and writers of registers at the same time, each register with one writer at a time, so that values only grow:
 * no read may show less than what was acknowledged before it began, nor more than was ever written.
 */
export async function checkRegisters({ count, reads, raises, length, ...many }: Registers): Promise<Outcome> {
  const acknowledged = new Array<number>(count).fill(0)
  const issued = new Array<number>(count).fill(0)
  const violations: string[] = []
  const outcome = { reads: 0, writes: 0, violations }
  let waiting: { readonly at: number; readonly go: () => void }[] = []
  const passed = () => {
    outcome.reads += 1
    const due = waiting.filter(({ at }) => at <= outcome.reads || outcome.reads >= length)
    if (due.length === 0) return
    waiting = waiting.filter(one => !due.includes(one))
    for (const { go } of due) go()
  }
  /** Writers go on after some reads, so that some of them find what is cached. */
  const afterReads = (some: number) =>
    new Promise<void>(go => {
      if (outcome.reads >= length) go()
      else waiting.push({ at: outcome.reads + some, go })
    })
  const reader = async (first: number) => {
    for (let turn = first; outcome.reads < length; turn += 1) {
      const least = [...acknowledged]
      const way = turn % reads.length
      const seen = await (reads[way] as RegisterReader)()
      seen.forEach((value, register) => {
        if (value === undefined) return
        if (value < (least[register] as number) || value > (issued[register] as number))
          violations.push(
            `way ${way} shows ${value} in register ${register}, after ${least[register]} was acknowledged`,
          )
      })
      passed()
      // Injected requests would all run in one event-loop turn; those from sockets do not.
      await new Promise(setImmediate)
    }
  }
  const writer = async (own: readonly number[]) => {
    for (let turn = 0; outcome.reads < length; turn += 1) {
      const register = own[turn % own.length] as number
      const ways = raises(register)
      const way = Math.floor(turn / own.length) % ways.length
      const value = (issued[register] as number) + 1
      issued[register] = value
      const isStored = await (ways[way] as Raise)(register, value)
      outcome.writes += 1
      if (isStored) acknowledged[register] = value
      else issued[register] = value - 1
      await afterReads(1 + Math.floor(Math.random() * 60))
    }
  }
  const { readers = 8, writers = 2 } = many
  const registers = Array.from({ length: count }, (_, register) => register)
  await Promise.all([
    ...Array.from({ length: readers }, (_, index) => reader(index)),
    ...Array.from({ length: writers }, (_, index) => writer(registers.filter(one => one % writers === index))),
  ])
  return outcome
}
