import { computed, effect, signal } from '@preact/signals'
import { isDone, type Reply, send } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { Kinds } from '../../model/form/kinds.js'
import { withLabels } from '../../model/labels.js'
import type { AccountInfo, Meta, TypeMeta } from '../../model/meta.js'
import { ask, isEnded, refusals, sessionIs } from '../api.js'
import { allKept, forgetAll, keptSchema } from '../kept/kept.js'
import { language, speak, t } from '../text.js'
import { address, base, holdsSomething, letGo, watchAddress } from './address.js'
import { say } from './messages.js'

/** The view in place of the console, or with it. */
export const phase = signal<'loading' | 'signed-out' | 'no-account' | 'failed' | 'ready'>('loading')
const received = signal<Meta | undefined>(undefined)
/** The description of the app, with the labels that it has in the language of the page. */
export const meta = computed(() => received.value && withLabels(received.value, language()))
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
  if (isDone(reply)) return await take(reply)
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
  if (isDone(reply)) await take(reply)
}

async function take({ body, text }: Reply): Promise<void> {
  await speak((body as Meta).account.language)
  if (text !== metaText) {
    metaText = text
    received.value = body as Meta
  }
  phase.value = 'ready'
}

/** The account is called otherwise, or prefers another language, which the page then speaks. */
export async function accountIs(changed: Pick<AccountInfo, 'name' | 'language'>): Promise<void> {
  await speak(changed.language)
  const known = received.peek()
  if (known) received.value = { ...known, account: { ...known.account, ...changed } }
}

/** An account has signed in: where a session had ended, what waited for it goes on. */
export async function signedIn(): Promise<void> {
  sessionIs(true)
  if (phase.value === 'ready') await refresh()
  else await load()
}

export const signOut = (): Promise<void> => leave(`${base}/session`)

/** Ends the sessions of the account in all browsers. */
export const signOutEverywhere = (): Promise<void> => leave(`${base}/sessions`)

/** The question whether to sign out where changes are not saved, in this window or another. */
export const signingOut = signal<{ readonly decide: (isSure: boolean) => void } | undefined>(undefined)

async function leave(url: string): Promise<void> {
  const account = meta.peek()?.account.id ?? 0
  const isUnsaved = holdsSomething() || (await allKept(account, Date.now())).length > 0 || (await keptSchema(account))
  if (isUnsaved && !(await isSure())) return
  if (!isDone(await ask({ method: 'DELETE', url }))) return say(t('signingOut.failed'))
  letGo()
  await forgetAll(account)
  // Nothing of the account stays in the page.
  location.assign(base)
}

async function isSure(): Promise<boolean> {
  const decision = await new Promise<boolean>(decide => {
    signingOut.value = { decide }
  })
  signingOut.value = undefined
  return decision
}

/** The account may do everything: it sees the schema as well. */
export const isSuperAdmin = computed(() => meta.value?.account.isSuperAdmin === true)

/** The entries of a type that were deleted are for Super Admins. */
export const hasDeleted = ({ options }: TypeMeta): boolean => isSuperAdmin.value && options.versions

/** The type of a view, as far as the account may see it. */
export const typeNamed = (singular: string) =>
  meta.value?.types.find(type => type.singular === singular && type.path !== undefined)

/** Types with views of their own: files have another one, and accounts of editors are no content. */
export const listedTypes = computed(() =>
  (meta.value?.types ?? []).filter(
    ({ path, can, uid }) => path !== undefined && can.read !== null && uid !== 'plugin::upload.file',
  ),
)

/** The account may list the files of the library. */
export const hasMedia = computed(
  () => meta.value?.types.some(({ uid, can }) => uid === 'plugin::upload.file' && can.read !== null) === true,
)

export const path = computed(() => address.value.path)
