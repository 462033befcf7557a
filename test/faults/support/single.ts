import assert from 'node:assert/strict'
import { stateOf } from './check.js'
import { coverOf, dataOf, fileText, titleOf } from './content.js'
import type { Course } from './course.js'
import { absent } from './ledger.js'

/** A write of one client, once what comes before it is done. */
export interface SingleWrite {
  readonly name: string
  /** Does what comes before; gives the write, which tells whether it was acknowledged. */
  prepare(course: Course): Promise<() => Promise<boolean>>
}

let number = 0

const keyOf = (kind: string): string => {
  number += 1
  return `${kind}-single-${number}`
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by those who know them
type Json = any

async function send(course: Course, method: string, path: string, body?: unknown): Promise<Json> {
  const isForm = body instanceof FormData
  const answer = await fetch(`${course.url}/api/${path}`, {
    method,
    ...(body !== undefined && !isForm && { headers: { 'content-type': 'application/json' } }),
    ...(body !== undefined && { body: isForm ? body : JSON.stringify({ data: body }) }),
  }).catch(() => undefined)
  if (!answer) return undefined
  assert.equal(answer.status, 200)
  return answer.json().catch(() => undefined)
}

/** A write in the ledger: begun, and acknowledged when its answer is there. */
async function entered(course: Course, key: string, state: string, sent: () => Promise<unknown>): Promise<boolean> {
  course.ledger.begin(key, state)
  if ((await sent()) === undefined) return false
  course.ledger.acknowledge(key, state)
  return true
}

const draft = (course: Course, key: string) => ({ ...dataOf(titleOf(key, 1), course.seeds), publishedAt: null })
const draftState = (key: string) => stateOf(titleOf(key, 1), false)

function covered(course: Course, key: string): FormData {
  const form = new FormData()
  form.set('data', JSON.stringify(draft(course, key)))
  form.set('files.cover', new Blob([fileText(coverOf(key))], { type: 'text/plain' }), coverOf(key))
  return form
}

/** Makes an article and gives its id. */
async function article(course: Course, key: string): Promise<number> {
  let made: Json
  await entered(course, key, draftState(key), async () => {
    made = await send(course, 'POST', 'articles', key.startsWith('covered') ? covered(course, key) : draft(course, key))
    return made
  })
  return made.data.id
}

async function file(course: Course, key: string): Promise<Json> {
  const form = new FormData()
  form.set('files', new Blob([fileText(key)], { type: 'text/plain' }), key)
  return send(course, 'POST', 'upload', form)
}

export const singleWrites: readonly SingleWrite[] = [
  {
    name: 'a create with a file',
    async prepare(course) {
      const key = keyOf('covered')
      return () => entered(course, key, draftState(key), () => send(course, 'POST', 'articles', covered(course, key)))
    },
  },
  {
    name: 'an update',
    async prepare(course) {
      const key = keyOf('covered')
      const id = await article(course, key)
      const title = titleOf(key, 2)
      return () =>
        entered(course, key, stateOf(title, false), () =>
          send(course, 'PUT', `articles/${id}`, dataOf(title, course.seeds)),
        )
    },
  },
  {
    name: 'a delete',
    async prepare(course) {
      const key = keyOf('covered')
      const id = await article(course, key)
      return () => {
        course.ledger.release(coverOf(key))
        return entered(course, key, absent, () => send(course, 'DELETE', `articles/${id}`))
      }
    },
  },
  {
    name: 'a publish',
    async prepare(course) {
      const key = keyOf('plain')
      const id = await article(course, key)
      return () =>
        entered(course, key, stateOf(titleOf(key, 1), true), () =>
          send(course, 'POST', `articles/${id}/actions/publish`),
        )
    },
  },
  {
    name: 'an upload',
    async prepare(course) {
      const key = `${keyOf('file')}.txt`
      return () => entered(course, key, 'stored', () => file(course, key))
    },
  },
  {
    name: 'a delete of a file',
    async prepare(course) {
      const key = `${keyOf('file')}.txt`
      let made: Json
      await entered(course, key, 'stored', async () => {
        made = await file(course, key)
        return made
      })
      return () => entered(course, key, absent, () => send(course, 'DELETE', `upload/files/${made[0].id}`))
    },
  },
]
