import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { notRun, reasons, unheard, unheardSentence, whyNotGiven } from '../../../../plugins/strapi-code/not-carried.js'

const page = readFileSync(new URL('../../../../plugins/strapi-code/README.md', import.meta.url), 'utf8')

/** The table of the page: the calls of each reason, in the order of the reasons. */
function rows(): string[] {
  const byReason = new Map<string, string[]>()
  const add = (call: string, why: string) => byReason.set(why, [...(byReason.get(why) ?? []), `\`${call}\``])
  for (const [call, why] of Object.entries(reasons)) add(call, why)
  add("strapi.plugin('<name>').service", notRun('<name>'))
  for (const request of [
    '@strapi/strapi/lib/<file>',
    '@strapi/utils/lib/<file>',
    '@strapi/plugin-<name>/server/<file>',
  ])
    add(request, whyNotGiven(request, () => false)?.replace(/"(?:<file>)"/, '"<file>"') ?? '')
  return [...byReason].map(([why, calls]) => `| ${calls.join(', ')} | ${why.replaceAll('<', '\\<')} |`)
}

describe('the list of what is not carried, on the page', () => {
  it('is that of the server', () => {
    const [, section = ''] = page.split('## What is not carried\n')
    const written = section.split('\n').filter(line => /^\| `/.test(line))
    assert.deepEqual(written, rows(), `the rows are:\n${rows().join('\n')}`)
  })

  it('names the services that are heard, and do nothing', () => {
    for (const [plugin, services] of Object.entries(unheard))
      for (const service of Object.keys(services))
        assert.ok(page.includes(`\`${unheardSentence(plugin, service)}\``), unheardSentence(plugin, service))
  })
})
