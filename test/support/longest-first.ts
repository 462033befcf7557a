import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in their order: none of them is alone at the end of a run. */
const longest = [
  'engines/freshness/rows.slow.test.ts',
  'faults/connections.nightly.test.ts',
  'faults/killed.nightly.test.ts',
  'cluster/replicas/replicas.nightly.test.ts',
  'cluster/cluster.nightly.test.ts',
  'soak/soak.nightly.test.ts',
  'plugins/console/browser/entry/meanwhile.slow.test.ts',
  'plugins/console/browser/entry/typed.slow.test.ts',
  'plugins/explorer/browser/browser.slow.test.ts',
  'plugins/console/browser/files/media.slow.test.ts',
  'cli/workers.slow.test.ts',
  'strapi4/writes.slow.test.ts',
  'plugins/graphql/writes.slow.test.ts',
  'engines/freshness/types.slow.test.ts',
  'plugins/explorer/random.slow.test.ts',
  'security/properties/properties.slow.test.ts',
  'security/whole/heavy.nightly.test.ts',
  'kernel/process.slow.test.ts',
  'cli/transfer-resume.nightly.test.ts',
  'plugins/upload/metadata.slow.test.ts',
  'security/hidden.slow.test.ts',
  'faults/power.nightly.test.ts',
  'security/whole/reading.slow.test.ts',
  'security/parameters.slow.test.ts',
  'faults/clock.nightly.test.ts',
  'faults/statements.nightly.test.ts',
  'security/fuzz/fuzz.slow.test.ts',
  'engines/long-reads.nightly.test.ts',
  'plugins/upload/images.slow.test.ts',
  'plugins/toggles.slow.test.ts',
  'security/injection.slow.test.ts',
  'client/answers.slow.test.ts',
  'cli/transfer-stopped.slow.test.ts',
  'strapi4/foreign.slow.test.ts',
  'security/whole/accounts.slow.test.ts',
  'security/whole/wire.slow.test.ts',
  'security/whole/rules.slow.test.ts',
  'security/whole/injection.slow.test.ts',
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
