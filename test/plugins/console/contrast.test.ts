import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'

const styles = readFileSync(new URL('../../../plugins/pages/page/styles/variables.css', import.meta.url), 'utf8')
const colours = new Map(
  [...styles.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = '', ...both]) => [name, both]),
)

/** The luminance of a colour, as WCAG has it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

/** Edges of controls, the ring of the focus, and signs. */
const graphics = ['edge', 'accent', 'good', 'poor', 'bad']
const grounds = ['ground', 'surface', 'raised']

describe('the colours of the pages', () => {
  for (const [at, scheme] of ['light', 'dark'].entries())
    for (const name of graphics)
      it(`show ${name} with 3 to 1 on every ground, in ${scheme} colours`, () => {
        for (const ground of grounds) {
          const [one, other] = [name, ground].map(colour => colours.get(colour)?.[at])
          assert.ok(one && other, `${name} and ${ground} are colours`)
          const found = contrast(one, other)
          assert.ok(found >= 3, `${name} on ${ground}: ${found.toFixed(2)}`)
        }
      })
})
