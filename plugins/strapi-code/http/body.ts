import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context } from 'koa'
import { type PartLimits, readParts, type SentFile } from '../../upload/index.js'
import type { Bag, Loose } from '../types.js'
import { koaOf } from './context.js'

/** Gives `ctx.request` what the server has not read: the fields and files of a form; without any body, `{}`. */
export async function readBody(ctx: Loose, limits: PartLimits): Promise<void> {
  if (withBody.includes(ctx.method) && ctx.is('multipart') && ctx.request.files === undefined)
    Object.assign(ctx.request, await readForm(koaOf(ctx), limits))
  ctx.request.body ??= {}
}

const withBody = ['POST', 'PUT', 'PATCH']

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
