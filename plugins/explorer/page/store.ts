import { batch, computed, signal } from '@preact/signals'
import type { Query } from '../../pages/values/query-text.js'
import { isRecord } from '../../pages/values/records.js'
import { dataOf, isMissing, type Written } from '../builder/data.js'
import { type GraphqlRequest, graphqlOf } from '../builder/graphql/request.js'
import { Model } from '../builder/metadata.js'
import { planOf, type QueryPlan, withoutStaleCursor } from '../builder/query.js'
import { type Action, type BuilderState, type CursorState, startState } from '../builder/state.js'
import { type Answer, ask, NotPermitted, readDescription, run } from './api.js'

/** The phase of the page: the view in place of the builder, or with it. */
export const phase = signal<'loading' | 'locked' | 'failed' | 'ready'>('loading')
export const failure = signal('')

export const model = signal<Model | undefined>(undefined)

/** The signed-in account or token; it is kept in memory only, and gone when the page is closed. */
export interface Session {
  readonly token: string
  readonly name: string
}
export const session = signal<Session | undefined>(undefined)

/** The builder's state for each type, so that it is there again after a look at another type. */
const states = signal<Readonly<Record<string, BuilderState>>>({})
export const selected = signal('')

export const state = computed<BuilderState>(() => states.value[selected.value] ?? startState(selected.value))

export function change(next: BuilderState): void {
  const kept = model.value ? withoutStaleCursor(model.value, next) : next
  states.value = { ...states.value, [next.uid]: kept }
}

export const plan = computed<QueryPlan>(() =>
  model.value ? planOf(model.value, state.value) : { query: {}, exceeded: [], list: '' },
)
export const query = computed<Query>(() => plan.value.query)

const nothing: Written = { data: {}, problems: [] }
/** The data to write; undefined if the action writes nothing. */
export const written = computed<Written | undefined>(() => {
  if (!['create', 'update'].includes(state.value.action)) return undefined
  return model.value ? dataOf(model.value, state.value) : nothing
})

/** True if a request was not sent because something in its data is missing or wrong. */
export const isHeldBack = signal(false)

/** A missing value counts as a problem only after an attempt to send. */
export const problems = computed(() =>
  (written.value?.problems ?? []).filter(
    ({ message }) => isHeldBack.value || answer.value !== undefined || message !== isMissing,
  ),
)

export const answer = signal<Answer | undefined>(undefined)
/** The list that the response is a page of. */
const answeredList = signal('')
export const isAsking = signal(false)

/** Selects a type; the response to another type's request is removed. */
export function select(uid: string): void {
  if (uid === selected.value) return
  batch(() => {
    selected.value = uid
    answer.value = undefined
    isHeldBack.value = false
  })
  history.replaceState(null, '', `#${uid}`)
}

export function setAction(action: Action): void {
  const { draft: _, former: __, ...rest } = state.value
  batch(() => {
    change({ ...rest, action, draft: {} })
    answer.value = undefined
    isHeldBack.value = false
  })
}

/** Sends the request; with `anyway` even if something is missing or wrong, which a plugin of the server may accept. */
export async function send(anyway = false): Promise<void> {
  const known = model.value
  if (!known || isAsking.value) return
  isHeldBack.value = !anyway && (written.value?.problems ?? []).length > 0
  if (isHeldBack.value) return
  const data = written.value?.data
  await show(ask(known, state.value, { query: query.value, data, token: session.value?.token }), plan.value.list)
}

/** Shows a response once it is there, with the list that it is a page of. */
async function show(asked: Promise<Answer>, list: string): Promise<void> {
  isAsking.value = true
  const got = await asked
  batch(() => {
    answer.value = got
    answeredList.value = list
    isAsking.value = false
  })
}

/** The request as a document of GraphQL; undefined where there is none. */
export const graphqlRequest = computed(() => model.value && graphqlOf(model.value, state.value, query.value))

/** Runs the document; a response of GraphQL has no cursors. */
export async function runGraphql(request: GraphqlRequest): Promise<void> {
  if (!isAsking.value) await show(run(request, session.value?.token), '')
}

/** The cursors of the response that is shown, if it is a page of the list that is built. */
export const cursors = computed(() => {
  const body = answeredList.value === plan.value.list ? answer.value?.body : undefined
  const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {}
  const { next, previous } = isRecord(meta.pagination) ? meta.pagination : {}
  const textOf = (cursor: unknown) => (typeof cursor === 'string' ? cursor : undefined)
  return { next: textOf(next), previous: textOf(previous) }
})

/** Sends the request for another page beside an entry; an empty text asks for the first page, or the last. */
export async function turnTo(key: CursorState['key'], text: string): Promise<void> {
  if (isAsking.value) return
  const { page, ...built } = state.value
  change({ ...built, page: { ...page, cursor: { key, text, list: plan.value.list } } })
  await send()
}

/** Reads the app's description, as far as the session may see it. */
export async function start(): Promise<void> {
  try {
    const { meta, caller } = await readDescription(session.value?.token)
    const next = new Model(meta, caller)
    batch(() => {
      model.value = next
      phase.value = 'ready'
      document.title = `${meta.app.name} · Explorer`
      const wanted = decodeURIComponent(location.hash.slice(1))
      const kept = next.type(selected.value)?.path ? selected.value : undefined
      const named = next.type(wanted)?.path ? wanted : undefined
      const first = next.served.find(({ uid }) => next.can('find', uid)) ?? next.served[0]
      selected.value = kept ?? named ?? first?.uid ?? ''
    })
  } catch (error) {
    batch(() => {
      phase.value = error instanceof NotPermitted ? 'locked' : 'failed'
      failure.value = error instanceof Error ? error.message : String(error)
    })
  }
}

export async function signIn(next: Session | undefined): Promise<void> {
  session.value = next
  await start()
}
