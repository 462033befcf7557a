import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context } from 'koa'
import { type PartLimits, readParts, type SentFile } from '../../upload/index.js'
import type { Bag, Loose } from '../types.js'
import { koaOf } from './context.js'

/** Reads bodies that are no forms with files. */
export type ReadPlain = (ctx: Context) => Promise<unknown>

const withBody = ['POST', 'PUT', 'PATCH']
const read = new WeakSet<object>()

/** Gives `ctx.request` its body, once for a request: fields and files of a form, or what was sent as JSON, form or text. */
export async function readBody(ctx: Loose, plain: ReadPlain, limits: PartLimits): Promise<void> {
  if (read.has(ctx)) return
  read.add(ctx)
  const koa = koaOf(ctx)
  if (!withBody.includes(ctx.method)) ctx.request.body ??= {}
  else if (ctx.is('multipart')) Object.assign(ctx.request, await readForm(koa, limits))
  else ctx.request.body = (await plain(koa)) ?? {}
}

/** The fields of a form as texts, and its files in temporary files; of several with one name, a list. */
async function readForm(ctx: Context, limits: PartLimits): Promise<Bag> {
  const { fields, files, discard } = await readParts(ctx, path.join(tmpdir(), 'stele-forms'), limits)
  ctx.res.once('close', () => void discard())
  const sent: Record<string, Bag[]> = {}
  for (const file of files) sent[file.field] = [fileOf(file), ...(sent[file.field] ?? [])]
  const one = <T>(list: readonly T[]) => (list.length === 1 ? list[0] : list)
  const named = (lists: Iterable<readonly [string, readonly unknown[]]>) =>
    Object.fromEntries([...lists].map(([name, list]) => [name, one(list)]))
  return {
    body: named(fields),
    ...(files.length > 0 && { files: named(Object.entries(sent)) }),
  }
}

/** A file as code knows it from Strapi. */
const fileOf = ({ name, mime, bytes, path: place }: SentFile): Bag => ({
  name,
  type: mime ?? 'application/octet-stream',
  size: bytes,
  path: place,
  filepath: place,
  originalFilename: name,
  mimetype: mime ?? 'application/octet-stream',
  hash: null,
  lastModifiedDate: new Date(),
})
