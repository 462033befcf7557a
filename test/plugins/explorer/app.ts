import { type InjectOptions, inject, type Response } from 'light-my-request'
import type { App } from '../../../core/kernel.js'
import { type CallerInfo, type Metadata, Model } from '../../../plugins/explorer/builder/metadata.js'

/** Sends a request without a socket. */
export function senderTo({ koa }: Pick<App, 'koa'>): (request: InjectOptions) => Promise<Response> {
  const handle = koa.callback()
  return request => inject(handle as never, request)
}

type Send = ReturnType<typeof senderTo>

/** The app as the page sees it for a caller. */
export async function modelFrom(send: Send, headers: Record<string, string> = {}): Promise<Model> {
  const [meta, caller] = await Promise.all(
    ['meta', 'caller'].map(async name => (await send({ url: `/explorer/${name}.json`, headers })).json()),
  )
  return new Model(meta as Metadata, caller as CallerInfo)
}
