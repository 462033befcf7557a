import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Meta, TypeMeta } from '../../../plugins/console/model/meta.js'
import { type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'
import type { Body } from '../../support/contract.js'
import { addFiles, copyEditors, made } from '../admin/project.js'

export { made }

interface ConsoleSettings {
  /** Settings of attempts; they are not counted otherwise. */
  readonly ratelimit?: Readonly<Record<string, unknown>>
  /** Names of further plugins. */
  readonly plugins?: readonly string[]
  /** Further files of the project, by their paths in it. */
  readonly files?: Readonly<Record<string, string>>
  /** Settings of plugins that are enabled anyway. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Texts in files of the project, and what stands in place of them. */
  readonly replaced?: Readonly<Record<string, (text: string) => string>>
}

/** The project of Strapi 4.26 with editors; `config/plugins` enables the console. */
export function copyWithConsole({
  ratelimit = { enabled: false },
  plugins = [],
  files = {},
  settings = {},
  replaced = {},
}: ConsoleSettings = {}): ProjectFolder {
  const project = copyEditors({ config: { ratelimit } })
  addFiles(project, files)
  const file = join(project.folder, 'config/plugins.js')
  const named = { ...Object.fromEntries(['console', ...plugins].map(name => [name, true])), ...settings }
  const lines = Object.entries(named)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)},\n  `)
    .join('')
  writeFileSync(file, readFileSync(file, 'utf8').replace('admin: ', `${lines}admin: `))
  for (const [path, change] of Object.entries(replaced)) {
    const changed = join(project.folder, path)
    writeFileSync(changed, change(readFileSync(changed, 'utf8')))
  }
  return project
}

export interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  readonly body: Body
}

type Headers = Readonly<Record<string, string>>

/** A browser with the page of the console, signed in as one of the people of the recording. */
export class Editor {
  readonly #project: Pick<OpenProject, 'send'>
  #cookie: string | undefined

  constructor(project: Pick<OpenProject, 'send'>) {
    this.#project = project
  }

  /** One of the people of the recording. */
  static signIn(project: Pick<OpenProject, 'send'>, name: keyof typeof made.accounts): Promise<Editor> {
    return Editor.of(project, made.accounts[name] as { email: string; password: string })
  }

  static async of(project: Pick<OpenProject, 'send'>, account: { email: string; password: string }): Promise<Editor> {
    const editor = new Editor(project)
    const { email, password } = account
    const { status, headers, text } = await editor.ask('POST', '/console/session', { email, password })
    if (status !== 200) throw new Error(text)
    editor.#cookie = String(headers['set-cookie']).split(';')[0]
    return editor
  }

  get cookie(): string {
    return this.#cookie ?? ''
  }

  async ask(method: string, url: string, body?: unknown, more: Headers = {}): Promise<Heard> {
    const { statusCode, headers, payload } = await this.#project.send({
      method: method as 'GET',
      url,
      headers: {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.#cookie !== undefined && { cookie: this.#cookie }),
        ...more,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: statusCode, headers, text: payload, body: parsed(payload) }
  }

  get(url: string, more: Headers = {}): Promise<Heard> {
    return this.ask('GET', url, undefined, more)
  }

  async meta(): Promise<Meta> {
    const { status, body, text } = await this.get('/console/meta.json')
    if (status !== 200) throw new Error(text)
    return body
  }

  async type(uid: string): Promise<TypeMeta | undefined> {
    return (await this.meta()).types.find(type => type.uid === uid)
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export { openProject }
