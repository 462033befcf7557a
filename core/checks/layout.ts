import type { Finding } from '../plugin-parts.js'
import type { Change, Group } from '../store/change/change.js'
import { strapiMark } from '../store/strapi-layout.js'
import type { CoreCheck } from './check.js'

const said: Partial<Record<Group, { severity: Finding['severity']; noun: string; advice: string }>> = {
  renames: {
    severity: 'error',
    noun: 'renames',
    advice: 'a start refuses to go on before `stele apply` has made them; `stele plan` shows the SQL',
  },
  types: {
    severity: 'warning',
    noun: 'changes of types',
    advice: 'writes may fail until `stele apply` has made them; `stele plan` shows what fits',
  },
  removals: {
    severity: 'note',
    noun: 'removals',
    advice: 'nothing asks for them any more; `stele apply` takes them away, and leaving them does no harm',
  },
}

export const layoutCheck: CoreCheck = {
  name: 'layout',
  describe: 'tables and columns are as the content types ask for',
  run({ plan: { changes, prevented, notes }, sides: { found } }, report) {
    for (const [group, { severity, noun, advice }] of Object.entries(said)) {
      const of = changes.filter(change => change.group === group)
      if (of.length > 0)
        report({ severity, says: `${noun} to be made: ${of.length}`, examples: of.map(describe), advice })
    }
    const additions = changes.filter(change => change.group === 'additions' && !/index /.test(change.describe))
    if (additions.length > 0)
      report({
        severity: 'note',
        says: `missing tables and columns: ${additions.length}`,
        examples: additions.map(describe),
        advice: found.tables.has(strapiMark)
          ? 'the next start adds what Strapi 4 would add too, and the first write the rest; so does `stele apply`'
          : 'the next start adds them, and so does `stele apply`',
      })
    for (const { describe: says, advice, statements } of prevented)
      report({ severity: 'warning', says, advice: [advice, ...statements].join('\n') })
    if (notes.length > 0)
      report({
        severity: 'note',
        says: `differences from the schema that nothing is done about: ${notes.length}`,
        examples: notes,
        advice: 'nothing has to be done',
      })
  },
}

const describe = (change: Change): string => change.describe
