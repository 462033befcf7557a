import { computed, effect, signal } from '@preact/signals'
import { isDone, type Reply, send } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { Kinds } from '../../model/form/kinds.js'
import type { Meta } from '../../model/meta.js'
import { ask, isEnded, refusals, sessionIs } from '../api.js'
import { forgetAll } from '../kept/kept.js'
import { address, base, watchAddress } from './address.js'

/** The view in place of the console, or with it. */
export const phase = signal<'loading' | 'signed-out' | 'no-account' | 'failed' | 'ready'>('loading')
export const meta = signal<Meta | undefined>(undefined)
export const kinds = computed(() => (meta.value ? new Kinds(meta.value) : undefined))

const metaUrl = `${base}/meta.json`
let metaText = ''

/** Opens the console, or the sign-in. */
export async function start(): Promise<void> {
  watchAddress()
  await load()
  effect(() => {
    if (refusals.value > 0) void refresh()
  })
  setInterval(() => document.visibilityState === 'visible' && void refresh(), 5 * 60_000)
}

/** Reads the description of the app for the account that is signed in. */
export async function load(): Promise<void> {
  const reply = await send({ url: metaUrl })
  if (isDone(reply)) return take(reply)
  if (reply.status !== 401) {
    phase.value = 'failed'
    return
  }
  const session = await send({ url: `${base}/session` })
  const name = isRecord(session.body) && isRecord(session.body.error) ? session.body.error.name : undefined
  phase.value = name === 'NoAccountError' ? 'no-account' : 'signed-out'
}

/** Reads the description again, as permissions or layouts may have changed. */
export async function refresh(): Promise<void> {
  if (phase.value !== 'ready' || isEnded.value) return
  const reply = await ask({ url: metaUrl })
  if (isDone(reply)) take(reply)
}

function take({ body, text }: Reply): void {
  if (text !== metaText) {
    metaText = text
    meta.value = body as Meta
  }
  phase.value = 'ready'
}

/** An account has signed in: where a session had ended, what waited for it goes on. */
export async function signedIn(): Promise<void> {
  sessionIs(true)
  if (phase.value === 'ready') await refresh()
  else await load()
}

export async function signOut(): Promise<void> {
  const account = meta.peek()?.account.id
  if (account !== undefined) await forgetAll(account)
  await send({ method: 'DELETE', url: `${base}/session` })
  // Nothing of the account stays in the page.
  location.assign(base)
}

/** The type of a view, as far as the account may see it. */
export const typeNamed = (singular: string) =>
  meta.value?.types.find(type => type.singular === singular && type.path !== undefined)

/** Types with views of their own: files have another one, and accounts of editors are no content. */
export const listedTypes = computed(() =>
  (meta.value?.types ?? []).filter(
    ({ path, can, uid }) => path !== undefined && can.read !== null && uid !== 'plugin::upload.file',
  ),
)

export const path = computed(() => address.value.path)
