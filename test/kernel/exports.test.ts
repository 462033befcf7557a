import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import * as api from '../../core/index.js'
import * as kit from '../../core/plugin-kit.js'

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map(name => name.trim().replace(/^type /, ''))
    .filter(name => name !== '')

/** The exported declarations of a module, including those in its export lists. */
function declared(text: string): string[] {
  const names = [
    ...text.matchAll(/^export (?:abstract )?(?:async )?(?:interface|type|const|function\*?|class) (\w+)/gm),
  ]
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
  return [...names.map(([, name = '']) => name), ...lists.flatMap(([, list = '']) => namesIn(list))]
}

function exportsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^export (?:type )?(?:\*|\{([^}]*)\}) from '\.\/([^']+)\.js'/gm)].flatMap(
    ([, list, module]) => (list === undefined ? declared(textOf(`core/${module}.ts`)) : namesIn(list)),
  )
}

describe('the public API', () => {
  const own = exportsOf('core/index.ts')
  const names = [...own, ...exportsOf('core/plugin-kit.ts')]
  const rows = [...textOf('plugins/exports.md').matchAll(/^\| `(\w+)(\(.*?\))?` \| (.+) \|$/gm)]

  it('is what its page lists, each with a line', () => {
    assert.ok(names.length > 100, `${names.length} names`)
    assert.deepEqual(rows.map(([, name]) => name).sort(), [...names].sort())
    for (const [, name, , line = ''] of rows) assert.ok(line.length > 5, name)
  })

  it('stays small: what few need is a helper, or reached through another type', () => {
    assert.ok(own.length <= 120, `${own.length} names`)
    assert.deepEqual(new Set(names).size, names.length)
  })

  it('has no value that the page does not know', () => {
    const isClass = (name: string) => /^[A-Z]/.test(name)
    const values = Object.keys({ ...api, ...kit })
    const functions = rows.flatMap(([, name = '', parameters]) => (parameters === undefined ? [] : [name]))
    assert.deepEqual(values.filter(name => !isClass(name)).sort(), functions.sort())
    for (const name of values.filter(isClass)) assert.ok(names.includes(name), name)
  })
})
