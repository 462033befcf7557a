import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { stops } from '../../core/content/hooks/hooks.js'
import { parts } from '../../core/plugin/checks/part-table.js'
import { assertTable, line, sentencesOf } from '../readme/rows.js'
import { pluginNames } from '../support/plugin-names.js'

const root = new URL('../../', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8')

/** The built-in plugins with the text of their declarations, the shortest first. */
const declarations = pluginNames()
  .map(name => ({ name, text: textOf(`plugins/${name}/index.ts`) }))
  .sort((one, other) => one.text.length - other.text.length)

describe('the parts of a plugin', () => {
  it('are the table of the guide, each with the shortest plugin that has it', () => {
    const sentences = sentencesOf(textOf('core/plugin/checks/part-table.ts'), 'parts')
    const rows = Object.keys(parts).map(part => {
      const example = declarations.find(({ text }) => new RegExp(`^  ${part}\\b`, 'm').test(text))
      assert.ok(example, `no plugin has the part ${part}`)
      return line(`\`${part}\``, sentences.get(part) ?? '', `[${example.name}](${example.name}/index.ts)`)
    })
    assertTable(new URL('plugins/README.md', root), 'All parts', [
      line('Part', 'What it is', 'Example'),
      '|---|---|---|',
      ...rows,
    ])
  })

  it('are few, and so are the hooks', () => {
    assert.ok(Object.keys(parts).length <= 30)
    assert.ok(stops.length <= 8)
  })
})
