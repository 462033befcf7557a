import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, vi } from 'vitest'
import { upload } from '../../../plugins/upload/index.js'
import { type Answer, type Api, start, type World } from '../../support/contract.js'
import type { Engine } from '../../support/engines.js'

const types: World['types'] = {
  article: {
    attributes: {
      title: { type: 'string', required: true },
      cover: { type: 'media', allowedTypes: ['images'] },
      gallery: { type: 'media', multiple: true },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.slide', 'shared.quote'] },
    },
  },
  homepage: {
    kind: 'singleType',
    attributes: { banner: { type: 'media' }, gallery: { type: 'media', multiple: true } },
  },
}

const components: NonNullable<World['components']> = {
  'shared.seo': { attributes: { metaTitle: { type: 'string' }, shareImage: { type: 'media' } } },
  'shared.slide': { attributes: { caption: { type: 'string' }, image: { type: 'media' } } },
  'shared.quote': { attributes: { text: { type: 'string' } } },
}

export { anyEngine } from '../../support/engines.js'

export interface UploadWorld extends Api {
  /** The folder of the storage. */
  readonly folder: string
  /** The names of the files in storage. */
  stored(): string[]
  /** The files of uploads in flight. */
  arriving(): string[]
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form to a path below the prefix. */
  form(path: string, parts: readonly Part[], method?: string): Promise<Answer>
  /** Sends bytes to a path below the prefix as they are. */
  raw(path: string, body: Buffer, headers: Record<string, string>): Promise<Answer>
  /** Asks for a path from the root of the server. */
  fetch(path: string, headers?: Record<string, string>, method?: string): Promise<Answer & { bytes: Buffer }>
  /** Waits until nothing is on its way any more: requests clear up when their answer is out. */
  settled(): Promise<void>
  /** The port on which the server listens, from the first time that somebody asks. */
  port(): Promise<number>
  /** The number of rows of a table. */
  count(table: string): Promise<number>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly rest?: World['rest']
  readonly config?: World['config']
  readonly folder?: string
  /** Plugins beside the one that is tested. */
  readonly plugins?: World['plugins']
}

/** A server with files, before the tests of the surrounding suite and gone after them. */
export function serveUploads(engine: Engine, options: WorldOptions = {}): UploadWorld {
  let world: UploadWorld | undefined
  beforeAll(async () => {
    world = await startUploads(engine, options)
  })
  afterAll(() => world?.close())
  return new Proxy({} as UploadWorld, { get: (_, name) => Reflect.get(world as UploadWorld, name) })
}

export async function startUploads(engine: Engine, options: WorldOptions = {}): Promise<UploadWorld> {
  const { settings = {}, rest = {}, config = {}, plugins = [] } = options
  const folder = options.folder ?? temporaryFolder()
  const server = { host: '127.0.0.1', port: 0, ...config.server }
  const plugged = { ...config, server }
  const api = await start(engine, {
    types,
    components,
    rest,
    config: plugged,
    plugins: [[upload, { folder, ...settings }], ...plugins],
  })
  const inject = async (method: string, url: string, payload?: Buffer, headers: Record<string, string> = {}) => {
    const answer = await api.app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
    return {
      status: answer.statusCode,
      headers: answer.headers as Answer['headers'],
      text: answer.body,
      bytes: answer.rawPayload,
      body: json(answer.body),
      statements: [],
    }
  }
  const count = async (table: string) =>
    Number((await api.app.store.reader.all(`select count(*) from ${table}`, []))[0]?.[0])
  const arriving = () => {
    const staging = path.join(folder, '.incoming')
    return existsSync(staging) ? readdirSync(staging) : []
  }
  const settled = async () => {
    assert.deepEqual(arriving(), [])
    assert.equal(await count('stele_upload_leftovers'), 0)
  }
  let listening: Promise<number> | undefined
  return {
    ...api,
    folder,
    port: () => (listening ??= api.app.listen().then(({ port }) => port)),
    stored: () => (existsSync(folder) ? readdirSync(folder).filter(name => !name.startsWith('.')) : []),
    arriving,
    settled: () => vi.waitFor(settled, { timeout: 5000, interval: 10 }),
    form: (place, parts, method = 'POST') => {
      const { body, type } = encode(parts)
      return inject(method, `/api${place}`, body, { 'content-type': type })
    },
    raw: (place, body, headers) => inject('POST', `/api${place}`, body, headers),
    fetch: (place, headers, method = 'GET') => inject(method, place, undefined, headers),
    count,
    async close() {
      await api.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const temporaryFolder = (): string => mkdtempSync(path.join(tmpdir(), 'stele-upload-'))

/** A part of a form: a field, or a file. */
export type Part =
  | readonly [field: string, value: string]
  | readonly [field: string, name: string, mime: string, content: Buffer | string]

export function encode(parts: readonly Part[]): { body: Buffer; type: string } {
  const boundary = `----${randomBytes(8).toString('hex')}`
  const chunks = parts.flatMap(([field, ...rest]) => {
    const [name, mime, content] = rest.length === 1 ? [undefined, undefined, rest[0]] : rest
    const file = name === undefined ? '' : `; filename="${name}"\r\nContent-Type: ${mime}`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${file}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(content ?? ''), Buffer.from('\r\n')]
  })
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** A picture of one colour. */
export const picture = (
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3a6' } })
    .toFormat(format)
    .toBuffer()

function json(text: string): Answer['body'] {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
