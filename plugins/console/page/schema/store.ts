import { batch, computed, signal } from '@preact/signals'
import { type Drafts, Drawing } from '../../model/schema/drawing.js'
import type { LastWrite, Plan, SchemaOfApp } from '../../model/schema.js'
import type { Problem } from '../settings/sending.js'

/** The schemas of the app as the server has them. */
export const app = signal<SchemaOfApp | undefined>(undefined)

/** Texts of files that differ from those of the app: all of them are planned together. */
export const drafts = signal<Drafts>({})
export const hasDrafts = computed(() => Object.keys(drafts.value).length > 0)
export const drawing = computed(() => app.value && new Drawing(app.value, drafts.value))

/** The texts that the drafts were drawn over, where the browser has kept them. */
const over = signal<Drafts>({})
/** Files that have changed since they were drawn over. */
export const outdated = computed(() => {
  const known = [...(app.value?.types ?? []), ...(app.value?.components ?? [])]
  return Object.keys(drafts.value).filter(path => {
    const before = over.value[path]
    return app.value && before !== undefined && before !== (known.find(({ file }) => file === path)?.text ?? null)
  })
})

/** The plan of the files as they are in the page; none since one of them was changed. */
export const plan = signal<Plan | undefined>(undefined)
/** Removals are planned as well. */
export const removals = signal(false)
/** The reasons for which there is no plan of them. */
export const problems = signal<readonly Problem[]>([])
/** The write that was begun here, or that another page has begun. */
export const written = signal<LastWrite | undefined>(undefined)

/** Takes a change of what is drawn. */
export function draw(next: Drawing): void {
  if (JSON.stringify(next.drafts) !== JSON.stringify(drafts.peek())) set(next.drafts)
}

export function discardAll(): void {
  batch(() => {
    set({})
    over.value = {}
  })
}

function set(next: Drafts): void {
  batch(() => {
    drafts.value = next
    plan.value = undefined
    problems.value = []
  })
}

/** Takes the schemas as the server has them now: what is in the files is no draft any more. */
export function taken(now: SchemaOfApp): void {
  batch(() => {
    app.value = now
    const rest = settled(now, drafts.peek())
    if (Object.keys(rest).length !== Object.keys(drafts.peek()).length) set(rest)
    written.value ??= now.lastWrite?.state === 'running' ? now.lastWrite : undefined
  })
}

/** Takes what the browser has kept, unless something was drawn already. */
export function restore(kept: { readonly drafts: Drafts; readonly over: Drafts }): void {
  if (hasDrafts.peek()) return
  batch(() => {
    over.value = kept.over
    const now = app.peek()
    set(now ? settled(now, kept.drafts) : kept.drafts)
  })
}

const settled = (now: SchemaOfApp, all: Drafts): Drafts =>
  Object.entries(all).reduce((drawn, [path, text]) => drawn.with(path, text), new Drawing(now, {})).drafts

export interface Answer<T> {
  readonly data: T
}

export type SchemaAnswer = Answer<SchemaOfApp>
