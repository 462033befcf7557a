import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { queryText } from '../../core/plugin-kit.js'
import { parseRaw, type Raw } from '../../core/query/raw.js'
import { onEveryEngine } from '../support/every-engine.js'
import { difference, expectedOn } from './compare.js'
import { type Pristine, pristineOn } from './databases.js'
import { differentReads } from './exceptions.js'
import { type RecordedRead, type RecordedRequest, recordedReads } from './fixture.js'
import { type OpenProject, openProject } from './project.js'
import { requestOf } from './requests.js'

/** The paths of content types; paths of plugins take no query in a body. */
const ofTypes = /^\/api\/(?:(?:articles|authors|categories|memos|profiles|tags)(?:\/[^/?]*)?|global|homepage)(?:\?|$)/
const reads = recordedReads().filter(({ method, path }) => method === 'GET' && ofTypes.test(path))

/** The query of a read as the server understands it. */
const queryOf = ({ path }: RecordedRead): Raw =>
  parseRaw(path.split(/\?(.*)/s)[1] ?? '', { maxParameters: 1000, strict: false })
const pathOf = ({ path }: RecordedRead): string => path.replace(/\/?(?:\?.*)?$/s, '')
const withBody = (read: RecordedRead, method: string, suffix = ''): RecordedRequest => ({
  auth: read.auth,
  method,
  path: pathOf(read) + suffix,
  body: queryOf(read),
})

const spellings: Readonly<Record<string, (read: RecordedRead) => RecordedRequest>> = {
  'as JSON text': read => ({ ...read, path: `${pathOf(read)}?${queryText(queryOf(read))}` }),
  'in the body of QUERY': read => withBody(read, 'QUERY'),
  'in the body of POST': read => withBody(read, 'POST', '/query'),
}

onEveryEngine('the recorded reads of Strapi 4 in other spellings', engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    project = await openProject(pristine.project, pristine.variables)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
  })

  const differs = async (read: RecordedRead, request: RecordedRequest) => {
    const reply = await project.send(requestOf(request))
    const found = expectedOn[engine.name](read).map(one => difference(one, reply))
    return found.includes(undefined) ? undefined : found[0]
  }

  for (const [spelling, written] of Object.entries(spellings))
    it(
      `are answered as they were recorded: the query ${spelling}`,
      async () => {
        const wrong: string[] = []
        for (const read of reads) {
          const difference = await differs(read, written(read))
          const isListed = differentReads(engine.name).includes(read.id)
          if ((difference !== undefined) !== isListed)
            wrong.push(`${read.id} ${read.auth} ${decodeURI(read.path)}\n  ${difference ?? 'it agrees'}`)
        }
        assert.deepEqual(wrong, [])
        assert.ok(reads.length > 600)
        console.info(`${engine.name}: ${reads.length} recorded reads agree with the query ${spelling}`)
      },
      timeLimit,
    )
})

/** Milliseconds: a machine may have other things to do. */
const timeLimit = 120_000
