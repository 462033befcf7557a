import { strict as assert } from 'node:assert'
import type { InjectOptions, Response } from 'light-my-request'
import { type GraphqlRequest, graphqlOf } from '../../../plugins/explorer/builder/graphql/request.js'
import type { Model } from '../../../plugins/explorer/builder/metadata.js'
import { queryOf } from '../../../plugins/explorer/builder/query.js'
import { urlOf } from '../../../plugins/explorer/builder/url.js'
import { differenceOf, flatOf, plainOf } from './graphql-response.js'
import { Dice, randomRead } from './random.js'

export const shapes = ['v4', 'flat'] as const

type Send = (request: InjectOptions) => Promise<Response>

/** An app whose states are sent both ways. */
interface Compared {
  readonly send: Send
  readonly model: Model
  readonly shape: (typeof shapes)[number]
  readonly headers?: Readonly<Record<string, string>>
}

/** The response of GraphQL; documents that are not valid are refused. */
async function asked({ send, headers = {} }: Compared, { endpoint, document, variables }: GraphqlRequest) {
  const payload = { query: document, variables }
  const response = await send({ method: 'POST', url: endpoint, payload, headers: { ...headers } })
  return { status: response.statusCode, ...response.json() }
}

/** Sends as many random states both ways, and gives the differences. */
export async function compared(app: Compared, count: number) {
  const { send, model, shape, headers = {} } = app
  const dice = new Dice(count)
  const wrong: string[] = []
  const seen = { compared: 0, found: 0, apart: 0 }
  for (let index = 0; index < count; index += 1) {
    const state = randomRead(model, dice)
    const query = queryOf(model, state)
    const request = graphqlOf(model, state, query)
    assert.ok(request)
    const url = urlOf(model, state, query)
    const { status, data, errors } = await asked(app, request)
    const said = `${url}\n${request.document}\n${JSON.stringify(request.variables)}\n`
    const isWhole = request.missing.length === 0
    // A document that leaves parts of the query out is valid as well; without a filter it may ask for too much.
    const isTooMuch = !isWhole && String(errors?.[0].message).includes('rest.limits.entries')
    if (status !== 200 || (errors && !isTooMuch)) wrong.push(`${said}${JSON.stringify(errors)}`)
    if (request.document.includes('_2: ')) seen.apart += 1
    if (!isWhole || request.notes.length > 0 || url.length > 12_000) continue
    const rest = (await send({ url, headers: { ...headers } })).json()
    const expected = plainOf(shape === 'flat' ? flatOf(rest.data ?? null) : (rest.data ?? null))
    const { entries, total } = readFrom({ data }, request, shape)
    const difference = differenceOf(expected, plainOf(entries ?? null))
    if (difference) wrong.push(`${said}${difference}`)
    const counted = rest.meta?.pagination?.total
    if (counted !== total) wrong.push(`${said}${counted} is not ${total}`)
    seen.compared += 1
    if (([] as unknown[]).concat(rest.data ?? []).length > 0) seen.found += 1
  }
  return { wrong, seen }
}

/** The entries of a response, in the places that the page shows of it, and their total. */
function readFrom(body: { readonly data: unknown }, { list }: GraphqlRequest, shape: Compared['shape']) {
  if (list) return { entries: at(body, list.entries), total: at(body, list.total) }
  const [root] = Object.values(Object(body.data))
  return { entries: shape === 'flat' ? root : Object(root).data, total: undefined }
}

const at = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], body)
