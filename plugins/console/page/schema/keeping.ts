import { effect, signal } from '@preact/signals'
import type { Drafts } from '../../model/schema/drawing.js'
import { keepSchema, keptSchema } from '../kept/kept.js'
import { meta } from '../shell/session.js'
import { app, drafts, outdated, restore } from './store.js'

/** The browser has given what it kept: something that is drawn before that would take its place. */
export const isRead = signal(false)

/** Stores what is drawn in the browser, once what was stored before has been read. */
export function keeping(): () => void {
  const account = meta.peek()?.account.id
  if (account === undefined) return () => undefined
  let isOpen = true
  let stop = () => {}
  const begin = () => {
    isRead.value = true
    if (isOpen)
      stop = effect(() => {
        const now = drafts.value
        const known = app.value
        // The texts under a draft that is out of date stay those that it was drawn over.
        if (known && outdated.value.length === 0)
          void keepSchema({ account, drafts: now, over: textsOf(Object.keys(now)) })
      })
  }
  if (isRead.peek()) begin()
  else
    void keptSchema(account).then(
      kept => {
        if (kept) restore(kept)
        begin()
      },
      () => {
        isRead.value = true
      },
    )
  return () => {
    isOpen = false
    stop()
  }
}

/** The texts of files as the app has them. */
export function textsOf(paths: readonly string[]): Drafts {
  const known = app.peek()
  const all = known ? [...known.types, ...known.components] : []
  return Object.fromEntries(paths.map(path => [path, all.find(({ file }) => file === path)?.text ?? null]))
}
