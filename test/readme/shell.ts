import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import inject from 'light-my-request'
import type { App } from '../../core/index.js'
import { commandsOf } from '../../core/plugin/running.js'
import { textTable } from '../../core/tools/cli/lists/table.js'

/** The output of a command: the status of a response, or none for a command of the terminal. */
export interface Output {
  readonly status?: number
  readonly text: string
}

/** Understands as much of a shell, of curl and of jq as the pages use, and sends requests without a socket. */
export class Shell {
  readonly #app: App
  readonly #folder: string
  /** Files that are there in the reader's folder. */
  readonly #files: Readonly<Record<string, string>>
  readonly #variables = new Map<string, string>()

  constructor(app: App, folder: string, files: Readonly<Record<string, string>> = {}) {
    this.#app = app
    this.#folder = folder
    this.#files = files
  }

  async run(command: string): Promise<Output> {
    const [, name, inner, place = ''] = /^(\w+)=\$\((.+) \| jq -r (\.\S+)\)$/.exec(command) ?? []
    if (name !== undefined && inner !== undefined) {
      const { text } = await this.run(inner)
      const value = place
        .split('.')
        .slice(1)
        .reduce((at, key) => Object(at)[key], JSON.parse(text))
      assert.equal(typeof value, 'string', `${command}: ${text}`)
      this.#variables.set(name, String(value))
      return { text: '' }
    }
    const [program, ...words] = this.#words(command)
    if (program === 'curl') return this.#curl(words)
    assert.equal(program, 'stele', `${command}: what is ${program}?`)
    return this.#stele(words)
  }

  #words(command: string): string[] {
    return [...command.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
      ([, verbatim, quoted, plain]) => verbatim ?? this.#filled(quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''),
    )
  }

  #filled(text: string): string {
    return text.replaceAll(/\$(\w+)/g, (_, name) => {
      const value = this.#variables.get(name)
      assert.ok(value !== undefined, `$${name} has no value yet`)
      return value
    })
  }

  #file(name: string): Buffer {
    const text = this.#files[name]
    return text === undefined ? readFileSync(path.join(this.#folder, name)) : Buffer.from(text)
  }

  async #curl(words: readonly string[]): Promise<Output> {
    const headers: Record<string, string> = {}
    const data: string[] = []
    const form = new FormData()
    let method: string | undefined
    let url = ''
    let verbatim = false
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index] as string
      const next = () => words[++index] as string
      if (/^-[gs]+$/.test(word)) {
        verbatim ||= word.includes('g')
        continue
      }
      if (word === '-X') method = next()
      else if (word === '-d') data.push(next())
      else if (word === '--data-urlencode') data.push(this.#encoded(next()))
      else if (word === '-F') this.#part(form, next())
      else if (word === '-H') {
        const [name = '', value = ''] = next().split(': ')
        headers[name.toLowerCase()] = value
      } else {
        assert.match(word, /^http:\/\/localhost:1337\//, `what is ${word}?`)
        url = word.slice('http://localhost:1337'.length)
      }
    }
    assert.ok(verbatim || !/[[\]{}]/.test(url), `curl takes the brackets of ${url} for a pattern; it needs -g`)
    const parts = [...form].length > 0 ? new Response(form) : undefined
    if (parts) headers['content-type'] = parts.headers.get('content-type') ?? ''
    else if (data.length > 0) headers['content-type'] ??= 'application/x-www-form-urlencoded'
    const payload = parts ? Buffer.from(await parts.arrayBuffer()) : data.join('&')
    const { statusCode, payload: text } = await inject(this.#app.koa.callback(), {
      method: (method ?? (payload.length > 0 ? 'POST' : 'GET')) as 'GET',
      url,
      headers,
      ...(payload.length > 0 && { payload }),
    })
    return { status: statusCode, text }
  }

  /** `name@file` sends what is in the file. */
  #encoded(word: string): string {
    const [name = '', file = ''] = word.split('@')
    return `${name}=${encodeURIComponent(this.#file(file).toString())}`
  }

  /** `field=text`, or `field=@file;type=mime`. */
  #part(form: FormData, word: string): void {
    const [, field = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (!value.startsWith('@')) {
      form.append(field, value)
      return
    }
    const [name = '', type = 'type=application/octet-stream'] = value.slice(1).split(';')
    const file = new Blob([new Uint8Array(this.#file(name))], { type: type.slice('type='.length) })
    form.append(field, file, path.basename(name))
  }

  async #stele(words: readonly string[]): Promise<Output> {
    const said = words.join(' ')
    const command = commandsOf(this.#app).find(({ name }) => said === name || said.startsWith(`${name} `))
    assert.ok(command, `no plugin brings the command "${said}"`)
    const rest = words.slice(command.name.split(' ').length)
    const args: string[] = []
    const options: Record<string, string | boolean | undefined> = Object.fromEntries(
      (command.options ?? []).map(({ flags, default: value }) => [nameOf(flags), value]),
    )
    let json = false
    for (let index = 0; index < rest.length; index += 1) {
      const word = rest[index] as string
      if (word === '--json') {
        json = true
        continue
      }
      const option = command.options?.find(({ flags }) => flags.split(' ')[0] === word)
      assert.ok(option || !word.startsWith('--'), `${command.name} has no option ${word}`)
      if (option) options[nameOf(word)] = option.flags.includes('<') ? rest[++index] : true
      else args.push(word)
    }
    let text = ''
    const print = (line: string) => {
      text += `${line}\n`
    }
    const table = (rows: Parameters<typeof textTable>[0]) => {
      text += json ? JSON.stringify(rows) : textTable(rows)
    }
    await command.run({ args, options, json, interactive: false, print, table })
    return { text }
  }
}

/** `--expires-in <time>` is `expiresIn`. */
const nameOf = (flags: string): string =>
  (flags.split(' ')[0] ?? '').slice(2).replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
