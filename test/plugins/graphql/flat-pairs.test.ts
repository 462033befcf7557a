import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, it } from 'vitest'
import { createLog } from '../../../core/log.js'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { type Pair, pairOf } from './flat-pairs.js'
import { operationsFrom } from './generated-operations.js'
import { operationRequest, recordedOperations, withGraphql, withoutCache } from './replay.js'
import { selectedBy } from './statements-rest.js'
import { recordedSchema, Twin } from './twin.js'
import { firstOf } from './twin-agreement.js'
import { askingOf, samplesOf } from './twin-rows.js'

/** A project with the statements that it has run. */
interface Watched {
  readonly project: OpenProject
  readonly statements: string[]
}

async function watched(folder: string, variables: Pristine['variables']): Promise<Watched> {
  const statements: string[] = []
  const write = (line: string) => {
    if (line.includes('"msg":"statement"')) statements.push(JSON.parse(line).sql)
  }
  return {
    project: await openProject({ folder }, variables, createLog('trace', { destination: { write } })),
    statements,
  }
}

onEveryEngine('one operation in both shapes', engine => {
  let pristine: Pristine
  let v4: Watched
  let flat: Watched
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    const { folder } = pristine.project
    // Settings of a folder are read once in a process.
    cpSync(folder, `${folder}-flat`, { recursive: true })
    withGraphql({ folder })
    withGraphql({ folder: `${folder}-flat` }, 'flat')
    for (const one of [folder, `${folder}-flat`]) withoutCache(one)
    v4 = await watched(folder, pristine.variables)
    flat = await watched(`${folder}-flat`, pristine.variables)
  })
  afterAll(async () => {
    await v4?.project.close()
    await flat?.project.close()
    await pristine?.drop()
  })

  async function answerOf({ project, statements }: Watched, auth: string, query: string) {
    const first = statements.length
    const { payload } = await project.send(operationRequest({ id: 0, group: '', status: 200, auth, query }))
    const { data, errors = [] } = JSON.parse(payload)
    // Accounts and settings are remembered for a while, whatever is asked for.
    const run = statements.slice(first).filter(sql => !/up_users|stele_user|core_store/.test(sql))
    return { data, errors, run: run.sort() }
  }

  /** The difference; null where there is nothing to compare. */
  async function difference(pair: Pair, auth: string): Promise<string | undefined | null> {
    const was = await answerOf(v4, auth, pair.v4)
    // Required attributes are non-null in one shape alone.
    if (was.data === undefined || was.errors.some(({ message }: Told) => message.startsWith('Cannot return null')))
      return null
    const is = await answerOf(flat, auth, pair.flat)
    const expected = pair.convert(was.data)
    if (!isDeepStrictEqual(expected, is.data))
      return `${auth} ${pair.flat}\n  ${firstOf(expected, is.data ?? is.errors)}`
    const [before, after] = [was.errors.map(placeOf).sort(), is.errors.map(placeOf).sort()]
    if (!isDeepStrictEqual(before, after)) return `${auth} ${pair.flat}\n  ${firstOf(before, after)}`
    // Other engines have statements of clocks in between.
    return engine.name !== 'sqlite' || isDeepStrictEqual(was.run, is.run)
      ? undefined
      : `${auth} ${pair.flat}\n  ${firstOf(was.run, is.run)}`
  }

  async function compare(pairs: Iterable<readonly [auth: string, pair: Pair]>, most: number): Promise<void> {
    const wrong: string[] = []
    let count = 0
    let statements = 0
    for (const [auth, pair] of pairs) {
      const before = flat.statements.length
      const differs = await difference(pair, auth)
      if (differs !== null) count += 1
      if (differs) wrong.push(differs)
      statements += flat.statements.length - before
    }
    console.info(`${engine.name}: ${count} operations read the same in both shapes, with ${statements} statements`)
    assert.equal(wrong.length, 0, wrong.slice(0, 10).join('\n'))
    assert.ok(count >= most, `${count} were compared`)
  }

  it('reads the same with the same statements, as recorded', async () => {
    const schema = recordedSchema()
    const pairs = recordedOperations().flatMap(({ auth, query, variables, body }) => {
      if (query === undefined || !body?.data || /__(schema|type)\b/.test(query)) return []
      const pair = pairOf(selectedBy(schema, { auth, query, ...(variables && { variables }) }) ?? [])
      return pair ? [[auth, pair] as const] : []
    })
    await compare(pairs, 100)
  }, 600_000)

  it('reads the same with the same statements, as drawn', async () => {
    const twin = await Twin.of(askingOf(v4.project))
    const drawn = operationsFrom(40_000, 300, { schema: twin.schema, samples: samplesOf(twin.rows) })
    const pairs = drawn.flatMap(({ auth, plain }) => {
      const pair = pairOf(plain ? [plain] : [])
      return pair ? [[auth, pair] as const] : []
    })
    await compare(pairs, 60)
  }, 600_000)
})

interface Told {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code?: string }
}

/** Code and place of an error, but for what is around entries. */
const placeOf = ({ path = [], extensions }: Told): string => {
  const steps = path.filter(step => !['data', 'attributes', 'nodes'].includes(String(step)))
  return JSON.stringify([extensions.code, steps.map(step => String(step).replace('_connection', ''))])
}
