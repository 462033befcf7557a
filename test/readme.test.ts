import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import inject, { type InjectOptions } from 'light-my-request'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { dialectFlags, dialects } from '../core/dialect.js'
import type { App } from '../core/index.js'
import { bootSample, root } from './sample/sample.js'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')

interface Example {
  readonly command: string
  readonly answer: string
}

/** `$ command` and the lines that are printed below it, in the order of the page. */
function examples(): Example[] {
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  return blocks.flatMap(block =>
    block
      .split(/^\$ /m)
      .filter(part => part.trim() !== '')
      .map(part => {
        const [command = '', ...answer] = part.split('\n')
        return { command, answer: answer.join('\n').trim() }
      }),
  )
}

/** The request that a curl command of the page sends. */
function requestOf(command: string): InjectOptions {
  const [program, ...words] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  assert.equal(program, 'curl')
  const request: { method: string; url: string; headers: Record<string, string>; payload?: string } = {
    method: 'GET',
    url: '',
    headers: {},
  }
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string
    const next = () => words[++index] as string
    if (word === '-g') continue
    if (word === '-X') request.method = next()
    else if (word === '-d') request.payload = next()
    else if (word === '-H') {
      const [name = '', value = ''] = next().split(': ')
      request.headers[name] = value
    } else {
      assert.match(word, /^http:\/\/localhost:1337\//, `${command}: what is ${word}?`)
      request.url = word.slice('http://localhost:1337'.length)
    }
  }
  return request as InjectOptions
}

describe('the README', () => {
  let app: App
  beforeAll(async () => {
    app = await bootSample({ env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } })
  })
  afterAll(() => app.close())

  // One after the other, as a reader would try them: later ones build on what earlier ones wrote.
  for (const { command, answer } of examples())
    it(`answers as printed: ${command.slice(0, 110)}`, async () => {
      const { statusCode, payload } = await inject(app.koa.callback(), requestOf(command))
      if (answer === '') assert.ok(statusCode >= 200 && statusCode < 300, `${statusCode} ${payload}`)
      else assert.deepEqual(JSON.parse(payload), JSON.parse(answer))
    })

  const files = [...readme.matchAll(/<!-- (test\/\S+) -->\n+```ts\n([\s\S]*?)```/g)]
  it('shows three complete plugins', () => assert.equal(files.length, 3))
  for (const [, file = '', block] of files)
    it(`shows ${file} as it is, in under 20 lines`, () => {
      assert.equal(block, imported(readFileSync(path.join(root, file), 'utf8')))
      assert.ok((block ?? '').trim().split('\n').length < 20)
    })

  it('names every flag of the dialects with its values', () => {
    for (const flag of dialectFlags) {
      const values = [dialects.spec, dialects.strapi4].map(dialect => dialect[flag as keyof typeof dialect])
      assert.match(readme, new RegExp(`\\| \`${flag}\` \\|.*\\| \`${values[0]}\` \\| \`${values[1]}\` \\|`))
    }
  })

  it('names every dependency, and no other', () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const chapter = readme.slice(readme.indexOf('## Dependencies'), readme.indexOf('## Developing'))
    const named = [...chapter.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) => names.split(', ')).slice(1)
    assert.deepEqual(named.filter(name => !/^-+$/.test(name)).sort(), Object.keys({ ...dependencies, ...optionalDependencies }).sort())
    for (const name of Object.keys(devDependencies))
      assert.ok(name.startsWith('@types/') || chapter.includes(name), `${name} is not named`)
  })

  it('links to what is there', () => {
    const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    )
    for (const [, target = ''] of readme.matchAll(/\]\(([^)]+)\)/g)) {
      if (target.startsWith('https:')) continue
      if (target.startsWith('#')) assert.ok(headings.includes(target.slice(1)), target)
      else assert.ok(existsSync(path.join(root, target)), target)
    }
  })
})

/** Files of this repository import the public API by its path, those of an app by its name. */
const imported = (text: string): string => text.replace(/'(\.\.\/)+core\/index\.js'/, "'stele'")
