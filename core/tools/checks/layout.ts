import { foreignLayout } from '../../foreign/known.js'
import type { Change, Group } from '../../layout/change/change.js'
import type { Finding } from '../../plugin/parts.js'
import type { CoreCheck } from './check.js'

const said: Partial<Record<Group, { severity: Finding['severity']; noun: string; advice: string }>> = {
  renames: {
    severity: 'error',
    noun: 'renames to be made',
    advice: 'the server refuses to start before `stele apply` has made them; `stele plan` shows the SQL',
  },
  links: {
    severity: 'error',
    noun: 'tables without an id',
    advice: `${foreignLayout.versions.withoutIds} made them so, and the start refuses until \`stele apply\` has added the ids; no row is lost`,
  },
  misplaced: {
    severity: 'error',
    noun: 'columns and tables with values that are stored beside their place',
    advice:
      'an earlier version stored them there, and requests do not see them until `stele apply` has moved them; `stele plan` shows the SQL',
  },
  withheld: {
    severity: 'error',
    noun: 'types with entries that a plugin has hidden and no longer hides',
    advice:
      'the start refuses to make them readable; `stele apply` does it, or let the plugin apply to these types again to keep them hidden',
  },
  types: {
    severity: 'warning',
    noun: 'changes of types to be made',
    advice: 'writes may fail until `stele apply` has made them; `stele plan` shows what fits',
  },
  removals: {
    severity: 'note',
    noun: 'removals to be made',
    advice: 'nothing asks for them any more; `stele apply` takes them away, and leaving them does no harm',
  },
}

export const layoutCheck: CoreCheck = {
  name: 'layout',
  describe: 'tables and columns are as the content types ask for',
  run({ plan: { changes, prevented, notes }, sides: { found } }, report) {
    for (const [group, { severity, noun, advice }] of Object.entries(said)) {
      const of = changes.filter(change => change.group === group)
      if (of.length > 0) report({ severity, says: `${noun}: ${of.length}`, examples: of.map(describe), advice })
    }
    const additions = changes.filter(change => change.group === 'additions' && !/index /.test(change.describe))
    if (additions.length > 0)
      report({
        severity: 'note',
        says: `missing tables and columns: ${additions.length}`,
        examples: additions.map(describe),
        advice: foreignLayout.isHere(found)
          ? `the next start adds what ${foreignLayout.name} would add too, and the first write the rest; so does \`stele apply\``
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
