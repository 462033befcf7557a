import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { expressionsOf } from './expressions.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const all = ['core', 'plugins'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .flatMap(file =>
      expressionsOf(readFileSync(join(root, folder, file), 'utf8')).map(expression => ({
        file: `${folder}/${file}`,
        expression,
      })),
    ),
)

/** These read what the operator has written, and nothing that a request or a file of others brings. */
const ofOperators: readonly string[] = [
  'core/tools/cli/',
  'core/config/',
  'core/foreign/strapi4/code.ts',
  'core/tools/transfer/values.ts',
  'plugins/upload/storage/s3.ts',
  'plugins/users-permissions/letters.ts',
]

/** As long as the longest header or path, and more than most fields of a body. */
const length = 20_000
/** A quarter of the length takes a linear expression a quarter of the time, and a quadratic one a sixteenth. */
const quarter = length / 4
const growth = 8
/** Milliseconds below which the clock says little: a linear expression takes less for the whole length. */
const measurable = 10
const pieces = ['a', ' ', '0', '.', '/', '-', '%', '\n', '\\', '"', '=', ',', ':', 'a.', 'a@', 'ab,', '[a]']

/** Pieces that an expression may like, each as often as fits, and an end that it does not like. */
function texts({ source }: RegExp): ((length: number) => string)[] {
  // Words in the expression match themselves more often than not.
  const words = [...source.matchAll(/[A-Za-z]{2,}|[^\w\s]/g)].map(([word]) => word)
  const all = new Set([...pieces, ...words.slice(0, 20)])
  return [...all].flatMap(piece => [
    (length: number) => `${piece.repeat(length / piece.length)}\u0000`,
    (length: number) => words[0] + piece.repeat(length / 2),
  ])
}

/** All matches, as replace and matchAll would look for them. */
function timeOf({ source, flags }: RegExp, text: string): number {
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  const begun = process.cpuUsage()
  text.replace(expression, '')
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

function isSlow(expression: RegExp, text: (length: number) => string): boolean {
  const whole = timeOf(expression, text(length))
  return whole > measurable && whole > growth * timeOf(expression, text(quarter))
}

describe('no regular expression that requests come to runs for long', () => {
  it('finds them all', () => assert.ok(all.length > 150, String(all.length)))

  for (const file of new Set(all.map(one => one.file)))
    if (!ofOperators.some(place => file.startsWith(place)))
      it(file, () => {
        // A text that is slow by accident is not slow three times.
        for (const { expression } of all.filter(one => one.file === file))
          for (const text of texts(expression))
            if ([1, 2, 3].every(() => isSlow(expression, text)))
              assert.fail(`${expression} is slow on ${JSON.stringify(text(60))}...`)
      }, 60_000)
})
