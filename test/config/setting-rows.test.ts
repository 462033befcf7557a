import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { validatorOf } from '../../core/ajv.js'
import { bytes, count, objectOf } from '../../core/config/forms.js'
import {
  isDepending,
  type Rows,
  readRows,
  Setting,
  schemaOfRows,
  setting,
  type ValuesOf,
} from '../../core/config/setting.js'
import { api, database, log, server } from '../../core/config/settings.js'
import { assertTable, line, sentencesOf } from '../readme/rows.js'

const room = new URL('../../core/config/', import.meta.url)
const page = new URL('README.md', room)
const source = readFileSync(new URL('settings.ts', room), 'utf8')
const files: Record<string, Rows> = { server, database, api, log }
const code = (value: unknown): string => `\`${value}\``

/** Every row with the keys that lead to it. */
function rowsOf(rows: Rows, path = ''): [path: string, row: Setting<unknown>][] {
  return Object.entries(rows).flatMap(([name, row]) =>
    row instanceof Setting ? [[`${path}${name}`, row] as const] : rowsOf(row, `${path}${name}.`),
  ) as [string, Setting<unknown>][]
}

/** The lines of the page for such rows. */
function tableOf(rows: Rows, sentences: ReadonlyMap<string, string>): string[] {
  const lines = rowsOf(rows).map(([path, row]) => {
    const sentence = sentences.get(path)
    assert.ok(sentence, `${path} has no sentence`)
    const variable = row.variable === undefined ? '' : code(row.variable)
    const usual = [variable, defaultOf(row)].filter(Boolean).join(', otherwise ')
    return line(code(path), sentence, row.form.schema.description, usual)
  })
  return [line('Key', 'Meaning', 'Value', 'Default'), '|---|---|---|---|', ...lines]
}

function defaultOf({ form, usual }: Setting<unknown>): string {
  if (isDepending(usual)) return usual.shown
  if (form === bytes) return sizeOf(Number(usual))
  if (Array.isArray(usual) && usual.length > 0) return usual.map(code).join(', ')
  return usual === undefined ? '' : code(Array.isArray(usual) ? '[]' : usual)
}

const sizeOf = (size: number): string => (size % 2 ** 20 === 0 ? `${size / 2 ** 20} MiB` : `${size / 2 ** 10} KiB`)

describe('the settings of core', () => {
  for (const [name, rows] of Object.entries(files))
    it(`config/${name} is explained on the page as its rows say`, () =>
      assertTable(page, `\`config/${name}\``, tableOf(rows, sentencesOf(source, name))))

  it('have the variables that the page names', () => {
    const lines = Object.entries(files).flatMap(([name, rows]) =>
      rowsOf(rows).flatMap(([path, row]) => {
        const { accepts = row.form.schema.description } = row.form
        return row.variable === undefined
          ? []
          : [line(code(row.variable), code(`config/${name}: ${path}`), accepts, defaultOf(row))]
      }),
    )
    const head = [line('Variable', 'Setting', 'Value', 'Default'), '|---|---|---|---|']
    assertTable(page, 'Environment variables', [...head, ...lines])
  })

  it('have a form that their variable can be read by', () => {
    for (const rows of Object.values(files))
      for (const [path, { variable, form }] of rowsOf(rows)) if (variable !== undefined) assert.ok(form.fromText, path)
  })

  it('have defaults that a file could say', () => {
    for (const rows of Object.values(files))
      for (const [path, { usual, form }] of rowsOf(rows))
        if (usual !== undefined && !isDepending(usual)) assert.ok(validatorOf(form.schema)(usual), path)
  })
})

describe('a setting takes one place', () => {
  const rows = {
    ...server,
    tea: {
      /** Cups that are ready when the server starts. */
      cups: setting(count, 3, 'CUPS'),
    },
  }
  const around = { variables: {}, environment: 'development', project: 'stele' } as const

  it('which has its type', () => {
    const { tea }: ValuesOf<typeof rows> = readRows(rows, undefined, around)
    const cups: number = tea.cups
    assert.equal(cups, 3)
  })

  it('and its check', () => {
    const { tea } = schemaOfRows(rows)
    assert.deepEqual(tea, objectOf({ cups: { type: 'integer', minimum: 1, description: 'an integer from 1' } }))
  })

  const cases = [
    { says: 'its default', said: {}, variables: {}, gives: 3 },
    { says: 'what a file says', said: { tea: { cups: 5 } }, variables: { CUPS: '4' }, gives: 5 },
  ]
  for (const { says, said, variables, gives } of cases)
    it(`and ${says}`, () => assert.equal(readRows(rows, said, { ...around, variables }).tea.cups, gives))

  it('and its line of the page', () => {
    const own = readFileSync(new URL(import.meta.url), 'utf8').replaceAll(/^ {2}/gm, '')
    const table = tableOf({ tea: rows.tea }, sentencesOf(own, 'rows'))
    assert.equal(
      table.at(-1),
      '| `tea.cups` | Cups that are ready when the server starts. | an integer from 1 | `CUPS`, otherwise `3` |',
    )
  })
})
