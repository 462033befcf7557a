import assert from 'node:assert/strict'
import type { TestApp } from '../../../../core/index.js'
import { createLog } from '../../../../core/log.js'
import { accountUid, roleUid } from '../../../../plugins/admin/content-types.js'
import { admin } from '../../../../plugins/admin/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import type { Body, World } from '../../../support/contract.js'
import { world } from '../world.js'

export const password = 'eleven elephants'

/** The origin of a server whose requests need no socket. */
export const origin = 'http://localhost'

type Headers = Readonly<Record<string, string | undefined>>

export interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  readonly body: Body
  /** The cookie that it sets, with its attributes in lower case. */
  readonly cookie: SetCookie | undefined
}

export interface SetCookie extends Readonly<Record<string, string>> {
  readonly name: string
  readonly value: string
}

type Server = Pick<TestApp, 'inject'>

/** A tab of a browser with the console's page: it keeps the cookie that it is given, and sends what browsers send. */
export class Tab {
  cookie: string | undefined
  readonly #headers: Headers

  constructor(headers: Headers = {}) {
    this.#headers = headers
  }

  /** The same browser, with the cookie as it is now. */
  another(): Tab {
    const tab = new Tab(this.#headers)
    tab.cookie = this.cookie
    return tab
  }

  async ask(server: Server, method: string, url: string, body?: unknown, headers: Headers = {}): Promise<Heard> {
    const sent = Object.entries({
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      ...(method !== 'GET' && { origin }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.cookie !== undefined && { cookie: this.cookie }),
      ...this.#headers,
      ...headers,
    }).filter((pair): pair is [string, string] => pair[1] !== undefined)
    const {
      statusCode,
      headers: given,
      payload,
    } = await server.inject({
      method: method as 'GET',
      url,
      headers: Object.fromEntries(sent),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const cookie = cookieIn(given['set-cookie'])
    if (cookie) this.cookie = cookie.value === '' ? undefined : `${cookie.name}=${cookie.value}`
    return { status: statusCode, headers: given, text: payload, body: parsed(payload), cookie }
  }

  async signIn(server: Server, email = 'ada@example.test', more: object = {}): Promise<Heard> {
    const heard = await this.ask(server, 'POST', '/console/session', { email, password, ...more })
    assert.equal(heard.status, 200, heard.text)
    return heard
  }

  /** The status of the session: 200, or 401 without one. */
  async status(server: Server): Promise<number> {
    return (await this.ask(server, 'GET', '/console/session')).status
  }
}

function cookieIn(header: string | string[] | number | undefined): SetCookie | undefined {
  if (header === undefined) return undefined
  assert.equal(typeof header, 'string', 'one cookie is set')
  const [first = '', ...attributes] = String(header).split('; ')
  const [name = '', value = ''] = first.split('=')
  return {
    ...Object.fromEntries(attributes.map(attribute => [...attribute.toLowerCase().split('='), ''].slice(0, 2))),
    ...{ name, value },
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The world of the other tests of this plugin, without a limit of attempts. */
export const unthrottled = {
  ...world,
  plugins: [[admin, { ratelimit: { enabled: false } }], draftAndPublish],
} satisfies World

/** Makes an account past every command. */
export async function editor(app: TestApp, email: string, more: object = {}): Promise<number> {
  const role = await app.entries(roleUid).first({ where: { code: { $eq: 'strapi-super-admin' } } })
  const { id } = await app.entries(accountUid).create({
    ...{ email, password, firstname: 'Ada', lastname: 'Lind', isActive: true, blocked: false },
    ...{ roles: [Number(role?.id)] },
    ...more,
  })
  return Number(id)
}

/** A log that notes the statements of a server. */
export function watched() {
  const statements: string[] = []
  const write = (line: string) => void (line.includes('"msg":"statement"') && statements.push(JSON.parse(line).sql))
  return { statements, log: createLog('trace', { destination: { write } }) }
}
