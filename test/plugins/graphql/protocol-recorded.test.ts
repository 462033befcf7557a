import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'
import { operationRequest, recordedOperations, withGraphql } from './replay.js'

let folder: ProjectFolder
let project: OpenProject
beforeAll(async () => {
  folder = copyProject()
  withGraphql(folder)
  project = await openProject(folder)
})
afterAll(async () => {
  await project?.close()
  folder?.remove()
})

interface Told {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly contentType?: string
  readonly body?: unknown
}

/** The media type that is answered in place of the recorded one. */
const otherTypes: Readonly<Record<string, string>> = {
  'protocol:graphql-response-json': 'application/graphql-response+json',
}

const mediaType = (type: unknown): string => String(type ?? '').split(';')[0] as string

/** What clients can tell errors by: those of REST have a name, and those of GraphQL codes. */
function errorsOf(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(errorsOf)
  const { error, errors } = Object(body) as { error?: { name: string }; errors?: { extensions: { code: string } }[] }
  return (
    error?.name ?? errors?.map(({ extensions: { code } }) => (code === 'INTERNAL_SERVER_ERROR' ? 'BAD_REQUEST' : code))
  )
}

for (const recorded of recordedOperations().filter(({ group }) => group.startsWith('protocol:')))
  it(`${recorded.group} is answered as Strapi 4 does: status, media type, headers and errors`, async () => {
    const { headers = {}, contentType, body } = recorded as Told
    const response = await project.send(operationRequest(recorded))
    const type = otherTypes[recorded.group] ?? mediaType(contentType)
    assert.deepEqual([response.statusCode, mediaType(response.headers['content-type'])], [recorded.status, type])
    for (const name of ['allow', 'cache-control']) assert.equal(response.headers[name], headers[name], name)
    const isOpen = (told: Readonly<Record<string, unknown>>) => told['access-control-allow-origin'] !== undefined
    assert.equal(isOpen(response.headers), isOpen(headers))
    if (type.endsWith('json')) assert.deepEqual(errorsOf(response.json()), errorsOf(body))
  })
