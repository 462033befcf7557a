import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { booleansOf, dialectFlags, dialectsOf, flagRows } from '../../core/dialect.js'
import { assertTable, line, sentencesOf } from '../readme/rows.js'
import { exporting, load } from './app.js'

const core = new URL('../../core/', import.meta.url)

/** The lines of the page for such rows. */
function tableOf(rows: Parameters<typeof booleansOf>[0], sentences: ReadonlyMap<string, string>): string[] {
  const lines = booleansOf(rows).map(flag => {
    const sentence = sentences.get(flag)
    assert.ok(sentence, `${flag} has no sentence`)
    return line(`\`${flag}\``, sentence, `\`${rows[flag]?.spec}\``, `\`${rows[flag]?.strapi4}\``)
  })
  return [line('Flag', 'What it does', '`spec`', '`strapi4`'), '|---|---|---|---|', ...lines]
}

describe('the flags of the dialects', () => {
  it('are explained on the page as their rows say', () => {
    const sentences = sentencesOf(readFileSync(new URL('dialect.ts', core), 'utf8'), 'flagRows')
    assertTable(new URL('http/README.md', core), 'The two dialects', tableOf(flagRows, sentences))
  })

  for (const flag of dialectFlags)
    it(`${flag} is a setting that is true or false`, async () => {
      const said = (value: unknown) => load({ files: { 'config/api.js': exporting({ rest: { [flag]: value } }) } })
      assert.deepEqual((await said(true)).api.rest.flags, { [flag]: true })
      await assert.rejects(said('yes'), {
        message: `config/api: rest.${flag} is "yes"; expected true or false`,
      })
    })

  describe('take one place each', () => {
    const rows = {
      ...flagRows,
      /** Responses rhyme; otherwise they are prose. */
      rhymes: { spec: true, strapi4: false },
    }
    const { spec, strapi4 } = dialectsOf(rows)

    it('which has the type and both values', () => {
      const rhymes: boolean = spec.rhymes
      assert.deepEqual([rhymes, strapi4.rhymes], [true, false])
    })

    it('and makes it a setting', () => assert.deepEqual(booleansOf(rows), [...dialectFlags, 'rhymes']))

    it('and the line of the page', () => {
      const own = readFileSync(new URL(import.meta.url), 'utf8').replaceAll(/^ {2}/gm, '')
      const table = tableOf({ rhymes: rows.rhymes }, sentencesOf(own, 'rows'))
      assert.equal(table.at(-1), '| `rhymes` | Responses rhyme; otherwise they are prose. | `true` | `false` |')
    })
  })
})
