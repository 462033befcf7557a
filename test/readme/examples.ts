import assert from 'node:assert/strict'

/** A command of a page and what the page prints below it. */
export interface Example {
  readonly command: string
  readonly answer: string
}

/** `$ command` and the lines that are printed below it, in the order of the page. */
export function examplesOf(page: string): Example[] {
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  return blocks.flatMap(block =>
    block
      .split(/^\$ /m)
      .filter(part => part.trim() !== '')
      .map(part => {
        const [command = '', ...answer] = part.replaceAll(/ \\\n\s*/g, ' ').split('\n')
        return { command, answer: answer.join('\n').trim() }
      }),
  )
}

/** An answer is as it is printed; a text that is printed as `abc...` may go on in any way. */
export function assertPrinted(answer: unknown, printed: unknown, place = 'the answer'): void {
  if (typeof printed === 'string' && printed.endsWith('...'))
    assert.ok(String(answer).startsWith(printed.slice(0, -3)), `${place} is ${answer}, not ${printed}`)
  else if (typeof printed !== 'object' || printed === null || typeof answer !== 'object' || answer === null)
    assert.deepEqual(answer, printed, place)
  else {
    assert.deepEqual(Object.keys(answer), Object.keys(printed), `the parts of ${place}`)
    for (const [key, value] of Object.entries(printed))
      assertPrinted((answer as Record<string, unknown>)[key], value, `${place}.${key}`)
  }
}

/** Text that a command prints; `...` stands for anything within a line, and columns are as wide as they are. */
export function assertLines(text: string, printed: string): void {
  const linesOf = (lines: string) => lines.trim().replaceAll(/ +/g, ' ').split('\n')
  const lines = linesOf(text)
  const wanted = linesOf(printed)
  assert.equal(lines.length, wanted.length, text)
  for (const [index, want] of wanted.entries()) {
    const pattern = want.split('...').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    assert.match(lines[index] ?? '', new RegExp(`^${pattern.join('.*')}$`))
  }
}
