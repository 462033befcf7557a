import { type Issue, ValidationError } from '../../../core/index.js'
import { objectOf } from '../layouts/given.js'
import type { SavedView } from '../model/meta.js'

export type ViewInput = Partial<Pick<SavedView, 'uid' | 'name' | 'query' | 'isShared'>>

const texts = { name: 100, query: 4000 } as const

/** A view as a request gives it; `needed` are the parts that a new one has, and `uid` is never changed. */
export function readView(body: unknown, needed: readonly string[], isType: (uid: string) => boolean): ViewInput {
  const sent = objectOf(body)
  const known = ['name', 'query', 'isShared', ...(needed.includes('uid') ? ['uid'] : [])]
  const issues: Issue[] = []
  const wrong = (name: string, text: string) => {
    issues.push({ path: [name], message: `${name} ${text}`, name: 'ValidationError' })
  }
  for (const name of Object.keys(sent))
    if (!known.includes(name)) wrong(name, `is unknown here; there are ${known.join(', ')}`)
  for (const name of needed) if (sent[name] === undefined) wrong(name, 'is missing')
  for (const [name, longest] of Object.entries(texts)) {
    const value = sent[name]
    const isText = typeof value === 'string' && value.trim() !== '' && value.length <= longest
    if (value !== undefined && !isText) wrong(name, `must be a text of 1 to ${longest} characters`)
  }
  if (sent.isShared !== undefined && typeof sent.isShared !== 'boolean') wrong('isShared', 'must be true or false')
  const { uid } = sent
  if (needed.includes('uid') && uid !== undefined && !(typeof uid === 'string' && isType(uid)))
    wrong('uid', 'must be that of a type whose entries the account may read')
  if (issues.length > 0) throw ValidationError.of(issues)
  return sent as ViewInput
}
