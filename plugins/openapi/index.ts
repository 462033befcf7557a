import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AppOutline,
  BootError,
  type CommandCall,
  definePlugin,
  InvalidParameter,
  type RouteCall,
} from '../../core/index.js'
import { aboutOf, type Settings } from './about.js'
import { type Version, versions } from './document.js'
import { type Written, writeDocument } from './written.js'

const known = Object.keys(versions)

/** Describes the API: types, parameters and routes as an OpenAPI document. */
export const openapi = definePlugin({
  name: 'openapi',
  describe: 'describes the API as an OpenAPI document',
  config: {
    type: 'object',
    properties: {
      /** true: any client may read it; false: the permission is needed. Unset, it is open while developing. */
      public: { type: 'boolean' },
      title: { type: 'string' },
      version: { type: 'string' },
      /** An SPDX identifier. */
      license: { type: 'string' },
      /** Addresses of the API, or a path on the server of the document. */
      servers: { type: 'array', items: { type: 'string' }, minItems: 1, default: ['/'] },
    },
  },
  register: (host): Documents => new Documents(host.outline, host.config),
  routes: ({ public: isPublic }) => [
    {
      method: 'GET',
      path: '/openapi.json',
      at: 'root',
      action: isPublic === true ? null : 'read',
      ...(isPublic === undefined && { open: 'developing' as const }),
      describe: 'this document',
      asks: { version: { type: 'string', enum: known } },
      answers: { type: 'object' },
      run: serve,
    },
  ],
  commands: [
    {
      name: 'openapi',
      describe: 'write the OpenAPI document of the app',
      opens: 'outline',
      options: [
        { flags: '--out <file>', describe: 'the file to write; standard output otherwise' },
        { flags: '--version <version>', describe: 'the version of OpenAPI', choices: known, default: '3.1' },
      ],
      run: print,
    },
  ],
})

/** The documents of an app: each is written once, when it is first asked for. */
class Documents {
  readonly #app: AppOutline
  readonly #settings: Settings
  readonly #written = new Map<Version, Promise<Written>>()

  constructor(app: AppOutline, settings: Settings) {
    this.#app = app
    this.#settings = settings
  }

  get(version: Version): Promise<Written> {
    let written = this.#written.get(version)
    if (!written) {
      written = writeDocument(this.#app, aboutOf(this.#app, this.#settings), version)
      this.#written.set(version, written)
    }
    return written
  }
}

async function serve({ ctx, query, service }: RouteCall<Documents>): Promise<void> {
  const { version = '3.1' } = query
  if (!known.includes(String(version))) throw new InvalidParameter(['version'], `takes ${known.join(' or ')}`)
  const { text, tag } = await service.get(version as Version)
  ctx.set('ETag', tag)
  ctx.status = 200
  if (ctx.fresh) ctx.status = 304
  else {
    ctx.type = 'application/json'
    ctx.body = text
  }
}

async function print({ app, config, options, print }: CommandCall): Promise<void> {
  const { text } = await writeDocument(app, aboutOf(app, config as unknown as Settings), options.version as Version)
  const { out } = options
  if (typeof out !== 'string') return print(text.toString())
  try {
    writeFileSync(resolve(out), text)
  } catch (error) {
    throw new BootError(`${out} cannot be written: ${(error as Error).message}`)
  }
}
