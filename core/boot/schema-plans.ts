import { BootError } from '../errors.js'
import { shownSteps } from '../layout/change/change.js'
import { comparison } from '../layout/change/comparison.js'
import { wantedTables } from '../layout/layout.js'
import { createLog } from '../log.js'
import type { PlannedChange, SchemaOrder, SchemaPlan, Schemas, SchemaWriting } from '../plugin/parts.js'
import { checkStart, seenOf } from '../plugin/services.js'
import { fileWords } from '../schema/file-words.js'
import { type ChangedFiles, loadDefinitions } from '../schema/load.js'
import { placeIn } from '../schema/place.js'
import type { Definition } from '../schema/types.js'
import { prepareLanguages } from '../sql/languages.js'
import { buildModels } from '../sql/models.js'
import { appOutline } from './app-outline.js'
import { kindsOf, readTypes, wordsOf } from './app-types.js'
import { type Database, requirementsOf } from './database.js'
import { endpointsOf } from './endpoints.js'
import { projectOf } from './load-config.js'
import type { Development, Outline, SchemaTask, Start } from './start.js'

/** Reads, plans and writes schema files for an app that runs: by the steps of a start, as far as these only look. */
export function schemasOf(start: Start, { engine }: Pick<Database, 'engine'>): Schemas {
  const { options, outline, dormantActions } = start
  const { config } = options
  const foreign = options.wings.foreign.layout
  let last: Promise<unknown> = Promise.resolve()

  const read = (changed?: ChangedFiles): readonly Definition[] => {
    if (!options.definitions) return loadDefinitions(config.appDir, changed)
    if (changed && changed.size > 0)
      throw new BootError('the content types of this app are code, and in no files that could be others')
    return options.definitions
  }

  async function planned(changed: ChangedFiles | undefined): Promise<SchemaPlan> {
    const warnings: string[] = []
    const candidate = await candidateOf(read(changed), warning => warnings.push(warning))
    const { registry, plugins, dialect } = candidate
    const app = appOutline(candidate, endpointsOf(registry, plugins), config)
    buildModels(registry, engine.knex)
    wantedTables(registry, engine, dialect)
    await prepareLanguages(engine, registry)
    await checkStart(plugins, { ...seenOf(app), dormantActions, purpose: 'look' })
    const { changes, prevented, notes } = await comparison(requirementsOf(candidate, engine, foreign), engine).plan()
    return {
      warnings,
      changes: changes.map(
        (change): PlannedChange => ({
          group: change.group === 'foreign' ? foreign.group : change.group,
          describe: change.describe,
          statements: shownSteps(change),
          loses: change.loses ?? 0,
        }),
      ),
      prevented,
      notes,
    }
  }

  return {
    read,
    words: () => fileWords({ kinds: kindsOf(outline.plugins), ...wordsOf(outline.plugins.map(({ spec }) => spec)) }),
    // Looking at all values of a column is work: one plan after the other does it.
    plan(changed) {
      const next = last.then(() => planned(changed))
      last = next.catch(() => undefined)
      return next
    },
    beside(changed) {
      const there = new Set(read().map(({ source }) => source))
      const added = read(changed).filter(({ source }) => !there.has(source))
      return projectOf(config, options.wings.foreign.projects)?.beside(config.appDir, added) ?? new Map()
    },
    writing: options.definitions ? undefined : options.development && writingIn(start, engine, options.development),
  }

  /** The outline of the app with other files; its plugins and settings are those that it runs with. */
  async function candidateOf(files: readonly Definition[], warn: (warning: string) => void): Promise<Outline> {
    const { plugins: offered, unmentioned, wings, definitions: given } = options
    const { plugins, dialect } = outline
    const log = createLog('warn', { destination: { write: line => warn(String(JSON.parse(line).msg)) } })
    const project = projectOf(config, wings.foreign.projects)
    const found = await readTypes({
      ...{ config, plugins, offered, unmentioned, dialect, project, log },
      definitions: outline.read(files),
      hasFiles: given === undefined,
    })
    return { ...outline, ...found }
  }
}

function writingIn({ options }: Start, { facts }: Database['engine'], development: Development): SchemaWriting {
  const { config, wings } = options
  const isInMemory = config.database.filename === ':memory:'
  return {
    last: () => development.last(),
    onceFailed: tell => development.onceFailed(tell),
    async begin({ before, files, changes, by }: SchemaOrder) {
      for (const path of files.keys()) placeIn(config.appDir, path)
      const decided = changes.filter(({ group }) => group !== wings.foreign.layout.group)
      // Another process would not find a database in memory, which ends with this one.
      const isStart = isInMemory || decided.every(({ group }) => group === 'additions')
      const task: SchemaTask = {
        at: new Date().toISOString(),
        files: [...files].map(([path, after]) => ({ path, before: before.get(path) ?? null, after })),
        applies: isStart ? [] : decided,
        isUndone: facts.undoesLayout,
        by: { scope: by.scope, actor: by.actor, id: by.id },
      }
      return development.begin(task)
    },
  }
}
