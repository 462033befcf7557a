import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in their order: none of them is alone at the end of a run. */
const longest = [
  'engines/freshness/rows.test.ts',
  'faults/connections.nightly.test.ts',
  'faults/killed.nightly.test.ts',
  'cluster/replicas/replicas.nightly.test.ts',
  'cluster/cluster.nightly.test.ts',
  'soak/soak.nightly.test.ts',
  'plugins/explorer/browser/browser.test.ts',
  'cli/workers.test.ts',
  'strapi4/writes.test.ts',
  'engines/freshness/types.test.ts',
  'plugins/explorer/random.test.ts',
  'security/properties/properties.test.ts',
  'security/whole/heavy.nightly.test.ts',
  'kernel/process.test.ts',
  'cli/transfer-resume.nightly.test.ts',
  'plugins/upload/metadata.test.ts',
  'security/hidden.test.ts',
  'faults/power.nightly.test.ts',
  'security/whole/reading.test.ts',
  'security/parameters.test.ts',
  'faults/clock.nightly.test.ts',
  'faults/statements.nightly.test.ts',
  'security/fuzz/fuzz.test.ts',
  'engines/long-reads.nightly.test.ts',
  'plugins/upload/images.test.ts',
  'plugins/toggles.test.ts',
  'security/injection.test.ts',
  'client/answers.test.ts',
  'cli/transfer-stopped.test.ts',
  'strapi4/foreign.test.ts',
  'security/whole/accounts.test.ts',
  'security/whole/wire.test.ts',
  'security/whole/rules.test.ts',
  'security/whole/injection.test.ts',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex(file => moduleId.endsWith(`/test/${file}`))
  return rank < 0 ? longest.length : rank
}

/** Files that have a process each come first, since a worker that is shared is kept only for the next file that shares it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShared = ({ project }: TestSpecification) => Number(!project.config.isolate)
    // Sorting keeps what is equal as it was: larger files first, or those that took longer here the last time.
    return (await super.sort(files)).sort((a, b) => isShared(a) - isShared(b) || rankOf(a) - rankOf(b))
  }
}
